/** Resetting a forgotten password. */
import type { PageId } from '@holdfast/contract';
import { type Parameters, readParameters } from '../../common/requests/form-parameters.ts';
import { parseEmail } from '../../common/text/email-address.ts';
import type { FormPageRequest, HandlersOf, PageRequest } from '../../http/operation-request.ts';
import type { Reply } from '../../http/replies/reply.ts';
import { deviceSeconds } from '../../identity/built-in/device-token.ts';
import { type BuiltInLogin, refusedNotice } from '../built-in-login.ts';
import { languageFor, textsOf } from '../language.ts';
import type { Login } from '../login.ts';
import { forgotPage, forgotSentPage, resetDonePage, resetPage } from '../pages/reset.ts';
import { faultTexts, waiting } from '../refusal-texts.ts';
import { isReply, type LoginSession } from '../session/login-session.ts';
import { refuseMethod } from '../sign-in-methods.ts';

type ResetPageId = Extract<PageId, 'readForgotPage' | 'requestReset' | 'readResetPage' | 'resetPassword'>;

/** Returns the pages of a reset. */
export function resetPages(login: BuiltInLogin): HandlersOf<ResetPageId> {
  const { methods, show, take } = login;
  return {
    readForgotPage: show((session) =>
      methods.hasPassword(session)
        ? session.reply(forgotPage(session.view, { email: session.parameters.get('login_hint')?.slice(0, 320) }))
        : refuseMethod(methods, session),
    ),
    requestReset: take(
      (session, form) => requestReset(login, session, form),
      ({ view, reply }, form, notice) =>
        reply(forgotPage(view, { email: form.get('email'), notice, isAnswer: true }), { status: 403 }),
    ),
    readResetPage: (request) => readReset(login, request),
    resetPassword: (request) => resetPassword(login, request),
  };
}

async function requestReset({ provider, methods }: BuiltInLogin, session: LoginSession, form: Parameters): Promise<Reply> {
  if (!methods.hasPassword(session)) return refuseMethod(methods, session);
  const { view } = session;
  const texts = textsOf(view.language);
  const email = form.get('email')?.trim() ?? '';
  if (parseEmail(email) === undefined) {
    const faults = { email: email === '' ? texts.email_missing : texts.email_malformed };
    return session.reply(forgotPage(view, { email, faults, isAnswer: true }), { status: 422 });
  }
  const outcome = await provider.passwords.requestReset(session.requester, { email, returnQuery: session.query });
  if (outcome.kind === 'sent') return session.reply(forgotSentPage(view, email));
  const { status, headers, notice } = waiting(session, outcome);
  return session.reply(forgotPage(view, { email, notice, isAnswer: true }), { status, headers });
}

/** The token in the link determines the brand of the page and where sign-in continues. */
async function readReset(login: BuiltInLogin, request: PageRequest): Promise<Reply> {
  const { provider } = login;
  login.requireServed(request);
  const token = readParameters(request.query).get('token') ?? '';
  const reset = await provider.passwords.readReset(token);
  if (reset.kind === 'expired') return expired(login, request, '');
  const session = await login.openSession(request, reset.returnQuery);
  return isReply(session) ? session : session.reply(resetPage(session.view, { token, email: reset.email }));
}

async function resetPassword(login: BuiltInLogin, request: FormPageRequest): Promise<Reply> {
  const { provider } = login;
  login.requireServed(request);
  const form = readParameters(await login.readForm(request));
  const fault = login.formFault(request, form);
  if (fault === 'elsewhere') return login.refuseForm(request, fault);
  const token = form.get('token') ?? '';
  const reset = await provider.passwords.readReset(token);
  if (reset.kind === 'expired') return expired(login, request, request.query);
  const session = await login.openSession(request, reset.returnQuery);
  if (isReply(session)) return session;
  const { view } = session;
  const page = { token, email: reset.email, isAnswer: true };
  if (fault !== undefined) {
    return session.reply(resetPage(view, { ...page, notice: refusedNotice(session, fault) }), { status: 403 });
  }
  const outcome = await provider.passwords.resetPassword(session.requester, {
    token,
    password: form.get('password') ?? '',
  });
  switch (outcome.kind) {
    case 'changed':
      return session.reply(resetDonePage(view, outcome.isProtected), {
        headers: login.cookies.set('device', outcome.deviceToken, deviceSeconds),
      });
    case 'invalid':
      return session.reply(resetPage(view, { ...page, faults: faultTexts(session, outcome.faults) }), { status: 422 });
    case 'expired':
      return expired(login, request, reset.returnQuery);
    default: {
      const { status, headers, notice } = waiting(session, outcome);
      return session.reply(resetPage(view, { ...page, notice }), { status, headers });
    }
  }
}

/** `query` is where sign-in began, if still known. */
function expired(login: Login, request: PageRequest, query: string): Reply {
  const language = languageFor(readParameters(query), request.headers);
  const texts = textsOf(language);
  const text = query === '' ? texts.resetExpiredNameless : texts.resetExpired;
  return login.message(language, { title: texts.resetExpiredTitle, texts: [text] }, query, 410);
}
