/** The request id, used in the response, the log and the audit trail. @see docs/contract.md §2.1 */

import { randomBytes } from 'node:crypto';
import { requestIdCharactersMax } from '@holdfast/contract';
import type { ActsAs, Principal } from '../access/principal.ts';
import type { Actor, ChangedBy } from '../storage/contract/audit.ts';
import type { RequestContext } from './request-context.ts';

/** Distinguishes this process from all others that write to the same log. */
const processId = randomBytes(9).toString('base64url');
let requests = 0;

/** The request id that the client sent, if well-formed, otherwise a new one. */
export function readRequestId(sent: string | string[] | undefined): string {
  if (typeof sent === 'string' && sent.length <= requestIdCharactersMax && /^[\x21-\x7e]+$/.test(sent)) return sent;
  return newRequestId();
}

/** A request id that clients cannot choose. */
export const newRequestId = (): string => `${processId}-${(++requests).toString(36)}`;

/** The person signing in. The record names the member that the sign-in creates. */
const somebody = { kind: 'developer', id: '', name: null } as const;

/**
 * Returns a change's author for the audit trail. Its request id is made by the service, so clients cannot forge evidence about another
 * request. If the client sent an id too, the request's log line has both.
 */
export function changedBy(context: RequestContext, nowMs: number): ChangedBy {
  const { requestId, headers, principal } = context;
  context.auditRequestId ??= headers['x-request-id'] === requestId ? newRequestId() : requestId;
  return { actor: principal === undefined ? somebody : actorOf(principal), requestId: context.auditRequestId, at: nowMs };
}

/** Whether the audit trail records the request: it records direct writes of state in protected environments only. */
export const isRecorded = ({ route, isProtected }: Pick<RequestContext, 'route' | 'isProtected'>): boolean =>
  route?.operation.audit !== undefined && (route.operation.audit !== 'state.write' || isProtected);

/**
 * Returns a function that returns a change's author. `now` returns milliseconds since the epoch. If the function were a closure of the
 * pipeline, it would keep finished requests alive through collections, which costs a PUT 7 µs.
 */
export const changerOf = (context: RequestContext, now: () => number) => (): ChangedBy => changedBy(context, now());

const kinds = { member: 'developer', operator: 'operator', service_account: 'service_account' } as const satisfies Record<
  ActsAs,
  Actor['kind']
>;

/** Returns how the audit trail names a principal. A member has the id that the list of members shows. */
export function actorOf(principal: Principal): Actor {
  switch (principal.kind) {
    case 'developer':
      return { kind: kinds[principal.actsAs], id: principal.memberId ?? principal.subject, name: principal.name };
    case 'api_key':
      return { kind: 'api_key', id: principal.keyId, name: principal.name };
    case 'end_user':
      return { kind: 'end_user', id: principal.userId, name: null };
  }
}
