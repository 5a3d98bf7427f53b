/** Signing in and up with email and password. */
import type { PageId } from '@holdfast/contract';
import { deviceSeconds } from '../../identity/built-in/device-token.ts';
import type { Throttled } from '../../identity/built-in/directory.ts';
import type { Busy, Fault } from '../../identity/built-in/passwords.ts';
import type { Faults, Notice } from '../../login/fields.ts';
import { duration, textsOf } from '../../login/language.ts';
import { confirmPage, signUpPage } from '../../login/pages/sign-up.ts';
import type { Parameters } from '../../oauth/parameters.ts';
import type { Handler } from '../exchange.ts';
import type { Reply } from '../reply.ts';
import type { Pages } from './login-pages.ts';
import { readWaiting, type WaitingSignUp, waitingSignUp } from './login-sign-up.ts';
import type { Visitor } from './login-visit.ts';
import { refuseWay } from './login-ways.ts';

const busySeconds = 3;

type PasswordPageId = Extract<
  PageId,
  'signIn' | 'readSignUpPage' | 'signUp' | 'readConfirmPage' | 'confirmSignUp' | 'resendCode'
>;

/** Returns the pages of sign-in and sign-up. */
export function passwordPages(pages: Pages): Readonly<Record<PasswordPageId, Handler>> {
  const { ways, show, take } = pages;
  const forPasswords = (make: (visitor: Visitor, form: Parameters) => Promise<Reply>) =>
    take((visitor, form) => (ways.hasPassword(visitor) ? make(visitor, form) : refuseWay(ways, visitor)));
  return {
    signIn: forPasswords((visitor, form) => signIn(pages, visitor, form)),
    readSignUpPage: show((visitor) => showSignUp(pages, visitor)),
    signUp: forPasswords((visitor, form) => signUp(pages, visitor, form)),
    readConfirmPage: show((visitor) => showConfirm(pages, visitor)),
    confirmSignUp: forPasswords((visitor, form) => confirm(pages, visitor, form)),
    resendCode: forPasswords((visitor, form) => resend(pages, visitor, form)),
  };
}

async function signIn({ provider, ways, reception }: Pages, visitor: Visitor, form: Parameters): Promise<Reply> {
  const texts = textsOf(visitor.view.language);
  const email = form.get('email')?.trim() ?? '';
  const password = form.get('password') ?? '';
  const faults = {
    ...(email === '' && { email: texts.email_missing }),
    ...(password === '' && { password: texts.password_missing }),
  };
  if (Object.keys(faults).length > 0) return ways.show(visitor, { status: 422, email, faults, isAnswer: true });
  const outcome = await provider.passwords.signIn(visitor.visit, { email, password, returnQuery: visitor.query });
  switch (outcome.kind) {
    case 'signed_in': {
      const headers = reception.cookies.set('device', outcome.deviceToken, deviceSeconds);
      return ways.finish(visitor, { person: outcome.person, provider: 'password', mayOfferPasskey: true, headers });
    }
    case 'rejected':
      return ways.refuse(visitor, 422, texts.rejected, { email });
    case 'unconfirmed':
      return visitor.goTo('/authorize/confirm', waitingSignUp(reception, { ...outcome, email, notice: 'unconfirmed' }));
    default: {
      const { status, headers, notice } = waiting(visitor, outcome, true);
      return ways.show(visitor, { status, headers, notice, email, isAnswer: true });
    }
  }
}

function showSignUp({ ways }: Pages, visitor: Visitor): Reply | Promise<Reply> {
  if (!ways.hasPassword(visitor)) return refuseWay(ways, visitor);
  if (!ways.canSignUp(visitor)) return refuseSignUp(ways, visitor);
  return visitor.reply(signUpPage(visitor.view, { email: visitor.parameters.get('login_hint')?.slice(0, 320) }));
}

function refuseSignUp(ways: Pages['ways'], visitor: Visitor): Promise<Reply> {
  return ways.refuse(visitor, 403, textsOf(visitor.view.language).signUpClosed);
}

async function signUp({ provider, ways, reception }: Pages, visitor: Visitor, form: Parameters): Promise<Reply> {
  if (!ways.canSignUp(visitor)) return refuseSignUp(ways, visitor);
  const { view } = visitor;
  const email = form.get('email')?.trim() ?? '';
  const name = form.get('name')?.trim() || null;
  const password = form.get('password') ?? '';
  const outcome = await provider.passwords.signUp(visitor.visit, { email, password, name, returnQuery: visitor.query });
  const page = { email, name: name ?? undefined, isAnswer: true };
  switch (outcome.kind) {
    case 'code_sent':
      return visitor.goTo('/authorize/confirm', waitingSignUp(reception, { ...outcome, email }));
    case 'invalid':
      return visitor.reply(signUpPage(view, { ...page, faults: faultTexts(visitor, outcome.faults) }), { status: 422 });
    default: {
      const { status, headers, notice } = waiting(visitor, outcome);
      return visitor.reply(signUpPage(view, { ...page, notice }), { status, headers });
    }
  }
}

