/** Shared by the routes of the built-in provider. */

import type { Awaitable } from '../common/async/awaitable.ts';
import { type Parameters, readParameters } from '../common/requests/form-parameters.ts';
import type { FormPageRequest, PageRequest } from '../http/operation-request.ts';
import type { Reply } from '../http/replies/reply.ts';
import type { Notice } from './fields.ts';
import { type FormFault, formFaultTexts, type LoginContext } from './login-context.ts';
import type { BuiltIn, PlayerData } from './login-dependencies.ts';
import { isReply, type LoginSession } from './session/login-session.ts';
import type { SignInMethods } from './sign-in-methods.ts';

export interface RouteTools {
  readonly context: LoginContext;
  readonly provider: BuiltIn;
  readonly methods: SignInMethods;
  readonly playerData: PlayerData;
  /** Makes the handler of a page request. */
  show<Request extends PageRequest>(
    make: (session: LoginSession, request: Request) => Awaitable<Reply>,
  ): (request: Request) => Promise<Reply>;
  /**
   * Makes the handler of a submitted form. `again` shows the page of a rejected form, with the typed values and a notice; without it, the
   * sign-in methods are shown.
   */
  take<Request extends FormPageRequest>(
    make: (session: LoginSession, form: Parameters, request: Request) => Awaitable<Reply>,
    again?: ShowAgain,
  ): (request: Request) => Promise<Reply>;
}

export type ShowAgain = (session: LoginSession, form: Parameters, notice: Notice) => Awaitable<Reply>;

/** Returns the notice above a rejected form. */
export function refusedNotice({ view }: LoginSession, fault: FormFault): Notice {
  const { title, text } = formFaultTexts(view.language, fault);
  return { isBad: true, text: `${title}. ${text}` };
}

/** Returns the tools of the routes of the built-in provider. */
export function createRouteTools(
  context: LoginContext,
  provider: BuiltIn,
  methods: SignInMethods,
  playerData: PlayerData,
): RouteTools {
  const showMethods: ShowAgain = (session, form, notice) =>
    methods.show(session, { status: 403, email: form.get('email'), notice, isAnswer: true });
  return {
    context,
    provider,
    methods,
    playerData,
    show: (make) => async (request) => {
      context.requireServed(request);
      const session = await context.openSession(request);
      return isReply(session) ? session : make(session, request);
    },
    take: (make, again) => async (request) => {
      context.requireServed(request);
      const form = readParameters(await context.readForm(request));
      const fault = context.formFault(request, form);
      if (fault === 'elsewhere') return context.refuseForm(request, fault);
      const session = await context.openSession(request);
      if (isReply(session)) return session;
      return fault === undefined
        ? make(session, form, request)
        : (again ?? showMethods)(session, form, refusedNotice(session, fault));
    },
  };
}
