/** Changes on the page *Your sign-in*, by the action names in its forms. */
import { hasSecondFactor } from '../../access/rules/account-status.ts';
import { fileReply } from '../page-reply.ts';
import { settingsSetUpPage } from '../pages/account-settings.ts';
import { visitCookie } from '../session/visit-proof.ts';
import { methodActions } from './method-actions.ts';
import { type Action, leavePage, personOf, stay, textsFor } from './settings-visit.ts';

/** Second factors are for developers. A form of another page is refused. */
const forDevelopers =
  (act: Action): Action =>
  (visit, by) =>
    visit.session.directory.kind === 'developers' ? act(visit, by) : visit.show({ status: 422 });

const beginSecondFactor: Action = async (visit) => {
  const { login, session } = visit;
  const { directory, browser, view } = session;
  const setUp = await login.provider.secondFactors.begin(directory, browser, personOf(visit));
  return session.reply(settingsSetUpPage(view, setUp));
};

const confirmSecondFactor: Action = async (visit) => {
  const { login, session, form, proven, expiresAt } = visit;
  const { directory, browser, view } = session;
  const answer = { ticket: form.get('set_up') ?? '', code: form.get('code') ?? '' };
  const outcome = await login.provider.secondFactors.confirm(directory, browser, personOf(visit), answer);
  if (outcome.kind === 'expired') return visit.say(textsFor(visit).stepLate, true);
  if (outcome.kind === 'wrong_code') {
    return session.reply(settingsSetUpPage(view, outcome.setUp, { code: textsFor(visit).codeWrong }), { status: 422 });
  }
  // The code was from the app, so this browser has proven both.
  const { person, amr, provenAt } = proven;
  const provenNow = { person, provenAt, amr: hasSecondFactor(amr) ? amr : [...amr, 'otp', 'mfa'] };
  const reply = visit.showCodes(outcome.recoveryCodes);
  const cookie = visitCookie(login, session, provenNow, expiresAt);
  return { ...reply, headers: [...reply.headers, ...cookie] };
};

const renewRecoveryCodes: Action = async (visit) => {
  const { login, session, user } = visit;
  const codes = await login.provider.secondFactors.renewRecoveryCodes(session.directory, user.userId);
  return codes === undefined ? visit.say(textsFor(visit).gone, true) : visit.showCodes(codes);
};

const removeSecondFactor: Action = async (visit) => {
  const { login, session, user } = visit;
  const outcome = await login.provider.secondFactors.remove(session.directory, user.userId);
  return outcome === 'removed' ? visit.say(textsFor(visit).secondRemoved) : visit.say(textsFor(visit).gone, true);
};

const endSession: Action = async (visit) => {
  const { login, session, form, user } = visit;
  const { userId } = user;
  const outcome = await login.provider.accountSettings.endSession(session.directory, userId, form.get('session') ?? '');
  return outcome === 'ended' ? visit.say(textsFor(visit).ended) : visit.say(textsFor(visit).gone, true);
};

const endSessions: Action = async (visit) => {
  const { login, session, user } = visit;
  const outcome = await login.provider.accountSettings.endSessions(session.directory, user.userId);
  return outcome.kind === 'changed' ? stay(visit, outcome.changedAt, textsFor(visit).endedAll) : session.goTo('/authorize');
};

const deleteSignIn: Action = async (visit, by) => {
  const { login, form, user } = visit;
  const texts = textsFor(visit);
  if (form.get('sure') !== 'yes') return visit.say(texts.deleteUnsure, true);
  const outcome = await login.provider.accountSettings.deleteDeveloper(by(), user.userId);
  return outcome.kind === 'last_owner'
    ? visit.say(texts.deleteLastOwner(outcome.accountName), true)
    : leavePage(visit, texts.deletedTitle, texts.deleted);
};

/** Only players have data here. */
const exportData: Action = async (visit) => {
  const { login, session, user } = visit;
  const { client } = session.request;
  if (client.kind === 'developer') return visit.show({ status: 422 });
  const pieces = await login.playerData.export(client, user.userId);
  return fileReply(`${client.slug}.json`, pieces);
};

/** Deletes the player's data in this project, and ends all sessions, in other projects too. */
const erase: Action = async (visit, by) => {
  const { login, session, form, user } = visit;
  const { client } = session.request;
  if (client.kind === 'developer') return visit.show({ status: 422 });
  const texts = textsFor(visit);
  if (form.get('sure') !== 'yes') return visit.say(texts.deleteUnsure, true);
  await login.playerData.erase(by(), client, user.userId);
  await login.provider.accountSettings.endSessions(session.directory, user.userId);
  return leavePage(visit, texts.erasedTitle, texts.erased(client.projectName));
};

const leave: Action = (visit) => leavePage(visit, textsFor(visit).title, textsFor(visit).left);

export const settingsActions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ...methodActions,
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
