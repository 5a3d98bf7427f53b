import { actorOf } from '../access/actor.ts';
import type { ChangedBy } from '../storage/audit-store.ts';
import { newRequestId } from './message.ts';
import type { RequestContext } from './request-context.ts';

/** Somebody who signs in. The record names the member that this makes. */
const somebody = { kind: 'developer', id: '', name: null } as const;

/**
 * Returns who changes something, for the audit trail. The id of the request is one that the service has made, so that no client writes
 * evidence about another request; where the client has sent one, the line of the request in the log has both.
 */
export function changedBy(context: RequestContext, nowMs: number): ChangedBy {
  const { requestId, headers, principal } = context;
  context.auditRequestId ??= headers['x-request-id'] === requestId ? newRequestId() : requestId;
  return { actor: principal === undefined ? somebody : actorOf(principal), requestId: context.auditRequestId, at: nowMs };
}

/**
 * Returns what says who changes something. `now` is in milliseconds since the epoch. Made among the variables of the pipeline, it would
 * make requests that are over survive collections, which costs a PUT 7 µs.
 */
export const changerOf = (context: RequestContext, now: () => number) => (): ChangedBy => changedBy(context, now());
