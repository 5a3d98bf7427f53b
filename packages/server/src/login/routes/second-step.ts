/** Completing a sign-in with a second factor, and setting one up during sign-in. */
import type { PageId } from '@holdfast/contract';
import type { Parameters } from '../../common/requests/form-parameters.ts';
import { html } from '../../common/text/html.ts';
import type { HandlersOf } from '../../http/operation-request.ts';
import type { Reply } from '../../http/replies/reply.ts';
import type { PendingSignIn } from '../../identity/built-in/pending-sign-ins.ts';
import type { BuiltInLogin } from '../built-in-login.ts';
import { form as formOf, hidden, submit } from '../fields.ts';
import { recoveryPage, setUpPage } from '../pages/second-step.ts';
import { waiting } from '../refusal-texts.ts';
import { isComplete } from '../second-step.ts';
import type { LoginSession } from '../session/login-session.ts';
import { settingsTextsOf } from '../texts/account-settings.ts';

type SecondStepPageId = Extract<PageId, 'takeSecondStep' | 'setUpSecondStep'>;

/** Returns the routes of the second step. */
export function secondStepPages(login: BuiltInLogin): HandlersOf<SecondStepPageId> {
  return {
    takeSecondStep: login.take((session, form) => take(login, session, form)),
    setUpSecondStep: login.take((session, form) => setUp(login, session, form)),
  };
}

/** A code completes a sign-in once. Setting up an app also completes it, without another code. */
async function take(login: BuiltInLogin, session: LoginSession, form: Parameters): Promise<Reply> {
  const { provider, methods, secondStep } = login;
  const ticket = form.get('ticket') ?? '';
  const opened = secondStep.open(session, ticket);
  if (opened === undefined) return refuseLate(login, session);
  const { content: signedIn } = opened;
  if (isComplete(signedIn)) {
    return (await opened.spend()) ? methods.finish(session, signedIn) : refuseLate(login, session);
  }
  const code = form.get('code')?.trim() ?? '';
  const texts = settingsTextsOf(session.view.language);
  const again = (fault: string) => secondStep.ask(session, ticket, signedIn, { status: 422, faults: { code: fault } });
  if (code === '') return again(texts.codeMissing);
  const outcome = await provider.secondFactors.check(session.requester, signedIn.person.userId, code);
  if (outcome.kind === 'wrong') return again(texts.codeWrong);
  if (outcome.kind === 'throttled') return secondStep.ask(session, ticket, signedIn, waiting(session, outcome));
  if (!(await opened.spend())) return refuseLate(login, session);
  return methods.finish(session, withCode(signedIn));
}

/** What was proven, and a code of an app. @see RFC 8176 §2 */
const withCode = (signedIn: PendingSignIn): PendingSignIn => ({ ...signedIn, amr: [...signedIn.amr, 'otp', 'mfa'] });

async function setUp(login: BuiltInLogin, session: LoginSession, form: Parameters): Promise<Reply> {
  const { provider, secondStep } = login;
  const { directory, browser, view } = session;
  const ticket = form.get('ticket') ?? '';
  const opened = secondStep.open(session, ticket);
  if (opened === undefined || isComplete(opened.content)) return refuseLate(login, session);
  const { person } = opened.content;
  // A passkey that was created meanwhile must be used: the password alone must not add a second factor beside it.
  const isAsked = provider.passkeys.isUsable() && (await provider.passkeys.has(directory, person.userId));
  if (isAsked) return secondStep.ask(session, ticket, opened.content);
  const answer = { ticket: form.get('set_up') ?? '', code: form.get('code') ?? '' };
  const outcome = await provider.secondFactors.confirm(directory, browser, person, answer);
  const texts = settingsTextsOf(view.language);
  if (outcome.kind === 'expired') return refuseLate(login, session);
  if (outcome.kind === 'wrong_code') {
    const page = setUpPage(view, { ticket, setUp: outcome.setUp, faults: { code: texts.codeWrong } });
    return session.reply(page, { status: 422 });
  }
  if (!(await opened.spend())) return refuseLate(login, session);
  const next = formOf(
    view,
    '/authorize/second-step',
    html`${hidden('ticket', secondStep.wait(session, withCode(opened.content)))}${submit(texts.recoverySaved)}`,
  );
  return session.reply(recoveryPage(view, outcome.recoveryCodes, next));
}

function refuseLate({ methods }: BuiltInLogin, session: LoginSession): Promise<Reply> {
  return methods.refuse(session, 410, settingsTextsOf(session.view.language).stepLate);
}
