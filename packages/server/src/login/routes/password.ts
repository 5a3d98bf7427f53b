/** Sign-in and sign-up with email and password. */

import type { PageId } from '@holdfast/contract';
import type { Parameters } from '../../common/requests/form-parameters.ts';
import { plainDigits } from '../../common/text/typed-code.ts';
import type { HandlersOf } from '../../http/operation-request.ts';
import type { Reply } from '../../http/replies/reply.ts';
import { isCode } from '../../identity/built-in/codes.ts';
import type { BuiltInLogin, ShowAgain } from '../built-in-login.ts';
import { textsOf } from '../language.ts';
import { type ConfirmPage, confirmPage, type SignUpPage, signUpPage } from '../pages/sign-up.ts';
import { faultTexts, waiting } from '../refusal-texts.ts';
import type { LoginSession } from '../session/login-session.ts';
import {
  forgetPendingSignUp,
  type PendingSignUpCookie,
  pendingSignUpCookie,
  readPendingSignUp,
} from '../session/pending-sign-up.ts';
import { refuseMethod, type SignInMethods } from '../sign-in-methods.ts';

type PasswordPageId = Extract<
  PageId,
  'signIn' | 'readSignUpPage' | 'signUp' | 'readConfirmPage' | 'confirmSignUp' | 'resendCode'
>;

/** Returns the pages of sign-in and sign-up. */
export function passwordPages(login: BuiltInLogin): HandlersOf<PasswordPageId> {
  const { methods, show, take } = login;
  const forPasswords = (make: (session: LoginSession, form: Parameters) => Promise<Reply>, again?: ShowAgain) =>
    take((session, form) => (methods.hasPassword(session) ? make(session, form) : refuseMethod(methods, session)), again);
  const withCode: ShowAgain = (session, form, notice) => confirmAgain(login, session, form, { status: 403, notice });
  return {
    signIn: forPasswords((session, form) => signIn(login, session, form)),
    readSignUpPage: show((session) => showSignUp(login, session)),
    signUp: forPasswords(
      (session, form) => signUp(login, session, form),
      (session, form, notice) => showSignUp(login, session, { email: form.get('email'), name: form.get('name'), notice }),
    ),
    readConfirmPage: show((session) => showConfirm(login, session)),
    confirmSignUp: forPasswords((session, form) => confirm(login, session, form), withCode),
    resendCode: forPasswords((session, form) => resend(login, session, form), withCode),
  };
}

async function signIn(login: BuiltInLogin, session: LoginSession, form: Parameters): Promise<Reply> {
  const { provider, methods } = login;
  const texts = textsOf(session.view.language);
  const email = form.get('email')?.trim() ?? '';
  const password = form.get('password') ?? '';
  const faults = {
    ...(email === '' && { email: texts.email_missing }),
    ...(password === '' && { password: texts.password_missing }),
  };
  if (Object.keys(faults).length > 0) return methods.show(session, { status: 422, email, faults, isAnswer: true });
  const byPassword = { amr: ['pwd'], provenAt: login.now(), mayOfferPasskey: true };
  const outcome = await provider.passwords.signIn(session.requester, { email, password, returnQuery: session.query });
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
        pendingSignUpCookie(login, session, { ...outcome, email, notice: 'unconfirmed' }),
      );
    default: {
      const { status, headers, notice } = waiting(session, outcome, true);
      return methods.show(session, { status, headers, notice, email, isAnswer: true });
    }
  }
}

/** `typed` is the content of a rejected form. */
async function showSignUp(
  { methods }: BuiltInLogin,
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
  { provider }: BuiltInLogin,
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

function refuseSignUp(methods: SignInMethods, session: LoginSession): Promise<Reply> {
  return methods.refuse(session, 403, textsOf(session.view.language).signUpClosed);
}

async function signUp(login: BuiltInLogin, session: LoginSession, form: Parameters): Promise<Reply> {
  const { provider, methods } = login;
  if (!methods.canSignUp(session)) return refuseSignUp(methods, session);
  const { view } = session;
  const email = form.get('email')?.trim() ?? '';
  const name = form.get('name')?.trim() || null;
  const password = form.get('password') ?? '';
  const outcome = await provider.passwords.signUp(session.requester, { email, password, name, returnQuery: session.query });
  const page = { providers: await methods.providersOf(session), email, name: name ?? undefined, isAnswer: true };
  switch (outcome.kind) {
    case 'code_sent':
      return session.goTo('/authorize/confirm', pendingSignUpCookie(login, session, { ...outcome, email }));
    case 'invalid':
      return session.reply(signUpPage(view, { ...page, faults: faultTexts(session, outcome.faults) }), { status: 422 });
    default: {
      const { status, headers, notice } = waiting(session, outcome);
      return session.reply(signUpPage(view, { ...page, notice }), { status, headers });
    }
  }
}

async function showConfirm(login: BuiltInLogin, session: LoginSession): Promise<Reply> {
  const { provider } = login;
  const texts = textsOf(session.view.language);
  const found = readPendingSignUp(login, session);
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

async function confirm(login: BuiltInLogin, session: LoginSession, form: Parameters): Promise<Reply> {
  const { provider, methods } = login;
  const { view } = session;
  const texts = textsOf(view.language);
  const signUp = form.get('sign_up') ?? '';
  const code = plainDigits(form.get('code') ?? '');
  const refuse = (fault: string) => confirmAgain(login, session, form, { status: 422, faults: { code: fault } });
  if (!isCode(code)) return refuse(texts.code_malformed);
  const byPassword = { amr: ['pwd'], provenAt: login.now(), mayOfferPasskey: true };
  const outcome = await provider.passwords.confirm(session.requester, { signUp, code });
  switch (outcome.kind) {
    case 'signed_in': {
      const { person, deviceToken } = outcome;
      const headers = forgetPendingSignUp(login, session);
      return methods.finish(session, { person, provider: 'password', ...byPassword, isNew: true, deviceToken, headers });
    }
    case 'wrong_code':
      return refuse(texts.wrongCode(new Intl.NumberFormat(view.language).format(outcome.attemptsLeft)));
    case 'expired':
      return refuseExpired(login, session, form.get('email'));
  }
}

async function resend(login: BuiltInLogin, session: LoginSession, form: Parameters): Promise<Reply> {
  const { provider } = login;
  const signUp = form.get('sign_up') ?? '';
  const email = form.get('email');
  const outcome = await provider.passwords.resendCode(session.requester, signUp, session.query);
  switch (outcome.kind) {
    case 'code_sent': {
      const next: PendingSignUpCookie = { signUp: outcome.signUp, email, notice: 'resent' };
      return session.goTo('/authorize/confirm', pendingSignUpCookie(login, session, next));
    }
    case 'expired':
      return refuseExpired(login, session, email);
    default:
      return confirmAgain(login, session, form, waiting(session, outcome));
  }
}

function refuseExpired(login: BuiltInLogin, session: LoginSession, email: string | undefined): Promise<Reply> {
  return login.methods.refuse(session, 410, textsOf(session.view.language).codeExpired, {
    email,
    headers: forgetPendingSignUp(login, session),
  });
}
