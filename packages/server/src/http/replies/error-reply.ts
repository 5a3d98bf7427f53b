/** Errors on the wire: the error envelope, token endpoint errors, the quota body, and refusals in these forms. */

import { type ErrorCode, type Operation, statusOf, storageRetryAfterSeconds } from '@holdfast/contract';
import { challengeHeader } from '../../common/requests/challenge.ts';
import type { Refusal } from '../../common/requests/refusal.ts';
import type { QuotaRefusal } from '../../limits/quota-refusal.ts';
import { neverKept } from './caching.ts';
import { type ErrorReply, emptyReply, jsonReply, type Reply } from './reply.ts';

export interface ErrorOptions {
  readonly headers?: readonly string[];
  /** Members in addition to the envelope's. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The error envelope, with the status of its code. @see docs/contract.md §11.1 */
export function errorReply(code: ErrorCode, message: string, { headers, details }: ErrorOptions = {}): ErrorReply {
  return errorBody(statusOf(code), code, { message, ...details }, headers);
}

/** Codes that map to `invalid_request` of RFC 6749. */
const invalidRequestCodes: ReadonlySet<ErrorCode> = new Set([
  'validation_error',
  'request_timeout',
  'payload_too_large',
  'unsupported_media_type',
]);

/** An error in the form of RFC 6749, for the token endpoint. @see docs/contract.md §11.6 */
export function tokenErrorReply(code: ErrorCode, message: string, { headers }: ErrorOptions = {}): ErrorReply {
  if (!invalidRequestCodes.has(code)) return errorBody(statusOf(code), code, { error_description: message }, headers);
  return errorBody(400, 'invalid_request', { error_description: message }, headers);
}

function errorBody(status: number, error: string, members: object, headers: readonly string[] = []): ErrorReply {
  return { ...jsonReply(status, { error, ...members }, [...neverKept, ...headers]), code: error };
}

/**
 * A refusal in its route's `form`, or an empty body if the operation declares one.
 *
 * @see docs/contract.md §3.3 and §11.2
 */
export function refusalReply(refusal: Refusal, operation: Operation | undefined, form: typeof errorReply): Reply {
  const { code, details } = refusal;
  const headers = [
    ...(refusal.challenge === undefined ? [] : ['WWW-Authenticate', challengeHeader(refusal.challenge)]),
    ...conflictHeaders(refusal),
    ...(refusal.retryAfterSeconds === undefined ? [] : ['Retry-After', String(refusal.retryAfterSeconds)]),
  ];
  const status = statusOf(code);
  if (refusal.emptyBody || (status === 401 && operation?.otherErrors?.[401] === 'empty')) {
    return { ...emptyReply(status, [...neverKept, ...headers]), code };
  }
  return form(code, refusal.message, { headers, ...(details && { details }) });
}

/** The quota body, which has `code` instead of `error`. @see docs/contract.md §11.5 */
export function quotaReply({ code, message, details }: QuotaRefusal): Reply {
  const { limit, used, resetsAt, retryAfterSeconds } = details;
  const reset = resetsAt === undefined ? {} : { resetsAt: new Date(resetsAt).toISOString() };
  const headers = retryAfterSeconds === undefined ? [] : ['Retry-After', String(retryAfterSeconds)];
  return { ...jsonReply(402, { code, message, limit, used, ...reset }, [...neverKept, ...headers]), code };
}

/** The reply while storage is unavailable. @see docs/contract.md §11.3 */
export function unavailableReply(form: typeof errorReply): Reply {
  return form('service_unavailable', 'storage is unavailable; repeat the request unchanged later', {
    headers: ['Retry-After', String(storageRetryAfterSeconds)],
  });
}

/** The current entity tag after a failed precondition, so that clients can retry without a read. */
function conflictHeaders({ code, details }: Refusal): readonly string[] {
  const version = code === 'version_conflict' ? details?.currentVersion : null;
  return typeof version === 'number' ? ['ETag', `"${version}"`] : [];
}
