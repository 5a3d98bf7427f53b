/** One example for each code, with the message of the service: what a client gets, and often why. */
import type { ErrorCode, QuotaCode, TokenErrorCode } from './errors.ts';

/** A body, and what it is an example of, in a few words. */
export interface ErrorExample {
  readonly summary: string;
  readonly value: Readonly<Record<string, unknown>>;
}

const envelope = (error: ErrorCode, summary: string, message: string): ErrorExample => ({
  summary,
  value: { error, message },
});

/** Codes that have several examples have them under names of their own. */
export const errorExamples: Readonly<Record<ErrorCode, ErrorExample | Readonly<Record<string, ErrorExample>>>> = {
  validation_error: envelope(
    'validation_error',
    'A path segment, query parameter, header or body breaks a rule',
    'path segment env: "Production" is none of development, staging, production',
  ),
  patch_invalid: envelope('patch_invalid', 'The list of operations is empty', 'cannot read the patch: "ops" is empty'),
  patch_unsupported_operation: envelope(
    'patch_unsupported_operation',
    'Only add, remove and replace are taken',
    'cannot read operation 0: "op" is "move", not "add", "remove" or "replace"',
  ),
  patch_invalid_path: envelope(
    'patch_invalid_path',
    'A path is neither empty nor begins with a slash',
    'cannot read operation 0: "path" "theme" does not begin with "/"',
  ),
  patch_missing_value: envelope(
    'patch_missing_value',
    'add and replace need a value',
    'cannot read operation 0: "add" needs a "value"',
  ),
  patch_path_not_found: envelope(
    'patch_path_not_found',
    'A patch makes no missing parents',
    'cannot apply operation 0: "/features" has no member "search"',
  ),
  patch_path_untraversable: envelope(
    'patch_path_untraversable',
    'There is nothing below a string, number, boolean or null',
    'cannot apply operation 0: "/theme" is neither an object nor an array',
  ),
  patch_invalid_array_index: envelope(
    'patch_invalid_array_index',
    'An index lies beyond the end of the array',
    'cannot apply operation 1: index 7 is out of range, "/levels" has length 3',
  ),
  patch_invalid_state_root: envelope(
    'patch_invalid_state_root',
    'A document is an object',
    'cannot apply operation 0: the resulting root is not an object',
  ),
  patch_state_too_large: envelope(
    'patch_state_too_large',
    'The result would be too large',
    'the state would take 256001 characters; at most 256000 are stored',
  ),
  flag_error: {
    summary: 'A rule of the flag is none that flagd knows',
    value: {
      error: 'flag_error',
      message: 'the flag cannot be used: there is no operator "iff"',
      key: 'new-shop',
      errorCode: 'PARSE_ERROR',
      errorDetails: 'the flag cannot be used: there is no operator "iff"',
    },
  },
  unauthorized: {
    missing: envelope(
      'unauthorized',
      'There is no credential: `WWW-Authenticate: Bearer`',
      'this route needs a credential in the header Authorization',
    ),
    rejected: envelope(
      'unauthorized',
      'The credential was rejected: `WWW-Authenticate: Bearer error="invalid_token", …`',
      'the credential was rejected: the token expired',
    ),
  },
  forbidden: envelope('forbidden', 'The record belongs to somebody else', 'this account is not yours'),
  not_found: envelope('not_found', 'There is no such record', 'the account has no project "helo"'),
  method_not_allowed: envelope(
    'method_not_allowed',
    'The path does not take this method; `Allow` names those that it takes',
    'this path does not take POST',
  ),
  request_timeout: envelope('request_timeout', 'The body came too slowly', 'the body did not arrive within 30 s'),
  already_exists: envelope('already_exists', 'The identifier is taken', 'the project hello exists already'),
  upgrade_unfinished: envelope(
    'upgrade_unfinished',
    'Repeat it once the operator has finished the upgrade',
    'nodes of an older version may still run, which would not hold this',
  ),
  version_conflict: {
    stale: {
      summary: 'Somebody else wrote meanwhile: read again, apply the change, write with the new entity tag',
      value: {
        error: 'version_conflict',
        message: 'cannot write over version 2: the current version is 3',
        currentVersion: 3,
      },
    },
    exists: {
      summary: '`If-None-Match: *`, and there is a state already',
      value: { error: 'version_conflict', message: 'cannot create the state: the current version is 3', currentVersion: 3 },
    },
    absent: {
      summary: '`If-Match`, and there is no state: create it with `If-None-Match: *`',
      value: {
        error: 'version_conflict',
        message: 'cannot write over version 2: there is no state yet',
        currentVersion: null,
      },
    },
    overtaken: {
      summary: 'A repeated write that was carried out, and a newer version since',
      value: {
        error: 'version_conflict',
        message: 'this write was carried out before, as version 3: the current version is 5',
        currentVersion: 5,
        appliedVersion: 3,
      },
    },
    both: {
      summary: 'Both headers were sent',
      value: {
        error: 'version_conflict',
        message: 'If-Match and If-None-Match exclude each other; the current version is 3',
        currentVersion: 3,
      },
    },
  },
  idempotency_key_reused: envelope(
    'idempotency_key_reused',
    'The key belongs to another write',
    'this Idempotency-Key was sent with another body or precondition; take a new key for another write',
  ),
  payload_too_large: envelope('payload_too_large', 'The body is too large', 'the body exceeds 2097152 bytes'),
  unsupported_media_type: envelope(
    'unsupported_media_type',
    'The body is of another media type',
    'the body must be application/json in UTF-8',
  ),
  expectation_failed: envelope(
    'expectation_failed',
    'The header Expect asks for something else',
    'the only supported expectation is 100-continue',
  ),
  rate_limited: envelope(
    'rate_limited',
    'Too many requests within a minute; `Retry-After` says how long to wait',
    'more than 600 requests within a minute; wait 17 s',
  ),
  headers_too_large: envelope(
    'headers_too_large',
    'The headers are too large',
    'the request line and headers exceed 16384 bytes',
  ),
  internal_error: envelope(
    'internal_error',
    'A fault of the service',
    'the service failed; its log has the cause under the request id',
  ),
  service_unavailable: envelope(
    'service_unavailable',
    'Repeat the request unchanged after `Retry-After`',
    'storage is unavailable; repeat the request unchanged later',
  ),
};

