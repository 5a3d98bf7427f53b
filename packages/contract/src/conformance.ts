/**
 * Compares a response of the service with the declaration of its operation. In tests, it checks every response, and one that the table does
 * not declare fails the test.
 */
import { Compile } from 'typebox/compile';
import { Compile as CompileJsonSchema } from 'typebox/schema';
import { type ErrorResponse, errorResponses, requiredHeaders } from './error-responses.ts';
import { mapParts, plainSchema } from './json-schema.ts';
import type { JsonSchema, OpenApi } from './openapi-types.ts';
import { allOperations, type Operation, type OperationId, operations, type SuccessResponse } from './operations.ts';
import { type ComponentName, components } from './schemas.ts';

/** Response headers with names in lower case, as in `node:http`. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

const templates = allOperations.map(([id, { path }]) => ({ id, template: path.split('/') }));

/**
 * Returns the operation that a request reaches, by method and path (the query is ignored); `HEAD` counts as `GET`. Undefined if there is
 * none, and for `OPTIONS`. Literal segments are preferred to parameters.
 */
export function operationOf(method: string, path: string): OperationId | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const segments = (path.split('?')[0] ?? '').split('/');
  let candidates = templates.filter(({ template }) => template.length === segments.length);
  segments.forEach((segment, index) => {
    const literal = candidates.filter(({ template }) => template[index] === segment);
    const parameter = candidates.filter(({ template }) => isParameterOf(template[index] ?? '', segment));
    candidates = literal.length > 0 ? literal : parameter;
  });
  return candidates.find(({ id }) => operations[id].method === wanted)?.id ?? operationBelow(wanted, path);
}

/** Whether a segment has a value for the parameter of a template's segment, between the template's beginning and end. */
function isParameterOf(template: string, segment: string): boolean {
  const [, before = '', name, after = ''] = /^(.*)\{(\w+)\}(.*)$/.exec(template) ?? [];
  if (name === undefined || segment.length <= before.length + after.length) return false;
  return segment.startsWith(before) && segment.endsWith(after);
}

/** The operation whose last parameter takes the rest of the path. */
function operationBelow(method: string, path: string): OperationId | undefined {
  const isAbove = (template: string) => path.startsWith(template.slice(0, template.indexOf('{')));
  return allOperations.find(([, one]) => one.hasRest && one.method === method && isAbove(one.path))?.[0];
}

/**
 * Returns one line about a part of a response that its operation did not declare; undefined if everything was declared. Checks the status,
 * the headers that the status requires, and the body: media type, code, schema without additional members, and that the entity tag is its
 * version. Without an operation, only the errors of an unknown path or method are declared. The line holds names and codes, never values of
 * the body.
 *
 * A response to `HEAD`, by `method`, has the headers of the response to `GET` and no body.
 */
export function undeclared(
  operationId: OperationId | undefined,
  status: number,
  headers: AnswerHeaders,
  bodyText: string,
  method: string = operationId === undefined ? 'GET' : operations[operationId].method,
): string | undefined {
  const operation: Operation | undefined = operationId && operations[operationId];
  const success = operation?.success[status];
  const error = errorsOf(operation).get(status);
  if (success === undefined && error === undefined) return `status ${status} is not declared`;

  const fault = headerFault(status, headers, success?.entityTag === true);
  if (fault !== undefined) return fault;
  if (method === 'HEAD') return bodyText === '' ? undefined : 'an answer to HEAD has a body';
  if (success !== undefined) return successFault(status, success, headers, bodyText);
  return error && errorFault(status, error, headers, bodyText);
}

/**
 * Returns a function that compares a value with a named schema of the description and returns the fault, or undefined, like a client's
 * validator, which knows only the description.
 */
export function describedFault({ components }: OpenApi, name: string): (value: unknown) => string | undefined {
  const validator = CompileJsonSchema({ components, $ref: `#/components/schemas/${name}` });
  return (value) => {
    if (validator.Check(value)) return undefined; // compiled, unlike the search for errors
    const [isValid, [error]] = validator.Errors(value);
    return isValid ? undefined : `${error?.instancePath || 'the root'} ${error?.message ?? 'is wrong'}`;
  };
}

function headerFault(status: number, headers: AnswerHeaders, hasEntityTag: boolean): string | undefined {
  if (headers['api-version'] !== '1') return 'API-Version: 1 is missing';
  const demanded = [...requiredHeaders(status), ...(hasEntityTag ? ['ETag'] : [])];
  const missing = demanded.find((name) => headers[name.toLowerCase()] === undefined);
  return missing && `status ${status} comes without ${missing}`;
}

function successFault(
  status: number,
  { schema, array, events, lines, mediaType, entityTag }: SuccessResponse,
  headers: AnswerHeaders,
  bodyText: string,
): string | undefined {
  if (events && mediaTypeOf(headers) === 'text/event-stream') return undefined;
  if (lines && mediaTypeOf(headers) === 'application/x-ndjson') return undefined;
  const expected = schema === undefined ? mediaType : 'application/json';
  if (expected === undefined) return bodyText === '' ? undefined : `status ${status} has a body, and none is declared`;
  const fault = mediaTypeFault(status, expected, headers, bodyText);
  if (fault !== undefined || expected !== 'application/json') return fault;
  const body = parsed(bodyText);
  if (body === undefined) return `the body of status ${status} is not JSON`;
  if (schema === undefined) return undefined;
  return schemaFault(status, schema, array === true, body) ?? (entityTag && entityTagFault(headers, body));
}

