/** Responses of the description: successes as the table declares them, errors with the closed set of codes of each status. */
import { errorCodes, quotaCodes, tokenErrorCodes } from './errors.ts';
import { schemaReference } from './json-schema.ts';
import type { Content, HeaderObject, JsonSchema, Reference, ResponseObject } from './openapi-types.ts';
import type { Operation, SuccessResponse } from './operations.ts';
import { type ErrorResponse, errorResponses, requiredHeaders } from './responses.ts';

const text = { type: 'string' } as const;

/** Headers of responses, under their own names. */
export const sharedHeaders: Readonly<Record<string, HeaderObject>> = {
  'API-Version': {
    description: 'The version of the interface.',
    required: true,
    schema: { type: 'string', enum: ['1'] },
  },
  'X-Request-Id': {
    description: 'Names this request in the log of the service: the one that was sent, or a new one.',
    required: true,
    schema: text,
  },
  ETag: { description: 'The quoted version; the next `If-Match`.', required: true, schema: text },
  Location: { description: 'Where the browser goes next.', required: true, schema: text },
  'WWW-Authenticate': {
    description: '`Bearer`, with `error="invalid_token"` when a credential was presented and rejected.',
    required: true,
    schema: text,
  },
  'Retry-After': {
    description:
      'Seconds to wait. Sent with `rate_limited`, `service_unavailable` and `QUOTA_API_REQUESTS`, not with other quotas.',
    schema: { type: 'integer', minimum: 0 },
  },
};

const currentEntityTag: HeaderObject = {
  description: 'The quoted version that is stored, where there is one.',
  schema: text,
};

/** What an error without a body means; the table says where there is one. */
const emptyMeanings: Readonly<Record<number, string>> = {
  401: 'No credential, or none that is a valid API key. There is no body.',
  403: 'The API key belongs to another project. There is no body.',
};
const pageMeaning =
  'A page for the person who signs in: the client or its redirect URI is unknown, so there is no way back.';

/**
 * The responses of an operation, by status. A response that says nothing but one code is the same wherever it occurs: it
 * is put into `shared` under that code and referred to.
 */
export function responsesOf(
  operation: Operation,
  shared: Map<string, ResponseObject>,
): Record<string, ResponseObject | Reference> {
  const successes = Object.entries(operation.success).map(([status, success]) => [
    status,
    successResponse(Number(status), success),
  ]);
  const errors = [...errorResponses(operation)].map(([status, error]) => {
    const response = errorResponse(status, error);
    const [code, ...others] = [...error.codes, ...error.quotaCodes];
    const isShared = code !== undefined && others.length === 0 && !error.empty && !error.page;
    if (!isShared) return [String(status), response];
    shared.set(code, response);
    return [String(status), { $ref: `#/components/responses/${code}` }];
  });
  return Object.fromEntries([...successes, ...errors]);
}

function successResponse(status: number, success: SuccessResponse): ResponseObject {
  const { description, schema, array, mediaType = 'application/json', entityTag } = success;
  const reference = schema && schemaReference(schema);
  const named = reference && (array ? { type: 'array', items: reference } : reference);
  const unnamed = success.mediaType && { type: mediaType === 'application/json' ? 'object' : 'string' };
  const body = named ?? unnamed;
  return {
    description,
    headers: headersOf([...requiredHeaders(status), ...(entityTag ? ['ETag'] : [])]),
    ...(body && { content: { [mediaType]: { schema: body } } }),
  };
}

function errorResponse(status: number, error: ErrorResponse): ResponseObject {
  const names = [...requiredHeaders(status), ...(error.quotaCodes.length > 0 ? ['Retry-After'] : [])];
  const content = errorContent(error);
  return {
    description: errorDescription(status, error),
    headers: { ...headersOf(names), ...(error.codes.includes('version_conflict') && { ETag: currentEntityTag }) },
    ...(Object.keys(content).length > 0 && { content }),
  };
}

function errorDescription(status: number, error: ErrorResponse): string {
  const meanings = [
    ...error.codes.map((code) => [code, errorCodes[code].meaning] as const),
    ...error.quotaCodes.map((code) => [code, quotaCodes[code].meaning] as const),
    ...error.tokenCodes.map((code) => [code, tokenErrorCodes[code].meaning] as const),
  ];
  const others = [
    ...(error.empty ? [emptyMeanings[status] ?? 'There is no body.'] : []),
    ...(error.page ? [pageMeaning] : []),
  ];
  if (meanings.length === 1 && others.length === 0) return meanings.map(([, meaning]) => meaning).join();
  if (meanings.length === 0) return others.join(' ');
  return [...meanings.map(([code, meaning]) => `- \`${code}\`: ${meaning}`), ...others.map((other) => `- ${other}`)].join(
    '\n',
  );
}

function errorContent({ codes, quotaCodes, tokenCodes, page }: ErrorResponse): Content {
  const isConflict = codes.includes('version_conflict');
  const bodies: JsonSchema[] = [
    ...(codes.length > 0 ? [isConflict ? schemaReference('ConflictBody') : narrowed('ErrorBody', 'error', codes)] : []),
    ...(quotaCodes.length > 0 ? [narrowed('QuotaBody', 'code', quotaCodes)] : []),
    ...(tokenCodes.length > 0 ? [narrowed('TokenErrorBody', 'error', tokenCodes)] : []),
  ];
  const [body] = bodies;
  return {
    ...(body && { 'application/json': { schema: bodies.length === 1 ? body : { anyOf: bodies } } }),
    ...(page && { 'text/html': { schema: text } }),
  };
}

/** A record whose `member` is one of the codes. */
function narrowed(
  name: 'ErrorBody' | 'QuotaBody' | 'TokenErrorBody',
  member: 'error' | 'code',
  codes: readonly string[],
): JsonSchema {
  return { allOf: [schemaReference(name), { type: 'object', properties: { [member]: { type: 'string', enum: codes } } }] };
}

function headersOf(names: readonly string[]): Record<string, Reference> {
  const all = ['API-Version', 'X-Request-Id', ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
