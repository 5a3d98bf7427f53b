/**
 * The closed set of machine-readable codes of the error envelope, with the status of each and
 * its meaning. Clients branch on the code; the message is for people.
 *
 * @see docs/contract.md §11.3
 */
export const errorCodes = {
  validation_error: {
    status: 400,
    meaning: 'A path segment, query parameter, header or body breaks a rule. The message says which.',
  },
  patch_invalid: {
    status: 400,
    meaning: '`ops` is missing, empty or not a list of operations, or an operation removes the root.',
  },
  patch_unsupported_operation: { status: 400, meaning: 'An `op` is not exactly `add`, `remove` or `replace`.' },
  patch_invalid_path: { status: 400, meaning: 'A path does not begin with `/`, or holds a `~` that is not `~0` or `~1`.' },
  patch_missing_value: { status: 400, meaning: '`add` or `replace` without a `value` member; null is a value.' },
  patch_path_not_found: { status: 400, meaning: 'The target, or a member on the way to it, does not exist.' },
  patch_path_untraversable: { status: 400, meaning: 'The path leads through a string, number, boolean or null.' },
  patch_invalid_array_index: {
    status: 400,
    meaning: 'An array index is not a plain decimal number, or is out of range for its operation.',
  },
  patch_invalid_state_root: { status: 400, meaning: 'The document root is not an object.' },
  patch_state_too_large: { status: 400, meaning: 'The patched state would exceed 256,000 characters.' },
  flag_error: {
    status: 400,
    meaning: 'The flag, or the document with the flags, cannot be evaluated. `errorCode` says why.',
  },
  unauthorized: {
    status: 401,
    meaning: 'There is no credential, or it was rejected. See `WWW-Authenticate`.',
  },
  forbidden: { status: 403, meaning: 'The credential is valid, but does not allow access to this resource.' },
  sign_in_again: {
    status: 403,
    meaning: 'This needs a sign-in within the last ten minutes; for a guest, a token issued within that time.',
  },
  approval_required: {
    status: 403,
    meaning: 'The project requires approval of this change by other people. Propose it, or wait for approvals.',
  },
  not_found: { status: 404, meaning: 'The path, account, project or record does not exist.' },
  method_not_allowed: { status: 405, meaning: 'The path exists, but does not have this method. See `Allow`.' },
  request_timeout: { status: 408, meaning: 'The request did not arrive in time.' },
  already_exists: { status: 409, meaning: 'A record with this identifier already exists.' },
  outside_issuer: {
    status: 409,
    meaning: 'An outside identity provider signs people in, and decides what they must prove.',
  },
  last_owner: { status: 409, meaning: 'The account must have an owner. Make another member an owner first.' },
  player_blocked: {
    status: 409,
    meaning:
      "The player is blocked in a project of the account: the player's sign-in methods cannot change until the block ends.",
  },
  nothing_to_merge: {
    status: 409,
    meaning:
      'The guest has no save in any project of the account: there is nothing to merge, and the guest does not change.',
  },
  already_delivered: { status: 409, meaning: 'The delivery was successful: there is nothing to retry.' },
  base_gone: {
    status: 409,
    meaning:
      'The version on which the proposal is based is no longer kept, or does not exist yet. Propose the change again.',
  },
  merge_conflict: {
    status: 409,
    meaning: 'The proposal changes values that have changed since. `conflicts` has JSON Pointers to them.',
  },
  proposal_ended: { status: 409, meaning: 'The proposal was applied or withdrawn, or has failed.' },
  limit_reached: { status: 409, meaning: 'The limit on these is reached. Remove one first.' },
  upgrade_unfinished: {
    status: 409,
    meaning:
      'Nodes of an older version may still run, and would not enforce this. The operator must finish the upgrade first.',
  },
  version_conflict: { status: 412, meaning: 'The precondition failed: the stored version is different.' },
  payload_too_large: { status: 413, meaning: 'The request body exceeds the request-size limit.' },
  unsupported_media_type: { status: 415, meaning: 'The body does not have the media type that this operation accepts.' },
  expectation_failed: { status: 417, meaning: 'The `Expect` header is not `100-continue`.' },
  idempotency_key_reused: {
    status: 422,
    meaning: 'The `Idempotency-Key` was sent before, with another body or precondition.',
  },
  rate_limited: { status: 429, meaning: 'Too many requests within a minute. See `Retry-After`.' },
  headers_too_large: { status: 431, meaning: 'The request line and headers exceed 16 KiB.' },
  internal_error: {
    status: 500,
    meaning: 'An error in the service. Its log has a line with the request id.',
  },
  service_unavailable: {
    status: 503,
    meaning: 'Storage is unavailable, or the service is overloaded. Repeat the request unchanged after `Retry-After`.',
  },
} as const satisfies Record<string, { status: number; meaning: string }>;

export type ErrorCode = keyof typeof errorCodes;

/** The status of a code. */
export function statusOf(code: ErrorCode): number {
  return errorCodes[code].status;
}

/** Codes of OpenFeature, sent as `errorCode` in addition to the envelope's code. @see docs/contract.md §5.5 */
export const flagErrorCodes = [
  'PARSE_ERROR',
  'TARGETING_KEY_MISSING',
  'INVALID_CONTEXT',
  'FLAG_NOT_FOUND',
  'GENERAL',
] as const;
export type FlagErrorCode = (typeof flagErrorCodes)[number];

/** Codes of a quota body, which has `code` instead of `error`. @see docs/contract.md §11.5 */
export const quotaCodes = {
  QUOTA_API_REQUESTS: {
    meaning:
      'The account has used its API requests of this month, or its publishable keys and guests have used their half. See `Retry-After`.',
  },
  QUOTA_PROJECTS: { meaning: 'The account has reached its limit on projects.' },
  QUOTA_END_USERS: { meaning: 'The account has reached its limit on end users.' },
  QUOTA_API_KEYS: { meaning: 'The project has reached its limit on API keys. Revoke one first.' },
  QUOTA_STORAGE: { meaning: 'The account has reached its limit on storage.' },
} as const;

export type QuotaCode = keyof typeof quotaCodes;

/** The `error_description` with which a blocked player is refused: `access_denied` at sign-in, `invalid_grant` at the token endpoint. */
export const playerBlocked = 'player_blocked';
