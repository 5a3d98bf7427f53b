/** Responses of the description: successes as declared in the table, errors with the closed set of codes of each status. */
import { type ErrorResponse, errorResponses, requiredHeaders } from './error-responses.ts';
import { errorCodes, quotaCodes } from './errors.ts';
import { schemaReference } from './json-schema.ts';
import { errorBody } from './openapi-errors.ts';
import type { Content, HeaderObject, JsonSchema, Reference, ResponseObject } from './openapi-types.ts';
import type { Operation, SuccessResponse } from './operations.ts';
import { tokenErrorCodes } from './token-errors.ts';

const text = { type: 'string' } as const;

/** Response headers, by name. */
export const sharedHeaders: Readonly<Record<string, HeaderObject>> = {
  'API-Version': {
    description: 'The version of the interface.',
    required: true,
    schema: { type: 'string', enum: ['1'] },
  },
  'X-Request-Id': {
    description: 'The id of this request in the log of the service: the one sent, or a new one.',
    required: true,
    schema: text,
  },
  ETag: { description: 'The quoted version; the next `If-Match`.', required: true, schema: text },
  Location: { description: 'The next address for the browser.', required: true, schema: text },
  'WWW-Authenticate': {
    description: '`Bearer`, with `error="invalid_token"` when a credential was presented and rejected.',
    required: true,
    schema: text,
  },
  Allow: { description: 'The methods that the path supports.', required: true, schema: text },
  'Retry-After': {
    description:
      'Seconds to wait. Sent with `rate_limited`, `service_unavailable` and `QUOTA_API_REQUESTS`, but not with other quotas.',
    schema: { type: 'integer', minimum: 0 },
  },
  RateLimit: {
    description:
      'The remainder of the limit on requests per minute: `"minute";r=598;t=42` means 598 requests left, and a full limit again in 42 seconds. Not sent if the request is not counted.',
    schema: text,
  },
  'RateLimit-Policy': {
    description: 'The limit on requests per minute: `"minute";q=600;w=60`. Not sent if the request is not counted.',
    schema: text,
  },
  'Auth-Nonce': {
    description: 'The `nonce` for the next guest assertion; valid for 5 minutes.',
    required: true,
    schema: text,
  },
  'Cache-Control': {
    description:
      'Who may cache the response, and for how long. State may be cached only by its reader, and must be revalidated each time.',
    schema: text,
  },
  Vary: { description: 'Request headers that the response depends on.', schema: text },
};

/** Headers that are sent only where they apply. */
const sometimes = ['RateLimit', 'RateLimit-Policy', 'Cache-Control', 'Vary'] as const;

/** Statuses of requests refused before they were counted or their credential was checked. */
const early: ReadonlySet<number> = new Set([405, 417, 431]);

const currentEntityTag: HeaderObject = {
  description: 'The quoted stored version, if any.',
  schema: text,
};

/** The token and the revocation endpoint have the same errors. */
const nonceOfTokenEndpoint: HeaderObject = {
  description:
    'The `nonce` for the next guest assertion; valid for 5 minutes. Always sent by the token endpoint, never by others.',
  schema: text,
};

/** The meaning of an error without a body, unless the table describes it. */
const emptyMeanings: Readonly<Record<number, string>> = {
  401: 'No valid API key. There is no body.',
  403: 'The API key belongs to another project. There is no body.',
};
const pageMeaning =
  'An error page for the user: the client or its redirect URI is unknown, so the browser cannot return to the client.';

/** Receives named responses and schemas. */
export interface Shared {
  readonly responses: Map<string, ResponseObject>;
  readonly schemas: Map<string, JsonSchema>;
}

/** 405 belongs to the path, whichever operation was intended. */
const methodNotAllowed: ErrorResponse = {
  codes: ['method_not_allowed'],
  quotaCodes: [],
  tokenCodes: [],
  empty: false,
  page: false,
  flag: false,
};

/**
 * Returns the responses of an operation, by status. Errors for programs are the same in all operations: they are added to `shared` and
 * referenced.
 */
export function responsesOf(operation: Operation, shared: Shared): Record<string, ResponseObject | Reference> {
  const successes = Object.entries(operation.success).map(([status, success]) => [
    status,
    successResponse(Number(status), success),
  ]);
  const all = new Map([...errorResponses(operation), [405, methodNotAllowed] as const]);
  const errors = [...all].map(([status, error]) => [String(status), errorResponse(status, error, shared)]);
  return Object.fromEntries([...successes, ...errors, ['default', otherError(shared)]]);
}

function successResponse(status: number, success: SuccessResponse): ResponseObject {
  const { description, schema, array, events, lines, mediaType = 'application/json', entityTag, nonce } = success;
  const reference = schema && schemaReference(schema);
  const named = reference && (array ? { type: 'array', items: reference } : reference);
  const unnamed = success.mediaType && { type: mediaType === 'application/json' ? 'object' : 'string' };
  const body = named ?? unnamed;
  return {
    description,
    headers: headersOf([
      ...requiredHeaders(status),
      ...(entityTag ? ['ETag'] : []),
      ...(nonce ? ['Auth-Nonce'] : []),
      ...sometimes,
    ]),
    ...(body && {
      content: {
        [mediaType]: { schema: body },
        ...(events && { 'text/event-stream': { schema: text } }),
        ...(lines && { 'application/x-ndjson': { schema: text } }),
      },
    }),
  };
}

function errorResponse(status: number, error: ErrorResponse, shared: Shared): ResponseObject | Reference {
  const names = [
    ...requiredHeaders(status),
    ...(error.quotaCodes.includes('QUOTA_API_REQUESTS') ? ['Retry-After'] : []),
    ...(early.has(status) ? [] : sometimes),
  ];
  const body = errorBody(status, error);
  const response = {
    description: errorDescription(status, error),
    headers: {
      ...headersOf(names),
      ...(error.tokenCodes.length > 0 && { 'Auth-Nonce': nonceOfTokenEndpoint }),
      ...(error.codes.includes('version_conflict') && { ETag: currentEntityTag }),
    },
  };
  // A program cannot rely on a body that may be missing.
  if (body === undefined || error.empty) return response;
  shared.schemas.set(body.schemaName, body.schema);
  const json = { schema: { $ref: `#/components/schemas/${body.schemaName}` }, examples: body.examples };
  const content: Content = { 'application/json': json, ...(error.page && { 'text/html': { schema: text } }) };
  if (error.page) return { ...response, content };
  shared.responses.set(body.name, { ...response, content });
  return { $ref: `#/components/responses/${body.name}` };
}

/** Errors that no operation declares. */
function otherError({ responses }: Shared): Reference {
  responses.set('OtherError', {
    description:
      'An error not described here: from a later version of the service, or from a proxy in front of it. Check `Content-Type` before parsing.',
    headers: headersOf([]),
    content: { 'application/json': { schema: schemaReference('ErrorBody') } },
  });
  return { $ref: '#/components/responses/OtherError' };
}

function errorDescription(status: number, error: ErrorResponse): string {
  const meanings = [
    ...error.codes.map((code) => [code, errorCodes[code].meaning] as const),
    ...error.quotaCodes.map((code) => [code, quotaCodes[code].meaning] as const),
    ...error.tokenCodes.map((code) => [code, { ...errorCodes, ...tokenErrorCodes }[code].meaning] as const),
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

function headersOf(names: readonly string[]): Record<string, Reference> {
  const all = ['API-Version', 'X-Request-Id', ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
