import { isCode, type QuotaErrorCode, type ServiceErrorCode, type SignInErrorCode } from './codes.ts';

export type { QuotaErrorCode, ServiceErrorCode, SignInErrorCode } from './codes.ts';

/** Codes of this package for failures without a response of the service. */
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
  /** A waiting change was stored by another release of the application, and this one has no mutator for it. */
  | 'unknown_mutator'
  /** The storage is full, denied or damaged. */
  | 'storage_failed'
  /** The response is not from this service. */
  | 'unexpected_response';

/** All codes of {@link HoldfastError}. */
export type HoldfastErrorCode = ServiceErrorCode | QuotaErrorCode | SignInErrorCode | ClientErrorCode;

/** What is known about a failure, beside its code and message. */
export interface ErrorDetails {
  readonly status?: number | undefined;
  readonly retryAfter?: number | undefined;
  readonly requestId?: string | undefined;
  readonly currentVersion?: number | null | undefined;
  readonly appliedVersion?: number | undefined;
  readonly violations?: readonly Violation[] | undefined;
  readonly cause?: unknown;
}

/** Where a document breaks the service's schema or a rule of change. */
export interface Violation {
  /** A JSON Pointer. */
  readonly path: string;
  readonly keyword: string;
  readonly message: string;
}

/**
 * Every failure of this package, with two exceptions: an aborted call rejects with the reason of its signal, as `fetch` does, and
 * exceptions of your own function in `update` or a mutator pass unchanged.
 */
export class HoldfastError extends Error {
  readonly code: HoldfastErrorCode;
  /** Status of the response, if there was one. */
  readonly status: number = 0;
  /** Seconds after which a repeat can succeed. */
  declare readonly retryAfter: number | undefined;
  /** Id of the request in the service's log. */
  declare readonly requestId: string | undefined;
  /** Of a `version_conflict`: the stored version, or null. */
  declare readonly currentVersion: number | null | undefined;
  /** Of a `version_conflict`: the version as which this same request was carried out before. */
  declare readonly appliedVersion: number | undefined;
  /** Of a `validation_error` of a schema or rule of change. */
  declare readonly violations: readonly Violation[] | undefined;

  constructor(code: HoldfastErrorCode, message: string, details?: ErrorDetails) {
    super(message);
    this.name = 'HoldfastError';
    this.code = code;
    Object.assign(this, details);
  }
}

/** Fields of errors with certain codes only. */
interface Particular {
  readonly version_conflict: { readonly currentVersion: number | null };
  readonly validation_error: { readonly violations: readonly Violation[] | undefined };
  readonly network_error: { readonly status: 0 };
  readonly timeout: { readonly status: 0 };
}

/** All failures as one union: a `switch` over `code` narrows it, and TypeScript finds missing codes. */
export type AnyHoldfastError = {
  [Code in HoldfastErrorCode]: HoldfastError & { readonly code: Code } & (Code extends keyof Particular
      ? Particular[Code]
      : { readonly currentVersion?: undefined; readonly violations?: undefined });
}[HoldfastErrorCode];

/**
 * Whether a caught value is a failure of this package, with this code if given. It checks the error's name, since a program may load the
 * package both as a module and as CommonJS.
 */
export function isHoldfastError<Code extends HoldfastErrorCode = HoldfastErrorCode>(
  caught: unknown,
  code?: Code,
): caught is AnyHoldfastError & { readonly code: Code } {
  if (!(caught instanceof Error) || caught.name !== 'HoldfastError') return false;
  return code === undefined || ('code' in caught && caught.code === code);
}

/** Converts a failure to an error of this package, `network_error` by default. */
export function asHoldfastError(failure: unknown): AnyHoldfastError {
  if (isHoldfastError(failure)) return failure;
  return new HoldfastError('network_error', `${failure}`, { cause: failure }) as AnyHoldfastError;
}

/** A response with its body. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Whether it is from the cache because the service cannot be reached. */
  readonly isStale?: boolean;
}

const refusals: { add(failure: object): unknown; has(failure: unknown): boolean } = new WeakSet();

/** Whether the service refused. Proxies on the way refuse too, but that may soon end, and says nothing about the request. */
export const isRefusal = (failure: unknown): boolean => refusals.has(failure);

/** The error in a response. */
export function errorOf({ status, headers, text }: Received): HoldfastError {
  const body = objectIn(text);
  const { message, error_description, currentVersion, appliedVersion, violations } = body ?? {};
  const given = textOf(body?.code) ?? textOf(body?.error);
  const isFromService = headers.has('API-Version') && (text === '' || given !== undefined);
  const code = isCode(given) ? given : codeOf(status, isFromService || text === '');
  const said = textOf(message) ?? textOf(error_description) ?? `refused with status ${status}`;
  const failure = new HoldfastError(code, code === given || given === undefined ? said : `${said} (${given})`, {
    status,
    retryAfter: secondsIn(headers.get('Retry-After')),
    requestId: headers.get('X-Request-Id') ?? undefined,
    currentVersion: currentVersion === null ? null : numberOf(currentVersion),
    appliedVersion: numberOf(appliedVersion),
    violations: Array.isArray(violations) ? violations : undefined,
  });
  if (isFromService) refusals.add(failure);
  return failure;
}

/** The error reported by the login page. */
export function signInErrorOf(code: string, description: string | null): HoldfastError {
  return new HoldfastError(isCode(code) ? code : 'access_denied', description ?? `sign-in failed: ${code}`);
}

/** Parses an object; undefined for anything else. Some refusals have no body, and a proxy may respond with a page. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** The seconds of a `Retry-After`, which is a number or a date. @see RFC 9110 §10.2.3 */
function secondsIn(value: string | null): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const seconds = Math.ceil((Date.parse(value) - Date.now()) / 1_000);
  return /^[A-Z][a-z]{2}/.test(value) && seconds >= 0 ? seconds : undefined;
}

/** The code of a response without a known code. */
function codeOf(status: number, isFromService: boolean): HoldfastErrorCode {
  if (status === 429) return 'rate_limited';
  if (status > 500) return 'service_unavailable';
  const code = isFromService && codesByStatus[status];
  return code || 'unexpected_response';
}

const codesByStatus: Readonly<Record<number, ServiceErrorCode>> = {
  400: 'validation_error',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
};
