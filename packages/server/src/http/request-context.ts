import type { IncomingMessage } from 'node:http';
import type { Principal } from '../access/principal.ts';
import type { Allowance } from '../limits/rate-limit.ts';
import type { Observed } from '../observe/observed.ts';
import type { PathParameters } from './path-parameters.ts';
import type { Incoming } from './read-body.ts';
import type { Route } from './router.ts';

/** One request and what is known of it while it passes the checks. */
export interface RequestContext extends Incoming, Observed {
  readonly request: IncomingMessage;
  /** Milliseconds. */
  readonly startedAt: number;
  route: Route | undefined;
  /** What is left of the limit that counted the request. */
  allowance: Allowance | undefined;
  principal: Principal | undefined;
  params: PathParameters | undefined;
  lookedUp: boolean;
}
