/** Adding and removing ways to sign in on the page *Your sign-in*. */

import { plainDigits } from '../../common/text/typed-code.ts';
import { isCode } from '../../identity/built-in/codes.ts';
import type { Page } from '../document.ts';
import { textsOf } from '../language.ts';
import { type PasswordCodePage, passwordCodePage, toProviderPage } from '../pages/account-settings-methods.ts';
import { answerIn } from '../passkey-answer.ts';
import { faultTexts, waiting } from '../refusal-texts.ts';
import { flowCookies } from '../session/provider-flow.ts';
import { readVisit } from '../session/visit-proof.ts';
import { type Action, type SettingsVisit, stay, textsFor, visitOf } from './settings-visit.ts';

const changePassword: Action = async (visit) => {
  const { login, session, form, user } = visit;
  const { hasPassword } = await login.provider.accountSettings.read(session.directory, user.userId);
  const outcome = await login.provider.accountSettings.changePassword(session.requester, user, form.get('password') ?? '');
  const texts = textsFor(visit);
  switch (outcome.kind) {
    case 'changed':
      return stay(visit, outcome.changedAt, hasPassword ? texts.passwordChanged : texts.passwordSet);
    case 'invalid':
      return visit.show({ faults: faultTexts(session, outcome.faults), status: 422 });
    case 'busy':
      return visit.show(waiting(session, outcome));
    case 'gone':
      return session.goTo('/authorize');
  }
};

/** Mails a code to the address of somebody who has not proven one. */
const addPassword: Action = async (visit) => {
  const { login, session, form, user } = visit;
  if (user.emailKey !== null || !login.methods.hasPassword(session)) return visit.show({ status: 422 });
  const email = form.get('email') ?? '';
  const applicant = { email, password: form.get('password') ?? '', name: null, returnQuery: session.query };
  const outcome = await login.provider.passwords.signUp(session.requester, applicant);
  switch (outcome.kind) {
    case 'code_sent':
      return session.reply(await codePage(visit, { signUp: outcome.signUp, email, isPatient: true }));
    case 'invalid':
      return visit.show({ faults: faultTexts(session, outcome.faults), status: 422 });
    default:
      return visit.show(waiting(session, outcome));
  }
};

/** Returns the form for a mailed code. With `isPatient`, waits a little for the first try of the mail. */
async function codePage(
  { login, session }: SettingsVisit,
  { isPatient, ...page }: Omit<PasswordCodePage, 'mail'> & { readonly isPatient: boolean },
): Promise<Page> {
  const mail = await login.provider.passwords.mailStatus(page.signUp, isPatient);
  return passwordCodePage(session.view, { ...page, mail });
}

const confirmPassword: Action = async (visit) => {
  const { login, session, form, user } = visit;
  const { view } = session;
  const page = { signUp: form.get('sign_up') ?? '', email: form.get('email') ?? '', isPatient: false };
  const refuse = async (fault: string) =>
    session.reply(await codePage(visit, { ...page, faults: { code: fault } }), { status: 422 });
  const code = plainDigits(form.get('code') ?? '');
  const texts = textsOf(view.language);
  if (!isCode(code)) return refuse(texts.code_malformed);
  const answer = { signUp: page.signUp, code };
  const outcome = await login.provider.passwords.confirmFor(session.requester, user.userId, answer);
  switch (outcome.kind) {
    case 'added': {
      const proof = (await readVisit(login, session)) ?? visit; // with the new address
      return visitOf(login, session, proof, form).say(textsFor(visit).passwordAdded);
    }
    case 'wrong_code':
      return refuse(texts.wrongCode(new Intl.NumberFormat(view.language).format(outcome.attemptsLeft)));
    case 'expired':
      return visit.say(textsFor(visit).passwordLate, true);
  }
};

const removePassword: Action = async (visit) => {
  const { login, session, user } = visit;
  const outcome = await login.provider.accountSettings.removePassword(session.directory, user.userId);
  const texts = textsFor(visit);
  if (outcome.kind === 'changed') return stay(visit, outcome.changedAt, texts.passwordRemoved);
  return visit.say(outcome.kind === 'last_method' ? texts.lastMethod : texts.gone, true);
};

const addPasskey: Action = async (visit) => {
  const { login, session, form, user } = visit;
  const outcome = await login.provider.passkeys.register(session.directory, session.browser, answerIn(form));
  const isOfVisitor = outcome.kind === 'registered' && outcome.person.userId === user.userId;
  return isOfVisitor ? visit.say(textsFor(visit).passkeyAdded) : visit.say(textsFor(visit).passkeyFailed, true);
};

const removePasskey: Action = async (visit) => {
  const { login, session, form, user } = visit;
  const credentialId = form.get('credential') ?? '';
  const outcome = await login.provider.accountSettings.removePasskey(session.directory, user.userId, credentialId);
  const texts = textsFor(visit);
  return visit.say(
    { removed: texts.passkeyRemoved, absent: texts.gone, last_method: texts.lastMethod }[outcome],
    outcome !== 'removed',
  );
};

/** Sends the browser to a provider, on behalf of a person. */
const addProvider: Action = async (visit) => {
  const { login, session, form, user } = visit;
  const { browser, directory, query, view } = session;
  const providerId = form.get('provider') ?? '';
  const name = await login.methods.findProvider(session, providerId);
  const texts = textsOf(view.language);
  if (name === undefined) return visit.say(texts.providerNotOffered, true);
  const start = { providerId, browser, returnQuery: query, linkTo: user.userId, mayCreate: false };
  const outcome = await login.provider.federation.begin(directory, start);
  if (outcome.kind === 'unavailable') {
    return visit.show({ notice: { isBad: true, text: texts.providerUnavailable(name) }, status: 503 });
  }
  const headers = [...flowCookies(login, session, outcome), 'Refresh', `0; url=${outcome.location}`];
  return session.reply(toProviderPage(view, { id: providerId, name }, outcome.location), { headers });
};

const removeProvider: Action = async (visit) => {
  const { login, session, form, user } = visit;
  const link = {
    providerId: form.get('provider') ?? '',
    issuer: form.get('issuer') ?? '',
    subject: form.get('subject') ?? '',
  };
  const outcome = await login.provider.accountSettings.removeLink(session.directory, user.userId, link);
  const texts = textsFor(visit);
  return visit.say(
    { removed: texts.providerRemoved, absent: texts.gone, last_method: texts.lastMethod }[outcome],
    outcome !== 'removed',
  );
};

export const methodActions: readonly (readonly [string, Action])[] = [
  ['change-password', changePassword],
  ['add-password', addPassword],
  ['confirm-password', confirmPassword],
  ['remove-password', removePassword],
  ['add-passkey', addPasskey],
  ['remove-passkey', removePasskey],
  ['add-provider', addProvider],
  ['remove-provider', removeProvider],
];
