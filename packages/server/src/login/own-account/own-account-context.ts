/** Shared by the page *Your sign-in* and its actions. */
import type { Parameters } from '../../common/requests/form-parameters.ts';
import type { Reply } from '../../http/replies/reply.ts';
import type { Person } from '../../identity/built-in/directory.ts';
import type { ChangedBy } from '../../storage/contract/audit.ts';
import { type Faults, linkButton, type Notice } from '../fields.ts';
import { messagePage } from '../pages/message.ts';
import { ownAccountPage } from '../pages/own-account.ts';
import { recoveryPage } from '../pages/second-step.ts';
import type { RouteTools } from '../route-tools.ts';
import type { LoginSession } from '../session/login-session.ts';
import { ownTextsOf } from '../texts/own.ts';
import { leaveVisit, type OwnVisit, visitCookie } from './own-account-visit.ts';

/** The input of an action, and its replies. */
export interface OwnContext {
  readonly tools: RouteTools;
  readonly session: LoginSession;
  readonly visit: OwnVisit;
  readonly form: Parameters;
  /** Returns the page again. */
  show(shown?: ShownPage): Promise<Reply>;
  /** Returns the page again, with a line about the outcome. */
  say(text: string, isBad?: boolean): Promise<Reply>;
  /** Returns the page with new recovery codes. */
  showCodes(codes: readonly string[]): Reply;
}

/** Runs an action of the page. `by` is the actor, for audit trails. */
export type Action = (own: OwnContext, by: () => ChangedBy) => Promise<Reply> | Reply;

/** The texts of the page, in its language. */
export const textsFor = ({ session }: OwnContext) => ownTextsOf(session.view.language);

interface ShownPage {
  readonly notice?: Notice;
  readonly faults?: Faults;
  readonly status?: number;
  readonly headers?: readonly string[];
}

/** Returns the input of an action. */
export function contextOf(tools: RouteTools, session: LoginSession, visit: OwnVisit, form: Parameters): OwnContext {
  const own: OwnContext = {
    tools,
    session,
    visit,
    form,
    show: (shown) => showPage(tools, session, visit, shown),
    say: (text, isBad = false) => own.show({ notice: { isBad, text }, status: isBad ? 422 : 200 }),
    showCodes(codes) {
      const { view } = session;
      const next = linkButton(view.address('/account'), ownTextsOf(view.language).recoverySaved, 'primary');
      return session.reply(recoveryPage(view, codes, next));
    },
  };
  return own;
}

/** The person, as stored now. */
export function personOf({ user }: OwnVisit): Person {
  return { userId: user.userId, email: user.email, emailVerified: user.emailKey !== null, name: user.name };
}

/** Returns the page in its current state. */
export async function showPage(
  { provider, methods }: RouteTools,
  session: LoginSession,
  visit: OwnVisit,
  { notice, faults, status = 200, headers = [] }: ShownPage = {},
): Promise<Reply> {
  const { directory, browser, view, request } = session;
  const person = personOf(visit);
  const { userId } = person;
  const isDeveloper = directory.kind === 'developers';
  const [overview, factor, providers] = await Promise.all([
    provider.ownAccount.read(directory, userId),
    isDeveloper ? provider.secondFactors.find(directory, userId) : undefined,
    methods.providersOf(session),
  ]);
  const { amr, provenAt } = visit.proven;
  const offersPassword = methods.hasPassword(session);
  const canAdd = overview.isEmailProven && offersPassword && provider.passkeys.isUsable();
  const passkey = canAdd
    ? await provider.passkeys.registrationOptions(directory, browser, person, { amr, provenAt })
    : undefined;
  const page = ownAccountPage(view, {
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
export function leavePage({ tools, session }: OwnContext, title: string, text: string): Reply {
  const page = { ...messagePage({ title, texts: [text] }), address: session.view.address('/account') };
  return session.reply(page, { headers: leaveVisit(tools.context, session) });
}

/** Reports that all sessions were ended. This browser, which ended them, may stay on the page. */
export function stay(own: OwnContext, changedAt: number, text: string): Promise<Reply> {
  const { tools, session, visit } = own;
  const { person, amr } = visit.proven;
  const proven = { person, amr, provenAt: changedAt + 1 };
  const headers = visitCookie(tools.context, tools.provider, session, proven, visit.expiresAt);
  return own.show({ notice: { isBad: false, text }, headers });
}
