/** Codes of the service. */
export type ServiceErrorCode =
  | 'validation_error'
  | 'patch_invalid'
  | 'patch_unsupported_operation'
  | 'patch_invalid_path'
  | 'patch_missing_value'
  | 'patch_path_not_found'
  | 'patch_path_untraversable'
  | 'patch_invalid_array_index'
  | 'patch_invalid_state_root'
  | 'patch_state_too_large'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'already_exists'
  | 'already_delivered'
  | 'outside_issuer'
  | 'last_owner'
  | 'limit_reached'
  | 'approval_required'
  | 'base_gone'
  | 'merge_conflict'
  | 'proposal_ended'
  | 'player_blocked'
  | 'nothing_to_merge'
  | 'sign_in_again'
  | 'upgrade_unfinished'
  | 'version_conflict'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'flag_error'
  | 'expectation_failed'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'headers_too_large'
  | 'internal_error'
  | 'service_unavailable';

/** Codes of exhausted account quotas. */
export type QuotaErrorCode =
  | 'QUOTA_API_REQUESTS'
  | 'QUOTA_PROJECTS'
  | 'QUOTA_END_USERS'
  | 'QUOTA_API_KEYS'
  | 'QUOTA_STORAGE';

/** Codes of the token endpoint, and `access_denied` from the login page. */
export type SignInErrorCode =
  | 'upgrade_unfinished'
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'use_nonce'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'forbidden'
  | 'access_denied';

type Code = ServiceErrorCode | QuotaErrorCode | SignInErrorCode;

/** All codes of responses. Other texts are not codes of this package. */
const codes: Readonly<Record<Code, true>> = {
  validation_error: true,
  patch_invalid: true,
  patch_unsupported_operation: true,
  patch_invalid_path: true,
  patch_missing_value: true,
  patch_path_not_found: true,
  patch_path_untraversable: true,
  patch_invalid_array_index: true,
  patch_invalid_state_root: true,
  patch_state_too_large: true,
  unauthorized: true,
  forbidden: true,
  not_found: true,
  method_not_allowed: true,
  request_timeout: true,
  already_exists: true,
  already_delivered: true,
  outside_issuer: true,
  last_owner: true,
  limit_reached: true,
  approval_required: true,
  base_gone: true,
  merge_conflict: true,
  proposal_ended: true,
  player_blocked: true,
  nothing_to_merge: true,
  sign_in_again: true,
  upgrade_unfinished: true,
  version_conflict: true,
  payload_too_large: true,
  unsupported_media_type: true,
  flag_error: true,
  expectation_failed: true,
  idempotency_key_reused: true,
  rate_limited: true,
  headers_too_large: true,
  internal_error: true,
  service_unavailable: true,
  QUOTA_API_REQUESTS: true,
  QUOTA_PROJECTS: true,
  QUOTA_END_USERS: true,
  QUOTA_API_KEYS: true,
  QUOTA_STORAGE: true,
  invalid_request: true,
  invalid_client: true,
  invalid_grant: true,
  unauthorized_client: true,
  use_nonce: true,
  unsupported_grant_type: true,
  invalid_scope: true,
  access_denied: true,
};

/** Whether a response can have a code. */
export const isCode = (code: string | undefined): code is Code => code !== undefined && Object.hasOwn(codes, code);
