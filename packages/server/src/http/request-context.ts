import type { IncomingMessage } from 'node:http';
import type { Allowance } from '../limits/rate-windows.ts';
import type { CompletedRequest } from '../observe/completed-request.ts';
import type { Incoming } from './body.ts';
import type { CheckedRequest } from './operation-request.ts';
import type { Match, Route } from './router.ts';

type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

/** One request, with what the checks have found out about it. Handlers get it typed as their operation declares. */
export interface RequestContext extends Writable<CheckedRequest>, Incoming, CompletedRequest {
  readonly request: IncomingMessage;
  readonly headers: IncomingMessage['headers'];
  /** Milliseconds. */
  readonly startedAt: number;
  /** Whether there is room for it; if not, it is refused. */
  isAdmitted: boolean;
  /** Whether its body is thrown away as it comes, so that its connection has to end. */
  isBodyLost: boolean;
  /** Where its path leads. */
  match: Match | undefined;
  route: Route | undefined;
  /** What is left of the limit that counted the request. */
  allowance: Allowance | undefined;
  auditRequestId: string | undefined;
  /** What the header `Authorization` holds, or would hold for a key in the query. */
  authorization: string | undefined;
  principal: CheckedRequest['principal'];
  /** How often access had changed (`Authenticator.changes`) when the request was checked. */
  checkedAt: number;
  params: CheckedRequest['params'];
  lookedUp: boolean;
}
