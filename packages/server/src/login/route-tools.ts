/** What the routes of the built-in provider share. */

import type { Exchange, Handler } from '../http/exchange.ts';
import type { Reply } from '../http/reply.ts';
import { type Parameters, readParameters } from '../oauth/parameters.ts';
import type { LoginContext } from './login-context.ts';
import { isReply, type LoginSession } from './login-session.ts';
import type { BuiltIn } from './parts.ts';
import type { SignInMethods } from './sign-in-methods.ts';

export interface RouteTools {
  readonly context: LoginContext;
  readonly provider: BuiltIn;
  readonly methods: SignInMethods;
  /** Makes the handler of a page that a browser asks for. */
  show(make: (session: LoginSession, exchange: Exchange) => Promise<Reply> | Reply): Handler;
  /** Makes the handler of a form that a page sends. */
  take(make: (session: LoginSession, form: Parameters, exchange: Exchange) => Promise<Reply> | Reply): Handler;
}

/** Returns the tools of the routes of the built-in provider. */
export function createRouteTools(context: LoginContext, provider: BuiltIn, methods: SignInMethods): RouteTools {
  return {
    ...{ context, provider, methods },
    show: (make) => async (exchange) => {
      context.demandServed(exchange);
      const session = await context.openSession(exchange);
      return isReply(session) ? session : make(session, exchange);
    },
    take: (make) => async (exchange) => {
      context.demandServed(exchange);
      const form = readParameters(await exchange.readForm());
      const refusal = context.refuseForm(exchange, form, exchange.query);
      if (refusal !== undefined) return refusal;
      const session = await context.openSession(exchange);
      return isReply(session) ? session : make(session, form, exchange);
    },
  };
}
