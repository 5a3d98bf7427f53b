/** Adding and removing ways to sign in on the page *Your sign-in*. */

import { readParameters } from '../../../common/requests/form-parameters.ts';
import { plainDigits } from '../../../common/text/typed-code.ts';
import type { Reply } from '../../../http/replies/reply.ts';
import { isCode } from '../../../identity/built-in/codes.ts';
import type { FinishOutcome } from '../../../identity/built-in/federation/federation.ts';
import type { Page } from '../../document.ts';
import { textsOf } from '../../language.ts';
import { type PasswordCodePage, passwordCodePage, toProviderPage } from '../../pages/own-methods.ts';
import type { RouteTools } from '../../route-tools.ts';
import { answerIn } from '../../routes/passkey.ts';
import { faultTexts, waiting } from '../../routes/password.ts';
import { flowCookies } from '../../routes/provider-flow.ts';
import type { LoginSession } from '../../session/login-session.ts';
import { refuseMethod } from '../../sign-in-methods.ts';
import { type Action, contextOf, type OwnContext, stay, textsFor } from '../own-account-context.ts';
import { readVisit } from '../own-account-visit.ts';

const changePassword: Action = async (own) => {
  const { tools, session, visit, form } = own;
  const { hasPassword } = await tools.provider.ownAccount.read(session.directory, visit.user.userId);
  const outcome = await tools.provider.ownAccount.changePassword(session.visit, visit.user, form.get('password') ?? '');
  const texts = textsFor(own);
  switch (outcome.kind) {
    case 'changed':
      return stay(own, outcome.changedAt, hasPassword ? texts.passwordChanged : texts.passwordSet);
    case 'invalid':
      return own.show({ faults: faultTexts(session, outcome.faults), status: 422 });
    case 'busy':
      return own.show(waiting(session, outcome));
    case 'gone':
      return session.goTo('/authorize');
  }
};

/** Mails a code to the address of somebody who has not proven one. */
const addPassword: Action = async (own) => {
  const { tools, session, visit, form } = own;
  if (visit.user.emailKey !== null || !tools.methods.hasPassword(session)) return own.show({ status: 422 });
  const email = form.get('email') ?? '';
  const applicant = { email, password: form.get('password') ?? '', name: null, returnQuery: session.query };
  const outcome = await tools.provider.passwords.signUp(session.visit, applicant);
  switch (outcome.kind) {
    case 'code_sent':
      return session.reply(await codePage(own, { signUp: outcome.signUp, email, isPatient: true }));
    case 'invalid':
      return own.show({ faults: faultTexts(session, outcome.faults), status: 422 });
    default:
      return own.show(waiting(session, outcome));
  }
};

/** Returns the form for a mailed code. With `isPatient`, waits a little for the first try of the mail. */
async function codePage(
  { tools, session }: OwnContext,
  { isPatient, ...page }: Omit<PasswordCodePage, 'mail'> & { readonly isPatient: boolean },
): Promise<Page> {
  const mail = await tools.provider.passwords.mailStatus(page.signUp, isPatient);
  return passwordCodePage(session.view, { ...page, mail });
}

const confirmPassword: Action = async (own) => {
  const { tools, session, visit, form } = own;
  const { view } = session;
  const page = { signUp: form.get('sign_up') ?? '', email: form.get('email') ?? '', isPatient: false };
  const refuse = async (fault: string) =>
    session.reply(await codePage(own, { ...page, faults: { code: fault } }), { status: 422 });
  const code = plainDigits(form.get('code') ?? '');
  const texts = textsOf(view.language);
  if (!isCode(code)) return refuse(texts.code_malformed);
  const answer = { signUp: page.signUp, code };
  const outcome = await tools.provider.passwords.confirmFor(session.visit, visit.user.userId, answer);
  switch (outcome.kind) {
    case 'added': {
      const known = (await readVisit(tools.context, tools.provider, session)) ?? visit; // with the new address
      return contextOf(tools, session, known, form).say(textsFor(own).passwordAdded);
    }
    case 'wrong_code':
      return refuse(texts.wrongCode(new Intl.NumberFormat(view.language).format(outcome.attemptsLeft)));
    case 'expired':
      return own.say(textsFor(own).passwordLate, true);
  }
};

