/** The id of a request, in its response, in the log and in the audit trail. @see docs/contract.md §2.1 */
import { randomBytes } from 'node:crypto';
import { requestIdCharactersMax } from '@holdfast/contract';
import { actorOf } from '../access/actor.ts';
import type { ChangedBy } from '../storage/contract/audit-store.ts';
import type { RequestContext } from './request-context.ts';

/** Distinguishes this process from all others that write to the same log. */
const processId = randomBytes(9).toString('base64url');
let requests = 0;

/** The request id that was sent, if it is of the right form, or a new one. */
export function readRequestId(sent: string | string[] | undefined): string {
  if (typeof sent === 'string' && sent.length <= requestIdCharactersMax && /^[\x21-\x7e]+$/.test(sent)) return sent;
  return newRequestId();
}

/** A request id that no client can choose. */
export const newRequestId = (): string => `${processId}-${(++requests).toString(36)}`;

/** The person signing in. The record names the member that the sign-in creates. */
const somebody = { kind: 'developer', id: '', name: null } as const;

/**
 * Returns the author of a change, for the audit trail. The service makes the request id in it, so clients cannot forge evidence about
 * another request. If the client sent an id, the log line of the request has both.
 */
export function changedBy(context: RequestContext, nowMs: number): ChangedBy {
  const { requestId, headers, principal } = context;
  context.auditRequestId ??= headers['x-request-id'] === requestId ? newRequestId() : requestId;
  return { actor: principal === undefined ? somebody : actorOf(principal), requestId: context.auditRequestId, at: nowMs };
}

/**
 * Returns a function that returns the author of a change. `now` is in milliseconds since the epoch. Among the variables of the pipeline,
 * the function would keep finished requests alive through collections, which costs a PUT 7 µs.
 */
export const changerOf = (context: RequestContext, now: () => number) => (): ChangedBy => changedBy(context, now());
