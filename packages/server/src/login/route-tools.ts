/** What the routes of the built-in provider share. */

import type { Awaitable } from '../common/awaitable.ts';
import { type Parameters, readParameters } from '../common/form-parameters.ts';
import type { FormPageRequest, PageRequest } from '../http/operation-request.ts';
import type { Reply } from '../http/reply.ts';
import type { LoginContext } from './login-context.ts';
import type { BuiltIn, PlayerData } from './login-dependencies.ts';
import { isReply, type LoginSession } from './login-session.ts';
import type { SignInMethods } from './sign-in-methods.ts';

export interface RouteTools {
  readonly context: LoginContext;
  readonly provider: BuiltIn;
  readonly methods: SignInMethods;
  readonly playerData: PlayerData;
  /** Makes the handler of a page that a browser asks for. */
  show<Request extends PageRequest>(
    make: (session: LoginSession, request: Request) => Awaitable<Reply>,
  ): (request: Request) => Promise<Reply>;
  /** Makes the handler of a form that a page sends. */
  take<Request extends FormPageRequest>(
    make: (session: LoginSession, form: Parameters, request: Request) => Awaitable<Reply>,
  ): (request: Request) => Promise<Reply>;
}

/** Returns the tools of the routes of the built-in provider. */
export function createRouteTools(
  context: LoginContext,
  provider: BuiltIn,
  methods: SignInMethods,
  playerData: PlayerData,
): RouteTools {
  return {
    context,
    provider,
    methods,
    playerData,
    show: (make) => async (request) => {
      context.demandServed(request);
      const session = await context.openSession(request);
      return isReply(session) ? session : make(session, request);
    },
    take: (make) => async (request) => {
      context.demandServed(request);
      const form = readParameters(await context.readForm(request));
      const refusal = context.refuseForm(request, form, request.query);
      if (refusal !== undefined) return refusal;
      const session = await context.openSession(request);
      return isReply(session) ? session : make(session, form, request);
    },
  };
}
