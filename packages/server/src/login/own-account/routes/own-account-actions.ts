/** Changes on the page *Your sign-in*, by the action names in its forms. */
import { hasSecondFactor } from '../../../access/account-status.ts';
import { fileReply } from '../../page-reply.ts';
import { ownSetUpPage } from '../../pages/own-account.ts';
import { type Action, leavePage, personOf, stay, textsFor } from '../own-account-context.ts';
import { visitCookie } from '../own-account-visit.ts';
import { ownMethodActions } from './own-methods.ts';

/** Second factors are for developers. A form of another page is refused. */
const forDevelopers =
  (act: Action): Action =>
  (own, by) =>
    own.session.directory.kind === 'developers' ? act(own, by) : own.show({ status: 422 });

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
  // The code was from the app, so this browser has proven both.
  const { person, amr, provenAt } = visit.proven;
  const proven = { person, provenAt, amr: hasSecondFactor(amr) ? amr : [...amr, 'otp', 'mfa'] };
  const reply = own.showCodes(outcome.recoveryCodes);
  const cookie = visitCookie(tools.context, tools.provider, session, proven, visit.expiresAt);
  return { ...reply, headers: [...reply.headers, ...cookie] };
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

const deleteSignIn: Action = async (own, by) => {
  const { tools, form, visit } = own;
  const texts = textsFor(own);
  if (form.get('sure') !== 'yes') return own.say(texts.deleteUnsure, true);
  const outcome = await tools.provider.ownAccount.deleteDeveloper(by(), visit.user.userId);
  return outcome.kind === 'last_owner'
    ? own.say(texts.deleteLastOwner(outcome.accountName), true)
    : leavePage(own, texts.deletedTitle, texts.deleted);
};

/** Only players have data here. */
const exportData: Action = async (own) => {
  const { tools, session, visit } = own;
  const { client } = session.request;
  if (client.kind === 'developer') return own.show({ status: 422 });
  const pieces = await tools.playerData.export(client, visit.user.userId);
  return fileReply(`${client.slug}.json`, pieces);
};

/** Deletes the player's data in this project, and ends all sessions, in other projects too. */
const erase: Action = async (own, by) => {
  const { tools, session, form, visit } = own;
  const { client } = session.request;
  if (client.kind === 'developer') return own.show({ status: 422 });
  const texts = textsFor(own);
  if (form.get('sure') !== 'yes') return own.say(texts.deleteUnsure, true);
  await tools.playerData.erase(by(), client, visit.user.userId);
  await tools.provider.ownAccount.endSessions(session.directory, visit.user.userId);
  return leavePage(own, texts.erasedTitle, texts.erased(client.projectName));
};

const leave: Action = (own) => leavePage(own, textsFor(own).title, textsFor(own).left);

export const ownActions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ...ownMethodActions,
  ['begin-second-factor', forDevelopers(beginSecondFactor)],
  ['confirm-second-factor', forDevelopers(confirmSecondFactor)],
  ['renew-recovery-codes', forDevelopers(renewRecoveryCodes)],
  ['remove-second-factor', forDevelopers(removeSecondFactor)],
  ['end-session', endSession],
  ['end-sessions', endSessions],
  ['delete', forDevelopers(deleteSignIn)],
  ['export', exportData],
  ['erase', erase],
  ['leave', leave],
]);
