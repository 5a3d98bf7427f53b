/** The return of a browser from a provider to which the page *Your sign-in* sent it. */
import type { Reply } from '../../http/replies/reply.ts';
import type { FinishOutcome } from '../../identity/built-in/federation/federation.ts';
import type { BuiltInLogin } from '../built-in-login.ts';
import type { LoginSession } from '../session/login-session.ts';
import { readVisit } from '../session/visit-proof.ts';
import { refuseMethod } from '../sign-in-methods.ts';
import { textsFor, visitOf } from './settings-visit.ts';

/**
 * Adds an identity proven at a provider as a way to sign in, only for the person who began it, in the same browser, while their own proof
 * is fresh. The provider's address decides nothing.
 */
export async function addProven(
  login: BuiltInLogin,
  session: LoginSession,
  { link, linkTo }: Extract<FinishOutcome, { kind: 'proven' }>,
  headers: readonly string[],
): Promise<Reply> {
  const { provider, methods } = login;
  const proof = await readVisit(login, session);
  if (proof === undefined || proof.user.userId !== linkTo) return session.goTo('/authorize', headers);
  const visit = visitOf(login, session, proof);
  const name = await methods.findProvider(session, link.providerId);
  if (name === undefined) return refuseMethod(methods, session);
  const texts = textsFor(visit);
  const outcome = await provider.accountSettings.addLink(session.directory, linkTo, link);
  if (outcome === 'no_user') return session.goTo('/authorize', headers);
  const text = {
    added: texts.providerAdded(name),
    known: texts.providerKnown(name),
    taken: texts.providerTaken(name),
    too_many: texts.providerTooMany,
  }[outcome];
  const isBad = outcome === 'taken' || outcome === 'too_many';
  return visit.show({ notice: { isBad, text }, status: isBad ? 422 : 200, headers });
}

/** Returns the page for somebody who returns from a provider without proof; undefined if it did not send them. */
export async function refuseProven(
  login: BuiltInLogin,
  session: LoginSession,
  text: string,
  headers: readonly string[],
): Promise<Reply | undefined> {
  const proof = await readVisit(login, session);
  if (proof === undefined) return undefined;
  return visitOf(login, session, proof).show({ notice: { isBad: true, text }, status: 403, headers });
}
