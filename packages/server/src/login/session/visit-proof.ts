/**
 * Browsers whose users have just signed in for the page *Your sign-in*. A cookie, sealed for the browser, proves that for ten minutes.
 * Developers and the players of each account have separate cookies, so that one page does not end another's visit.
 */
import { directoryKey } from '../../identity/built-in/directory.ts';
import type { Proven } from '../../identity/built-in/pending-sign-ins.ts';
import type { User } from '../../storage/contract/identity.ts';
import type { BuiltIn } from '../login-dependencies.ts';
import { cookieNameFor } from '../which-sign-in.ts';
import type { Cookies } from './cookies.ts';
import type { LoginSession } from './login-session.ts';

const visitSeconds = 10 * 60;
const visitBounds = { countMax: 4, charactersMax: 4_000 };

const nameOf = ({ directory }: Pick<LoginSession, 'directory'>) => cookieNameFor(directoryKey(directory) ?? '');

interface Visits {
  readonly cookies: Cookies;
  readonly provider: Pick<BuiltIn, 'visits'>;
}

/** Returns the header that lets a browser in, until `expiresAt` if it continues a visit. */
export function visitCookie(
  { cookies, provider }: Visits,
  session: LoginSession,
  { person, amr, provenAt }: Pick<Proven, 'person' | 'amr' | 'provenAt'>,
  expiresAt?: number,
): readonly string[] {
  const { browser, directory, headers } = session;
  const visit = provider.visits.issue(browser, { accountId: directoryKey(directory), person, amr, provenAt }, expiresAt);
  if (visit === undefined) throw new TypeError('the ticket of a visit is too long');
  return cookies.setAmong(headers, ['account', nameOf(session)], visit, visitSeconds, visitBounds);
}

/** Returns the header that ends a visit. */
export function leaveVisit({ cookies }: Pick<Visits, 'cookies'>, session: LoginSession): readonly string[] {
  return cookies.clear('account', nameOf(session));
}

export interface VisitProof {
  readonly proven: Proven;
  readonly user: User;
  /** When the visit ends, whatever is done in it; milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Returns the user of this browser; undefined if nobody has just signed in for the page, or the proof no longer counts. */
export async function readVisit(
  { cookies, provider }: { readonly cookies: Cookies; readonly provider: Pick<BuiltIn, 'visits' | 'accountSettings'> },
  session: LoginSession,
): Promise<VisitProof | undefined> {
  const { browser, directory, headers } = session;
  if (!session.isForAccountSettings) return undefined;
  const cookie = cookies.read(headers, 'account', nameOf(session));
  const visit = cookie === undefined ? undefined : provider.visits.open(browser, cookie);
  const user = visit && (await provider.accountSettings.userOf(directory, visit.content));
  return visit && user && { proven: visit.content, user, expiresAt: visit.expiresAt };
}
