import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ActsAs, Principal } from '../access/principal.ts';
import type { Owner } from '../common/threads/fair-queue.ts';
import type { Limits } from '../limits/limits.ts';
import type { Allowance } from '../limits/rate-limit.ts';
import type { CompletedRequest } from '../observe/completed-request.ts';
import type { Observers } from '../observe/observation.ts';
import type { Actor, ChangedBy } from '../storage/contract/audit.ts';
import type { Incoming } from './bodies/body.ts';
import { newRequestId, originOf, readRequestId } from './node/message.ts';
import type { CheckedRequest } from './operation-request.ts';
import type { Caller } from './replies/caller.ts';
import type { UnreadResponses } from './replies/unread-responses.ts';
import type { Match, Route } from './router.ts';

type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

/** One request and the results of its checks. Handlers receive it as the type that their operation declares. */
export interface RequestContext extends Writable<CheckedRequest>, Incoming, CompletedRequest {
  readonly request: IncomingMessage;
  readonly headers: IncomingMessage['headers'];
  /** Milliseconds. */
  readonly startedAt: number;
  /** Whether the request is admitted; otherwise it is refused. */
  isAdmitted: boolean;
  /** Whether its body is discarded on arrival, so its connection must end. */
  isBodyLost: boolean;
  /** The routes of its path. */
  match: Match | undefined;
  route: Route | undefined;
  /** The remainder of the limit that the request counts against. */
  allowance: Allowance | undefined;
  auditRequestId: string | undefined;
  /** The header `Authorization`, or its equivalent for a key in the query. */
  authorization: string | undefined;
  principal: CheckedRequest['principal'];
  /** `Authenticator.changes` at the time of the check. */
  checkedAt: number;
  params: CheckedRequest['params'];
  lookedUp: boolean;
}

/** Returns the context of a request that has just arrived. */
export function newContext(
  request: IncomingMessage,
  response: ServerResponse,
  awaitsContinue: boolean,
  observers: Pick<Observers, 'beginsTraces' | 'traceOf'>,
): RequestContext {
  const { headers } = request;
  const isTraced = headers.traceparent !== undefined || observers.beginsTraces;
  return {
    request,
    response,
    headers,
    requestId: readRequestId(headers['x-request-id']),
    startedAt: performance.now(),
    isAdmitted: true,
    isBodyLost: false,
    awaitsContinue,
    endsConnection: true, // until the message is known to be unambiguous
    heldBytes: undefined,
    match: undefined,
    route: undefined,
    query: '',
    allowance: undefined,
    authorization: undefined,
    principal: undefined,
    checkedAt: 0,
    lookedUp: false,
    params: undefined,
    isProtected: false,
    precondition: undefined,
    idempotencyKey: undefined,
    by: undefined,
    auditRequestId: undefined,
    body: undefined,
    bodyBytes: undefined,
    readForm: undefined,
    clientName: undefined,
    count: undefined,
    caller: undefined,
    trace: isTraced ? observers.traceOf(headers) : undefined,
  };
}

/** Returns the waiting client of an operation about changes. */
export function callerOf(
  { request, requestId, response, authorization }: RequestContext,
  { owner, limits, unread }: { owner: Owner; limits: Limits; unread: UnreadResponses },
): Caller {
  return {
    requestId,
    authorization,
    owner,
    network: () => limits.networkOf(originOf(request)),
    watch: (bytes) => unread.watch(response, owner.account, bytes),
    onGone: (listener) => {
      if (response.destroyed) listener();
      else response.once('close', listener);
    },
  };
}

/** The person signing in. The record names the member that the sign-in creates. */
const somebody = { kind: 'developer', id: '', name: null } as const;

/**
 * Returns a change's author for the audit trail. Its request id is made by the service, so clients cannot forge evidence about another
 * request. If the client sent an id too, the request's log line has both.
 */
function changedBy(context: RequestContext, nowMs: number): ChangedBy {
  const { requestId, headers, principal } = context;
  context.auditRequestId ??= headers['x-request-id'] === requestId ? newRequestId() : requestId;
  return { actor: principal === undefined ? somebody : actorOf(principal), requestId: context.auditRequestId, at: nowMs };
}

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
function actorOf(principal: Principal): Actor {
  switch (principal.kind) {
    case 'developer':
      return { kind: kinds[principal.actsAs], id: principal.memberId ?? principal.subject, name: principal.name };
    case 'api_key':
      return { kind: 'api_key', id: principal.keyId, name: principal.name };
    case 'end_user':
      return { kind: 'end_user', id: principal.userId, name: null };
  }
}
