import type { IncomingMessage } from 'node:http';
import type { Owner } from '../common/fair-queue.ts';
import type { Limits } from '../limits/rate-limit.ts';
import type { Allowance } from '../limits/rate-windows.ts';
import type { CompletedRequest } from '../observe/completed-request.ts';
import type { Incoming } from './body.ts';
import { originOf } from './message.ts';
import type { Caller, CheckedRequest } from './operation-request.ts';
import type { Match, Route } from './router.ts';
import type { UnreadResponses } from './unread-responses.ts';

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
