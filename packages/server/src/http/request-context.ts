import type { IncomingMessage } from 'node:http';
import type { Allowance } from '../limits/rate-windows.ts';
import type { CompletedRequest } from '../observe/completed-request.ts';
import type { Incoming } from './body.ts';
import type { CheckedRequest } from './operation-request.ts';
import type { Match, Route } from './router.ts';

type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

/** One request, with what the checks have found out about it. Handlers get it with the type that their operation declares. */
export interface RequestContext extends Writable<CheckedRequest>, Incoming, CompletedRequest {
  readonly request: IncomingMessage;
  readonly headers: IncomingMessage['headers'];
  /** Milliseconds. */
  readonly startedAt: number;
  /** Whether there is room for it; otherwise it is refused. */
  isAdmitted: boolean;
  /** Whether its body is thrown away as it comes, so that its connection must end. */
  isBodyLost: boolean;
  /** What its path matches. */
  match: Match | undefined;
  route: Route | undefined;
  /** What is left of the limit that counted the request. */
  allowance: Allowance | undefined;
  auditRequestId: string | undefined;
  /** The header `Authorization`, or its equivalent for a key in the query. */
  authorization: string | undefined;
  principal: CheckedRequest['principal'];
  /** `Authenticator.changes` when the request was checked. */
  checkedAt: number;
  params: CheckedRequest['params'];
  lookedUp: boolean;
}