function errorFault(status: number, error: ErrorResponse, headers: AnswerHeaders, bodyText: string): string | undefined {
  if (bodyText === '') return error.empty ? undefined : `status ${status} has no body, and one is declared`;
  const isPage = error.page && mediaTypeOf(headers) === 'text/html';
  if (isPage) return undefined;
  const forms: readonly { name: ComponentName; member: string; codes: readonly string[] }[] = [
    { name: envelopeOf(error), member: 'error', codes: error.codes },
    { name: 'QuotaBody', member: 'code', codes: error.quotaCodes },
    { name: 'TokenErrorBody', member: 'error', codes: error.tokenCodes },
  ];
  const form = forms.find(({ codes }) => codes.length > 0);
  if (form === undefined) return `status ${status} has a body, and none is declared`;
  const fault = mediaTypeFault(status, 'application/json', headers, bodyText);
  if (fault !== undefined) return fault;
  const body = parsed(bodyText);
  const code = memberOf(body, form.member);
  const isDeclared = typeof code === 'string' && form.codes.includes(code);
  if (!isDeclared) return `code ${shown(code)} is not declared for status ${status}`;
  return schemaFault(status, form.name, false, body) ?? retryFault(code, headers);
}

function envelopeOf({ codes, flag }: ErrorResponse): ComponentName {
  if (flag) return 'FlagErrorBody';
  return codes.includes('version_conflict') ? 'ConflictBody' : 'ErrorBody';
}

/** Of the quotas, only the one that resets on a schedule says when to retry. @see docs/contract.md §10.2 */
function retryFault(code: string, headers: AnswerHeaders): string | undefined {
  if (!code.startsWith('QUOTA_')) return undefined;
  const isExpected = code === 'QUOTA_API_REQUESTS';
  const isSent = headers['retry-after'] !== undefined;
  return isExpected === isSent ? undefined : `${code} comes ${isSent ? 'with' : 'without'} Retry-After`;
}

function mediaTypeFault(status: number, expected: string, headers: AnswerHeaders, bodyText: string): string | undefined {
  if (bodyText === '') return `status ${status} has no body, and one is declared`;
  const actual = mediaTypeOf(headers);
  return actual === expected || expected === '*/*'
    ? undefined
    : `the body of status ${status} is ${actual ?? 'of no media type'}, not ${expected}`;
}

function mediaTypeOf(headers: AnswerHeaders): string | undefined {
  return (
    String(headers['content-type'] ?? '')
      .split(';')[0]
      ?.trim()
      .toLowerCase() || undefined
  );
}

const memberOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;

/** The entity tag of a record is its version, or the revision of a proposal, in quotes. @see docs/contract.md §4.2 */
function entityTagFault(headers: AnswerHeaders, body: unknown): string | undefined {
  const version = memberOf(body, 'version') ?? memberOf(body, 'revision');
  return headers.etag === `"${version}"` ? undefined : 'ETag does not name the version of the body';
}

function schemaFault(status: number, name: ComponentName, isArray: boolean, body: unknown): string | undefined {
  const validator = validatorOf(name, isArray);
  if (validator.Check(body)) return undefined; // compiled, unlike the search for errors
  const [error] = validator.Errors(body);
  if (error === undefined) return `the body of status ${status} is no ${name}`;
  const { instancePath, keyword, message } = error;
  const complaint = keyword === 'boolean' ? 'is not declared' : message;
  return `the body of status ${status} is no ${name}: ${instancePath || 'the root'} ${complaint}`;
}

const knownErrors = new Map<Operation | undefined, ReturnType<typeof errorResponses>>();

/** Lookups repeated for every response are cached. */
function errorsOf(operation: Operation | undefined): ReturnType<typeof errorResponses> {
  const known = knownErrors.get(operation) ?? errorResponses(operation);
  knownErrors.set(operation, known);
  return known;
}

const validators = new Map<string, ReturnType<typeof Compile>>();

function validatorOf(name: ComponentName, isArray: boolean): ReturnType<typeof Compile> {
  const key = isArray ? `${name}[]` : name;
  const cached = validators.get(key);
  if (cached !== undefined) return cached;
  const record = closed(plainSchema(components[name]));
  const validator = Compile(isArray ? { type: 'array', items: record } : record);
  validators.set(key, validator);
  return validator;
}

/** The schema with unnamed members forbidden, unless it says otherwise. */
function closed(schema: JsonSchema): JsonSchema {
  const mapped = mapParts(schema, closed);
  return mapped.properties ? { additionalProperties: false, ...mapped } : mapped;
}

/** The value of a JSON text; undefined, which no JSON text represents, if it is invalid. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A code for the line. A value that does not look like a code may be from the body, and is not shown. */
function shown(code: unknown): string {
  return typeof code === 'string' && /^[A-Za-z_]{1,40}$/.test(code) ? `"${code}"` : '(none)';
}
