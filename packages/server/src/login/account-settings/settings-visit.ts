/** A visit to the page *Your sign-in*: what its actions get, and how they reply. */
import { type Parameters, readParameters } from '../../common/requests/form-parameters.ts';
import type { Reply } from '../../http/replies/reply.ts';
import type { Person } from '../../identity/built-in/directory.ts';
import type { ChangedBy } from '../../storage/contract/audit.ts';
import type { BuiltInLogin } from '../built-in-login.ts';
import { type Faults, linkButton, type Notice } from '../fields.ts';
import { accountSettingsPage } from '../pages/account-settings.ts';
import { messagePage } from '../pages/message.ts';
import { recoveryPage } from '../pages/second-step.ts';
import type { LoginSession } from '../session/login-session.ts';
import { leaveVisit, type VisitProof, visitCookie } from '../session/visit-proof.ts';
import { settingsTextsOf } from '../texts/account-settings.ts';

/** A user who has just signed in for the page, and the form that they sent. */
export interface SettingsVisit extends VisitProof {
  readonly login: BuiltInLogin;
  readonly session: LoginSession;
  readonly form: Parameters;
  /** Returns the page again. */
  show(shown?: ShownPage): Promise<Reply>;
  /** Returns the page again, with a line about the outcome. */
  say(text: string, isBad?: boolean): Promise<Reply>;
  /** Returns the page with new recovery codes. */
  showCodes(codes: readonly string[]): Reply;
}

/** Runs an action of the page. `by` is the actor, for audit trails. */
export type Action = (visit: SettingsVisit, by: () => ChangedBy) => Promise<Reply> | Reply;

/** The texts of the page, in its language. */
export const textsFor = ({ session }: SettingsVisit) => settingsTextsOf(session.view.language);

interface ShownPage {
  readonly notice?: Notice;
  readonly faults?: Faults;
  readonly status?: number;
  readonly headers?: readonly string[];
}

const noForm = readParameters('');

/** Returns the visit that a browser has proven; without a form unless it sent one. */
export function visitOf(login: BuiltInLogin, session: LoginSession, proof: VisitProof, form = noForm): SettingsVisit {
  const visit: SettingsVisit = {
    ...proof,
    login,
    session,
    form,
    show: (shown) => showPage(visit, shown),
    say: (text, isBad = false) => visit.show({ notice: { isBad, text }, status: isBad ? 422 : 200 }),
    showCodes(codes) {
      const { view } = session;
      const next = linkButton(view.address('/account'), settingsTextsOf(view.language).recoverySaved, 'primary');
      return session.reply(recoveryPage(view, codes, next));
    },
  };
  return visit;
}

/** The person, as stored now. */
export function personOf({ user }: VisitProof): Person {
  return { userId: user.userId, email: user.email, emailVerified: user.emailKey !== null, name: user.name };
}

/** Returns the page in its current state. */
async function showPage(
  visit: SettingsVisit,
  { notice, faults, status = 200, headers = [] }: ShownPage = {},
): Promise<Reply> {
  const { session, proven } = visit;
  const { provider, methods } = visit.login;
  const { directory, browser, view, request } = session;
  const person = personOf(visit);
  const { userId } = person;
  const isDeveloper = directory.kind === 'developers';
  const [overview, factor, providers] = await Promise.all([
    provider.accountSettings.read(directory, userId),
    isDeveloper ? provider.secondFactors.find(directory, userId) : undefined,
    methods.providersOf(session),
  ]);
  const { amr, provenAt } = proven;
  const offersPassword = methods.hasPassword(session);
  const canAdd = overview.isEmailProven && offersPassword && provider.passkeys.isUsable();
  const passkey = canAdd
    ? await provider.passkeys.registrationOptions(directory, browser, person, { amr, provenAt })
    : undefined;
  const page = accountSettingsPage(view, {
    ...overview,
    who: person.email ?? person.name ?? userId,
    email: person.email,
    secondFactor: isDeveloper ? (factor ?? null) : undefined,
    passkey,
    canDelete: isDeveloper,
    game: request.client.kind === 'developer' ? undefined : request.client.projectName,
    providers,
    offersPassword,
    notice,
    faults,
  });
  return session.reply(page, { status, headers });
}

/** Returns the last page of a visit, and removes its proof from the browser. */
export function leavePage({ login, session }: SettingsVisit, title: string, text: string): Reply {
  const page = { ...messagePage({ title, texts: [text] }), address: session.view.address('/account') };
  return session.reply(page, { headers: leaveVisit(login, session) });
}

/** Reports that all sessions were ended. This browser, which ended them, may stay on the page. */
export function stay(visit: SettingsVisit, changedAt: number, text: string): Promise<Reply> {
  const { login, session, proven, expiresAt } = visit;
  const { person, amr } = proven;
  const headers = visitCookie(login, session, { person, amr, provenAt: changedAt + 1 }, expiresAt);
  return visit.show({ notice: { isBad: false, text }, headers });
}
