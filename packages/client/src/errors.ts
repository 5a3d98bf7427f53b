/** Codes that the service sends. */
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

/** Codes of a quota of the account that is used up. */
export type QuotaErrorCode =
  | 'QUOTA_API_REQUESTS'
  | 'QUOTA_PROJECTS'
  | 'QUOTA_END_USERS'
  | 'QUOTA_API_KEYS'
  | 'QUOTA_STORAGE';

/** Codes of sign-in: those of the token endpoint, and `access_denied` from the login page. */
export type SignInErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'access_denied';

/** Codes that this package gives without a response of the service. */
export type ClientErrorCode =
  /** There was no response: the connection failed or was cut. */
  | 'network_error'
  /** There was no response in time. */
  | 'timeout'
  /** Nobody is signed in, or the sign-in has ended. */
  | 'signed_out'
  /** The window of the login page was closed before anybody had signed in. */
  | 'popup_closed'
  /** The document does not fit the schema, or cannot be written as JSON. */
  | 'invalid_state'
  /** A number that a double cannot hold would be written where its digits are not known. */
  | 'inexact_number'
  /** The response is not from this service. */
  | 'unexpected_response';

/** Every code of a {@link HoldfastError}. */
export type HoldfastErrorCode = ServiceErrorCode | QuotaErrorCode | SignInErrorCode | ClientErrorCode;

/** What is known about a failure, beside its code and message. */
export interface ErrorDetails {
  /** Status of the response; 0 when there was none. */
  readonly status?: number | undefined;
  /** Seconds after which the request can succeed, when the service said so. */
  readonly retryAfter?: number | undefined;
  /** The id of the request in the log of the service. */
  readonly requestId?: string | undefined;
  /** Of a `version_conflict`: the version that is stored, null when there is none. */
  readonly currentVersion?: number | null | undefined;
  /** Of a `version_conflict`: the version as which this same request was carried out before. */
  readonly appliedVersion?: number | undefined;
  readonly cause?: unknown;
}

/** Every failure of this package except an abort, which rejects with the reason of its signal, like `fetch`. */
export class HoldfastError extends Error {
  readonly code: HoldfastErrorCode;
  readonly status: number = 0;
  declare readonly retryAfter: number | undefined;
  declare readonly requestId: string | undefined;
  declare readonly currentVersion: number | null | undefined;
  declare readonly appliedVersion: number | undefined;

  constructor(code: HoldfastErrorCode, message: string, details?: ErrorDetails) {
    super(message);
    this.name = 'HoldfastError';
    this.code = code;
    Object.assign(this, details);
  }
}

/** The failures as one union, told apart by `code`. */
export type AnyHoldfastError =
  | (HoldfastError & { readonly code: 'version_conflict'; readonly currentVersion: number | null })
  | (HoldfastError & { readonly code: Exclude<HoldfastErrorCode, 'version_conflict'> });

/** Whether something that was caught is a failure of this package, and one with this code where a code is given. */
export function isHoldfastError<Code extends HoldfastErrorCode = HoldfastErrorCode>(
  caught: unknown,
  code?: Code,
): caught is AnyHoldfastError & { readonly code: Code } {
  return caught instanceof HoldfastError && (code === undefined || caught.code === code);
}

/** A response with its body. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The failure in a response. */
export function errorOf({ status, headers, text }: Received): HoldfastError {
  let body: Record<string, unknown> = {};
  try {
    body = JSON.parse(text);
  } catch {
    // Some refusals have no body, and a proxy may respond with a page.
  }
  const { error, code = error ?? codeOf(status), message, error_description, currentVersion, appliedVersion } = body;
  return new HoldfastError(
    code as HoldfastErrorCode,
    String(message ?? error_description ?? `refused with status ${status}`),
    {
      status,
      retryAfter: Number(headers.get('Retry-After')) || undefined,
      requestId: headers.get('X-Request-Id') ?? undefined,
      currentVersion: currentVersion as number | null | undefined,
      appliedVersion: appliedVersion as number | undefined,
    },
  );
}

/** Code of a response that has no body of the service. */
function codeOf(status: number): HoldfastErrorCode {
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  return status > 500 ? 'service_unavailable' : 'unexpected_response';
}