export const quotaExamples: Readonly<Record<QuotaCode, ErrorExample>> = {
  QUOTA_API_REQUESTS: {
    summary: 'The requests of this month are used up; `Retry-After` says how long to wait',
    value: {
      code: 'QUOTA_API_REQUESTS',
      message: 'the account has used its 1000000 API requests of this month',
      limit: 1_000_000,
      used: 1_000_000,
      resetsAt: '2026-04-01T00:00:00.000Z',
    },
  },
  QUOTA_PROJECTS: {
    summary: 'The account holds as many projects as it may',
    value: {
      code: 'QUOTA_PROJECTS',
      message: 'cannot create the project: the account has 10 projects and may have 10',
      limit: 10,
      used: 10,
    },
  },
  QUOTA_END_USERS: {
    summary: 'The account holds as many end users as it may',
    value: {
      code: 'QUOTA_END_USERS',
      message: 'cannot store the state of a new end user: the account has 1000 end users and may have 1000',
      limit: 1_000,
      used: 1_000,
    },
  },
  QUOTA_API_KEYS: {
    summary: 'The project holds as many API keys as it may',
    value: {
      code: 'QUOTA_API_KEYS',
      message: 'cannot create the API key: the project has 1000 API keys and may have 1000; revoke one first',
      limit: 1_000,
      used: 1_000,
    },
  },
  QUOTA_STORAGE: {
    summary: 'The account stores as many bytes as it may',
    value: {
      code: 'QUOTA_STORAGE',
      message: 'cannot store the state: the account stores 10485760 bytes and may store 10485760',
      limit: 10_485_760,
      used: 10_485_760,
    },
  },
};

const tokenError = (error: TokenErrorCode | ErrorCode, summary: string, description: string): ErrorExample => ({
  summary,
  value: { error, error_description: description },
});

/** What every route can give, as the token endpoint says it. */
const transportOfTokenEndpoint = {
  expectation_failed: tokenError(
    'expectation_failed',
    'The header Expect asks for something else',
    'the only supported expectation is 100-continue',
  ),
  rate_limited: tokenError(
    'rate_limited',
    'Too many requests within a minute; `Retry-After` says how long to wait',
    'more than 120 requests within a minute; wait 17 s',
  ),
  internal_error: tokenError(
    'internal_error',
    'A fault of the service',
    'the service failed; its log has the cause under the request id',
  ),
  service_unavailable: tokenError(
    'service_unavailable',
    'Repeat the request unchanged after `Retry-After`',
    'storage is unavailable; repeat the request unchanged later',
  ),
};

/** `invalid_grant` travels with 401 when it is about the previous access token. @see docs/contract.md §7.5 */
export const tokenErrorExamples = (
  status: number,
): Readonly<Record<TokenErrorCode | keyof typeof transportOfTokenEndpoint, ErrorExample>> => ({
  ...transportOfTokenEndpoint,
  invalid_request: tokenError('invalid_request', 'A parameter is missing', 'client_id is missing'),
  invalid_client: tokenError('invalid_client', 'The client is unknown', 'the client is not known'),
  invalid_grant:
    status === 401
      ? tokenError(
          'invalid_grant',
          'The previous access token is of somebody else',
          'previous_access_token is not an access token of this end user',
        )
      : tokenError(
          'invalid_grant',
          'A refresh token works once',
          'the refresh token is unknown, expired, revoked or was used before',
        ),
  unsupported_grant_type: tokenError(
    'unsupported_grant_type',
    'There are two grant types',
    'grant_type is neither authorization_code nor refresh_token',
  ),
  invalid_scope: tokenError('invalid_scope', 'The scope is another one', 'another scope was granted'),
});