const removePassword: Action = async (own) => {
  const { tools, session, visit } = own;
  const outcome = await tools.provider.ownAccount.removePassword(session.directory, visit.user.userId);
  const texts = textsFor(own);
  if (outcome.kind === 'changed') return stay(own, outcome.changedAt, texts.passwordRemoved);
  return own.say(outcome.kind === 'last_method' ? texts.lastMethod : texts.gone, true);
};

const addPasskey: Action = async (own) => {
  const { tools, session, form, visit } = own;
  const outcome = await tools.provider.passkeys.register(session.directory, session.browser, answerIn(form));
  const isOfVisitor = outcome.kind === 'registered' && outcome.person.userId === visit.user.userId;
  return isOfVisitor ? own.say(textsFor(own).passkeyAdded) : own.say(textsFor(own).passkeyFailed, true);
};

const removePasskey: Action = async (own) => {
  const { tools, session, form, visit } = own;
  const credentialId = form.get('credential') ?? '';
  const outcome = await tools.provider.ownAccount.removePasskey(session.directory, visit.user.userId, credentialId);
  const texts = textsFor(own);
  return own.say(
    { removed: texts.passkeyRemoved, absent: texts.gone, last_method: texts.lastMethod }[outcome],
    outcome !== 'removed',
  );
};

/** Sends the browser to a provider, on behalf of a person. */
const addProvider: Action = async (own) => {
  const { tools, session, form, visit } = own;
  const { browser, directory, query, view } = session;
  const providerId = form.get('provider') ?? '';
  const name = await tools.methods.findProvider(session, providerId);
  const texts = textsOf(view.language);
  if (name === undefined) return own.say(texts.providerNotOffered, true);
  const start = { providerId, browser, returnQuery: query, linkTo: visit.user.userId, mayCreate: false };
  const outcome = await tools.provider.federation.begin(directory, start);
  if (outcome.kind === 'unavailable') {
    return own.show({ notice: { isBad: true, text: texts.providerUnavailable(name) }, status: 503 });
  }
  const headers = [...flowCookies(tools.context, session, outcome), 'Refresh', `0; url=${outcome.location}`];
  return session.reply(toProviderPage(view, { id: providerId, name }, outcome.location), { headers });
};

/**
 * Adds an identity proven at a provider as a way to sign in, only for the person who began it, in the same browser, while their own proof
 * is fresh. The provider's address decides nothing.
 */
export async function addProven(
  tools: RouteTools,
  session: LoginSession,
  { link, linkTo }: Extract<FinishOutcome, { kind: 'proven' }>,
  headers: readonly string[],
): Promise<Reply> {
  const { provider, context, methods } = tools;
  const visit = session.isForOwnAccount ? await readVisit(context, provider, session) : undefined;
  if (visit === undefined || visit.user.userId !== linkTo) return session.goTo('/authorize', headers);
  const own = contextOf(tools, session, visit, readParameters(''));
  const name = await methods.findProvider(session, link.providerId);
  if (name === undefined) return refuseMethod(methods, session);
  const texts = textsFor(own);
  const outcome = await provider.ownAccount.addLink(session.directory, linkTo, link);
  if (outcome === 'no_user') return session.goTo('/authorize', headers);
  const text = {
    added: texts.providerAdded(name),
    known: texts.providerKnown(name),
    taken: texts.providerTaken(name),
    too_many: texts.providerTooMany,
  }[outcome];
  const isBad = outcome === 'taken' || outcome === 'too_many';
  return own.show({ notice: { isBad, text }, status: isBad ? 422 : 200, headers });
}

/** Returns the page for somebody who returns from a provider without proof. */
export async function refuseProven(
  tools: RouteTools,
  session: LoginSession,
  text: string,
  headers: readonly string[],
): Promise<Reply | undefined> {
  const visit = session.isForOwnAccount ? await readVisit(tools.context, tools.provider, session) : undefined;
  if (visit === undefined) return undefined;
  const own: OwnContext = contextOf(tools, session, visit, readParameters(''));
  return own.show({ notice: { isBad: true, text }, status: 403, headers });
}

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

export const ownMethodActions: readonly (readonly [string, Action])[] = [
  ['change-password', changePassword],
  ['add-password', addPassword],
  ['confirm-password', confirmPassword],
  ['remove-password', removePassword],
  ['add-passkey', addPasskey],
  ['remove-passkey', removePasskey],
  ['add-provider', addProvider],
  ['remove-provider', removeProvider],
];
