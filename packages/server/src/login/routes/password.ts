/** Sign-in and sign-up with email and password. */

import type { PageId } from '@holdfast/contract';
import type { Parameters } from '../../common/requests/form-parameters.ts';
import { plainDigits } from '../../common/text/typed-code.ts';
import type { HandlersOf } from '../../http/operation-request.ts';
import type { Reply } from '../../http/replies/reply.ts';
import { isCode } from '../../identity/built-in/codes.ts';
import type { Throttled } from '../../identity/built-in/directory.ts';
import type { Busy } from '../../identity/built-in/passwords/password-identity.ts';
import type { Fault } from '../../identity/built-in/passwords/password-rules.ts';
import type { Faults, Notice } from '../fields.ts';
import { duration, textsOf } from '../language.ts';
import { type ConfirmPage, confirmPage, type SignUpPage, signUpPage } from '../pages/sign-up.ts';
import type { RouteTools, ShowAgain } from '../route-tools.ts';
import type { LoginSession } from '../session/login-session.ts';
import {
  forgetPendingSignUp,
  type PendingSignUpCookie,
  pendingSignUpCookie,
  readPendingSignUp,
} from '../session/pending-sign-up.ts';
import { refuseMethod } from '../sign-in-methods.ts';

const busySeconds = 3;

type PasswordPageId = Extract<
  PageId,
  'signIn' | 'readSignUpPage' | 'signUp' | 'readConfirmPage' | 'confirmSignUp' | 'resendCode'
>;

/** Returns the pages of sign-in and sign-up. */
export function passwordPages(tools: RouteTools): HandlersOf<PasswordPageId> {
  const { methods, show, take } = tools;
  const forPasswords = (make: (session: LoginSession, form: Parameters) => Promise<Reply>, again?: ShowAgain) =>
    take((session, form) => (methods.hasPassword(session) ? make(session, form) : refuseMethod(methods, session)), again);
  const withCode: ShowAgain = (session, form, notice) => confirmAgain(tools, session, form, { status: 403, notice });
  return {
    signIn: forPasswords((session, form) => signIn(tools, session, form)),
    readSignUpPage: show((session) => showSignUp(tools, session)),
    signUp: forPasswords(
      (session, form) => signUp(tools, session, form),
      (session, form, notice) => showSignUp(tools, session, { email: form.get('email'), name: form.get('name'), notice }),
    ),
    readConfirmPage: show((session) => showConfirm(tools, session)),
    confirmSignUp: forPasswords((session, form) => confirm(tools, session, form), withCode),
    resendCode: forPasswords((session, form) => resend(tools, session, form), withCode),
  };
}

async function signIn({ provider, methods, context }: RouteTools, session: LoginSession, form: Parameters): Promise<Reply> {
  const texts = textsOf(session.view.language);
  const email = form.get('email')?.trim() ?? '';
  const password = form.get('password') ?? '';
  const faults = {
    ...(email === '' && { email: texts.email_missing }),
    ...(password === '' && { password: texts.password_missing }),
  };
  if (Object.keys(faults).length > 0) return methods.show(session, { status: 422, email, faults, isAnswer: true });
  const byPassword = { amr: ['pwd'], provenAt: context.now(), mayOfferPasskey: true };
  const outcome = await provider.passwords.signIn(session.visit, { email, password, returnQuery: session.query });
  switch (outcome.kind) {
    case 'signed_in': {
      const { person, deviceToken } = outcome;
      return methods.finish(session, { person, provider: 'password', ...byPassword, deviceToken });
    }
    case 'rejected':
      return methods.refuse(session, 422, texts.rejected, { email });
    case 'unconfirmed':
      return session.goTo(
        '/authorize/confirm',
        pendingSignUpCookie(context, session, { ...outcome, email, notice: 'unconfirmed' }),
      );
    default: {
      const { status, headers, notice } = waiting(session, outcome, true);
      return methods.show(session, { status, headers, notice, email, isAnswer: true });
    }
  }
}

/** `typed` is the content of a rejected form. */
async function showSignUp(
  { methods }: RouteTools,
  session: LoginSession,
  typed?: Pick<SignUpPage, 'email' | 'name' | 'notice'>,
): Promise<Reply> {
  if (!methods.hasPassword(session)) return refuseMethod(methods, session);
  if (!methods.canSignUp(session)) return refuseSignUp(methods, session);
  const email = session.parameters.get('login_hint')?.slice(0, 320);
  const page = { providers: await methods.providersOf(session), email, ...typed, isAnswer: typed !== undefined };
  return session.reply(signUpPage(session.view, page), { status: typed === undefined ? 200 : 403 });
}

/** Shows the form for the code again, with the state of its mail. */
async function confirmAgain(
  { provider }: RouteTools,
  session: LoginSession,
  form: Parameters,
  {
    status,
    headers,
    ...said
  }: Pick<ConfirmPage, 'notice' | 'faults'> & {
    readonly status: number;
    readonly headers?: readonly string[];
  },
): Promise<Reply> {
  const signUp = form.get('sign_up') ?? '';
  const mail = await provider.passwords.mailStatus(signUp, false);
  const page = confirmPage(session.view, { signUp, email: form.get('email'), mail, ...said, isAnswer: true });
  return session.reply(page, { status, ...(headers && { headers }) });
}

