/** What the pages of the built-in provider use. */

import type { Awaitable } from '../common/async/awaitable.ts';
import { type Parameters, readParameters } from '../common/requests/form-parameters.ts';
import type { FormPageRequest, PageRequest } from '../http/operation-request.ts';
import type { Reply } from '../http/replies/reply.ts';
import type { Notice } from './fields.ts';
import { formFaultTexts, type Login } from './login.ts';
import type { BuiltIn } from './login-dependencies.ts';
import { createSecondStep, type SecondStep } from './second-step.ts';
import type { FormFault } from './session/browsers.ts';
import { isReply, type LoginSession } from './session/login-session.ts';
import { createSignInMethods, type SignInMethods } from './sign-in-methods.ts';

export interface BuiltInLogin extends Login {
  readonly provider: BuiltIn;
  readonly methods: SignInMethods;
  readonly secondStep: SecondStep;
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

/** Returns what the pages of this provider use. */
export function createBuiltInLogin(login: Login, provider: BuiltIn): BuiltInLogin {
  const secondStep = createSecondStep(provider);
  const methods = createSignInMethods(login, provider, secondStep);
  const showMethods: ShowAgain = (session, form, notice) =>
    methods.show(session, { status: 403, email: form.get('email'), notice, isAnswer: true });
  return {
    ...login,
    provider,
    methods,
    secondStep,
    show: (make) => async (request) => {
      login.requireServed(request);
      const session = await login.openSession(request);
      return isReply(session) ? session : make(session, request);
    },
    take: (make, again) => async (request) => {
      login.requireServed(request);
      const form = readParameters(await login.readForm(request));
      const fault = login.formFault(request, form);
      if (fault === 'elsewhere') return login.refuseForm(request, fault);
      const session = await login.openSession(request);
      if (isReply(session)) return session;
      return fault === undefined
        ? make(session, form, request)
        : (again ?? showMethods)(session, form, refusedNotice(session, fault));
    },
  };
}
