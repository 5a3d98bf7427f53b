/** Signing in with a passkey, and storing one. */
import type { PageId } from '@holdfast/contract';
import type { Parameters } from '../../common/requests/form-parameters.ts';
import type { HandlersOf } from '../../http/operation-request.ts';
import type { Reply } from '../../http/replies/reply.ts';
import { isOfAnyProgram } from '../../oauth/redirect-match.ts';
import type { BuiltInLogin } from '../built-in-login.ts';
import { textsOf } from '../language.ts';
import { continuePage } from '../pages/continue.ts';
import { answerIn } from '../passkey-answer.ts';
import { callbackFields } from '../return-to-client.ts';
import type { LoginSession } from '../session/login-session.ts';
import { refuseMethod } from '../sign-in-methods.ts';

type PasskeyPageId = Extract<PageId, 'signInWithPasskey' | 'registerPasskey'>;

/** Returns the routes for responses of passkeys. */
export function passkeyPages(login: BuiltInLogin): HandlersOf<PasskeyPageId> {
  const { methods, take } = login;
  return {
    signInWithPasskey: take((session, form) =>
      methods.hasPassword(session) ? signIn(login, session, form) : refuseMethod(methods, session),
    ),
    registerPasskey: take((session, form) => register(login, session, form)),
  };
}

/** A key, and the device has verified its user. @see RFC 8176 §2 */
const amrOfPasskey = ['pop', 'user', 'mfa'];

async function signIn(login: BuiltInLogin, session: LoginSession, form: Parameters): Promise<Reply> {
  const { provider, methods } = login;
  const { directory, browser, view } = session;
  const provenAt = login.now();
  const outcome = await provider.passkeys.signIn(directory, browser, answerIn(form));
  const texts = textsOf(view.language);
  switch (outcome.kind) {
    case 'signed_in':
      return methods.finish(session, { person: outcome.person, provider: 'password', amr: amrOfPasskey, provenAt });
    case 'expired':
      return methods.refuse(session, 410, texts.passkeyLate);
    case 'rejected':
      return methods.refuse(session, 422, texts.passkeyRejected);
  }
}

/** The sign-in continues whether or not a passkey was stored, with a new proof or the one on the page. */
async function register(login: BuiltInLogin, session: LoginSession, form: Parameters): Promise<Reply> {
  const { provider, methods } = login;
  const { directory, browser, view } = session;
  const outcome = await provider.passkeys.register(directory, browser, answerIn(form));
  if (outcome.kind === 'registered') {
    const { person, provenBefore } = outcome;
    return methods.finish(session, { person, provider: 'password', ...provenBefore, isPasskeyKept: true });
  }
  const fields = callbackFields(session, form.get('idp_id_token') ?? '');
  const isForAnyProgram = isOfAnyProgram(session.request);
  return session.reply(continuePage(view, { callback: login.callback(), fields, isForAnyProgram }));
}