function refuseSignUp(methods: RouteTools['methods'], session: LoginSession): Promise<Reply> {
  return methods.refuse(session, 403, textsOf(session.view.language).signUpClosed);
}

async function signUp({ provider, methods, context }: RouteTools, session: LoginSession, form: Parameters): Promise<Reply> {
  if (!methods.canSignUp(session)) return refuseSignUp(methods, session);
  const { view } = session;
  const email = form.get('email')?.trim() ?? '';
  const name = form.get('name')?.trim() || null;
  const password = form.get('password') ?? '';
  const outcome = await provider.passwords.signUp(session.visit, { email, password, name, returnQuery: session.query });
  const page = { providers: await methods.providersOf(session), email, name: name ?? undefined, isAnswer: true };
  switch (outcome.kind) {
    case 'code_sent':
      return session.goTo('/authorize/confirm', pendingSignUpCookie(context, session, { ...outcome, email }));
    case 'invalid':
      return session.reply(signUpPage(view, { ...page, faults: faultTexts(session, outcome.faults) }), { status: 422 });
    default: {
      const { status, headers, notice } = waiting(session, outcome);
      return session.reply(signUpPage(view, { ...page, notice }), { status, headers });
    }
  }
}

async function showConfirm({ provider, context }: RouteTools, session: LoginSession): Promise<Reply> {
  const texts = textsOf(session.view.language);
  const found = readPendingSignUp(context, session);
  if (found === undefined) return session.goTo('/authorize/sign-up');
  const { signUp, email, notice } = found;
  const text = notice === undefined ? undefined : { unconfirmed: texts.unconfirmed, resent: texts.resent }[notice];
  const page = confirmPage(session.view, {
    signUp,
    email,
    mail: await provider.passwords.mailStatus(signUp, true),
    notice: text === undefined ? undefined : { isBad: false, text },
  });
  return session.reply(page);
}

async function confirm(tools: RouteTools, session: LoginSession, form: Parameters): Promise<Reply> {
  const { provider, methods, context } = tools;
  const { view } = session;
  const texts = textsOf(view.language);
  const signUp = form.get('sign_up') ?? '';
  const code = plainDigits(form.get('code') ?? '');
  const refuse = (fault: string) => confirmAgain(tools, session, form, { status: 422, faults: { code: fault } });
  if (!isCode(code)) return refuse(texts.code_malformed);
  const byPassword = { amr: ['pwd'], provenAt: context.now(), mayOfferPasskey: true };
  const outcome = await provider.passwords.confirm(session.visit, { signUp, code });
  switch (outcome.kind) {
    case 'signed_in': {
      const { person, deviceToken } = outcome;
      const headers = forgetPendingSignUp(context, session);
      return methods.finish(session, { person, provider: 'password', ...byPassword, isNew: true, deviceToken, headers });
    }
    case 'wrong_code':
      return refuse(texts.wrongCode(new Intl.NumberFormat(view.language).format(outcome.attemptsLeft)));
    case 'expired':
      return refuseExpired(methods, context, session, form.get('email'));
  }
}

async function resend(tools: RouteTools, session: LoginSession, form: Parameters): Promise<Reply> {
  const { provider, methods, context } = tools;
  const signUp = form.get('sign_up') ?? '';
  const email = form.get('email');
  const outcome = await provider.passwords.resendCode(session.visit, signUp, session.query);
  switch (outcome.kind) {
    case 'code_sent': {
      const next: PendingSignUpCookie = { signUp: outcome.signUp, email, notice: 'resent' };
      return session.goTo('/authorize/confirm', pendingSignUpCookie(context, session, next));
    }
    case 'expired':
      return refuseExpired(methods, context, session, email);
    default:
      return confirmAgain(tools, session, form, waiting(session, outcome));
  }
}

function refuseExpired(
  methods: RouteTools['methods'],
  context: RouteTools['context'],
  session: LoginSession,
  email: string | undefined,
): Promise<Reply> {
  return methods.refuse(session, 410, textsOf(session.view.language).codeExpired, {
    email,
    headers: forgetPendingSignUp(context, session),
  });
}

/** Returns a page's text about a wait. */
export function waiting({ view }: LoginSession, outcome: Throttled | Busy, hasOtherWays = false) {
  const texts = textsOf(view.language);
  const seconds = outcome.kind === 'busy' ? busySeconds : outcome.retryAfterSeconds;
  const throttled = texts.throttled(duration(view.language, seconds));
  const text = outcome.kind === 'busy' ? texts.busy : hasOtherWays ? `${throttled} ${texts.throttledWays}` : throttled;
  const notice: Notice = { isBad: true, text };
  return { status: outcome.kind === 'busy' ? 503 : 429, headers: ['Retry-After', String(seconds)], notice };
}

const fieldOf: Readonly<Record<Fault, 'email' | 'name' | 'password'>> = {
  email_malformed: 'email',
  email_deceptive: 'email',
  name_long: 'name',
  password_short: 'password',
  password_long: 'password',
  password_common: 'password',
};

/** Returns faults by field, in the order of the fields. */
export function faultTexts({ view }: LoginSession, faults: readonly Fault[]): Faults {
  const texts = textsOf(view.language);
  const order = Object.keys(fieldOf);
  const sorted = [...faults].sort((one, two) => order.indexOf(one) - order.indexOf(two));
  return Object.fromEntries(sorted.map((fault) => [fieldOf[fault], texts[fault]]));
}