function showConfirm({ reception }: Pages, visitor: Visitor): Reply {
  const texts = textsOf(visitor.view.language);
  const found = readWaiting(reception, visitor.headers);
  if (found === undefined) return visitor.goTo('/authorize/sign-up');
  const { signUp, email, notice } = found;
  const text = notice === undefined ? undefined : { unconfirmed: texts.unconfirmed, resent: texts.resent }[notice];
  const page = confirmPage(visitor.view, {
    signUp,
    email,
    notice: text === undefined ? undefined : { isBad: false, text },
  });
  return visitor.reply(page);
}

async function confirm({ provider, ways, reception }: Pages, visitor: Visitor, form: Parameters): Promise<Reply> {
  const { view } = visitor;
  const texts = textsOf(view.language);
  const signUp = form.get('sign_up') ?? '';
  const code = (form.get('code') ?? '').replace(/[\s-]/g, '');
  const page = { signUp, email: form.get('email'), isAnswer: true };
  const refuse = (fault: string) => visitor.reply(confirmPage(view, { ...page, faults: { code: fault } }), { status: 422 });
  if (!/^[0-9]{6}$/.test(code)) return refuse(texts.code_malformed);
  const outcome = await provider.passwords.confirm(visitor.visit, { signUp, code });
  switch (outcome.kind) {
    case 'signed_in': {
      const { person, deviceToken } = outcome;
      const headers = [
        ...reception.cookies.set('device', deviceToken, deviceSeconds),
        ...reception.cookies.clear('sign_up'),
      ];
      return ways.finish(visitor, { person, provider: 'password', mayOfferPasskey: true, headers });
    }
    case 'wrong_code':
      return refuse(texts.wrongCode(new Intl.NumberFormat(view.language).format(outcome.attemptsLeft)));
    case 'expired':
      return refuseExpired(ways, reception, visitor, form.get('email'));
    default: {
      const { status, headers, notice } = waiting(visitor, outcome);
      return visitor.reply(confirmPage(view, { ...page, notice }), { status, headers });
    }
  }
}

async function resend({ provider, ways, reception }: Pages, visitor: Visitor, form: Parameters): Promise<Reply> {
  const signUp = form.get('sign_up') ?? '';
  const email = form.get('email');
  const outcome = await provider.passwords.resendCode(visitor.visit, signUp, visitor.query);
  switch (outcome.kind) {
    case 'code_sent': {
      const next: WaitingSignUp = { signUp: outcome.signUp, email, notice: 'resent' };
      return visitor.goTo('/authorize/confirm', waitingSignUp(reception, next));
    }
    case 'expired':
      return refuseExpired(ways, reception, visitor, email);
    default: {
      const { status, headers, notice } = waiting(visitor, outcome);
      return visitor.reply(confirmPage(visitor.view, { signUp, email, notice, isAnswer: true }), { status, headers });
    }
  }
}

function refuseExpired(
  ways: Pages['ways'],
  { cookies }: Pages['reception'],
  visitor: Visitor,
  email: string | undefined,
): Promise<Reply> {
  return ways.refuse(visitor, 410, textsOf(visitor.view.language).codeExpired, {
    email,
    headers: cookies.clear('sign_up'),
  });
}

/** Returns what a page says while somebody has to wait. */
export function waiting({ view }: Visitor, outcome: Throttled | Busy, hasOtherWays = false) {
  const texts = textsOf(view.language);
  const seconds = outcome.kind === 'busy' ? busySeconds : outcome.retryAfterSeconds;
  const throttled = texts.throttled(duration(view.language, seconds));
  const text = outcome.kind === 'busy' ? texts.busy : hasOtherWays ? `${throttled} ${texts.throttledWays}` : throttled;
  const notice: Notice = { isBad: true, text };
  return { status: outcome.kind === 'busy' ? 503 : 429, headers: ['Retry-After', String(seconds)], notice };
}

const fieldOf: Readonly<Record<Fault, 'email' | 'name' | 'password'>> = {
  email_malformed: 'email',
  name_long: 'name',
  password_short: 'password',
  password_long: 'password',
  password_common: 'password',
};

/** Returns faults by the field that has them, in the order of the fields. */
export function faultTexts({ view }: Visitor, faults: readonly Fault[]): Faults {
  const texts = textsOf(view.language);
  const order = Object.keys(fieldOf);
  const sorted = [...faults].sort((one, two) => order.indexOf(one) - order.indexOf(two));
  return Object.fromEntries(sorted.map((fault) => [fieldOf[fault], texts[fault]]));
}
