/** What can be changed on the page of one's own, by the names that its forms send. */
import type { Reply } from '../../http/reply.ts';
import { leavePage, type OwnContext, personOf } from '../own-account-context.ts';
import { visitCookie } from '../own-account-visit.ts';
import { ownSetUpPage } from '../pages/own-account.ts';
import { ownTextsOf } from '../texts/own.ts';

import { answerIn } from './passkey.ts';
import { faultTexts, waiting } from './password.ts';

type Action = (own: OwnContext) => Promise<Reply> | Reply;

const textsFor = ({ session }: OwnContext) => ownTextsOf(session.view.language);

/** Says that something ended everything, and lets this browser stay: it has just done so. */
function stay(own: OwnContext, changedAt: number, text: string): Promise<Reply> {
  const { tools, session, visit } = own;
  const { person, amr } = visit.proven;
  const headers = visitCookie(tools.context, tools.provider, session, { person, amr, provenAt: changedAt + 1 });
  return own.show({ notice: { isBad: false, text }, headers });
}

const changePassword: Action = async (own) => {
  const { tools, session, visit, form } = own;
  const outcome = await tools.provider.ownAccount.changePassword(session.visit, visit.user, form.get('password') ?? '');
  switch (outcome.kind) {
    case 'changed':
      return stay(own, outcome.changedAt, textsFor(own).passwordChanged);
    case 'invalid':
      return own.show({ faults: faultTexts(session, outcome.faults), status: 422 });
    case 'busy':
      return own.show(waiting(session, outcome));
    case 'gone':
      return session.goTo('/authorize');
  }
};

const addPasskey: Action = async (own) => {
  const { tools, session, form, visit } = own;
  const outcome = await tools.provider.passkeys.register(session.directory, session.browser, answerIn(form));
  const isTheirs = outcome.kind === 'registered' && outcome.person.userId === visit.user.userId;
  return isTheirs ? own.say(textsFor(own).passkeyAdded) : own.say(textsFor(own).passkeyFailed, true);
};

const removePasskey: Action = async (own) => {
  const { tools, session, form, visit } = own;
  const credentialId = form.get('credential') ?? '';
  const outcome = await tools.provider.ownAccount.removePasskey(session.directory, visit.user.userId, credentialId);
  return outcome === 'removed' ? own.say(textsFor(own).passkeyRemoved) : own.say(textsFor(own).gone, true);
};

const removeProvider: Action = async (own) => {
  const { tools, session, form, visit } = own;
  const link = {
    providerId: form.get('provider') ?? '',
    issuer: form.get('issuer') ?? '',
    subject: form.get('subject') ?? '',
  };
  const outcome = await tools.provider.ownAccount.removeLink(session.directory, visit.user.userId, link);
  const texts = textsFor(own);
  return own.say(
    { removed: texts.providerRemoved, absent: texts.gone, last_method: texts.lastMethod }[outcome],
    outcome !== 'removed',
  );
};

/** Second factors are for developers; a form of another page asks in vain. */
const forDevelopers =
  (act: Action): Action =>
  (own) =>
    own.session.directory.kind === 'developers' ? act(own) : own.show({ status: 422 });

const beginSecondFactor: Action = async ({ tools, session, visit }) => {
  const { directory, browser, view } = session;
  return session.reply(ownSetUpPage(view, await tools.provider.secondFactors.begin(directory, browser, personOf(visit))));
};

const confirmSecondFactor: Action = async (own) => {
  const { tools, session, form, visit } = own;
  const { directory, browser, view } = session;
  const answer = { ticket: form.get('set_up') ?? '', code: form.get('code') ?? '' };
  const outcome = await tools.provider.secondFactors.confirm(directory, browser, personOf(visit), answer);
  if (outcome.kind === 'expired') return own.say(textsFor(own).stepLate, true);
  if (outcome.kind === 'wrong_code') {
    return session.reply(ownSetUpPage(view, outcome.setUp, { code: textsFor(own).codeWrong }), { status: 422 });
  }
  // The code was that of the app: this browser has proven both.
  const { person, amr, provenAt } = visit.proven;
  const proven = { person, provenAt, amr: amr.includes('mfa') ? amr : [...amr, 'otp', 'mfa'] };
  const reply = own.showCodes(outcome.recoveryCodes);
  return { ...reply, headers: [...reply.headers, ...visitCookie(tools.context, tools.provider, session, proven)] };
};

const renewRecoveryCodes: Action = async (own) => {
  const { tools, session, visit } = own;
  const codes = await tools.provider.secondFactors.renewRecoveryCodes(session.directory, visit.user.userId);
  return codes === undefined ? own.say(textsFor(own).gone, true) : own.showCodes(codes);
};

const removeSecondFactor: Action = async (own) => {
  const { tools, session, visit } = own;
  const outcome = await tools.provider.secondFactors.remove(session.directory, visit.user.userId);
  return outcome === 'removed' ? own.say(textsFor(own).secondRemoved) : own.say(textsFor(own).gone, true);
};

const endSession: Action = async (own) => {
  const { tools, session, form, visit } = own;
  const { userId } = visit.user;
  const outcome = await tools.provider.ownAccount.endSession(session.directory, userId, form.get('session') ?? '');
  return outcome === 'ended' ? own.say(textsFor(own).ended) : own.say(textsFor(own).gone, true);
};

const endSessions: Action = async (own) => {
  const { tools, session, visit } = own;
  const outcome = await tools.provider.ownAccount.endSessions(session.directory, visit.user.userId);
  return outcome.kind === 'changed' ? stay(own, outcome.changedAt, textsFor(own).endedAll) : session.goTo('/authorize');
};

const deleteSignIn: Action = async (own) => {
  const { tools, form, visit } = own;
  const texts = textsFor(own);
  if (form.get('sure') !== 'yes') return own.say(texts.deleteUnsure, true);
  const outcome = await tools.provider.ownAccount.deleteDeveloper(visit.user.userId);
  return outcome.kind === 'last_owner'
    ? own.say(texts.deleteLastOwner(outcome.accountName), true)
    : leavePage(own, texts.deletedTitle, texts.deleted);
};

const leave: Action = (own) => leavePage(own, textsFor(own).title, textsFor(own).left);

export const ownActions: ReadonlyMap<string, Action> = new Map([
  ['change-password', changePassword],
  ['add-passkey', addPasskey],
  ['remove-passkey', removePasskey],
  ['remove-provider', removeProvider],
  ['begin-second-factor', forDevelopers(beginSecondFactor)],
  ['confirm-second-factor', forDevelopers(confirmSecondFactor)],
  ['renew-recovery-codes', forDevelopers(renewRecoveryCodes)],
  ['remove-second-factor', forDevelopers(removeSecondFactor)],
  ['end-session', endSession],
  ['end-sessions', endSessions],
  ['delete', forDevelopers(deleteSignIn)],
  ['leave', leave],
]);
