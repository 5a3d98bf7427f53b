/**
 * A sign-up that waits for its code, kept in a cookie: a phone may discard the page while its user reads the mail. Each sign-in of a
 * browser has its own.
 */
import type { Login } from '../login.ts';
import { signInOf } from '../which-sign-in.ts';
import type { LoginSession } from './login-session.ts';

const pendingSeconds = 15 * 60;
const pendingBounds = { countMax: 4, charactersMax: 4_000 };

type SignIn = Pick<LoginSession, 'headers' | 'parameters'>;

export interface PendingSignUpCookie {
  readonly signUp: string;
  readonly email: string | undefined;
  /** Why the page is shown again. */
  readonly notice?: 'unconfirmed' | 'resent';
}

/** Returns the header that stores the sign-up. */
export function pendingSignUpCookie(
  { cookies }: Login,
  { headers, parameters }: SignIn,
  { signUp, email, notice }: PendingSignUpCookie,
): readonly string[] {
  const value = Buffer.from(JSON.stringify({ signUp, email, notice })).toString('base64url');
  return cookies.setAmong(headers, ['sign_up', signInOf(parameters)], value, pendingSeconds, pendingBounds);
}

/** Returns the header that deletes it. */
export function forgetPendingSignUp({ cookies }: Login, { parameters }: Pick<SignIn, 'parameters'>): readonly string[] {
  return cookies.clear('sign_up', signInOf(parameters));
}

/** Returns the sign-up that the browser stored, if any. */
export function readPendingSignUp({ cookies }: Login, { headers, parameters }: SignIn): PendingSignUpCookie | undefined {
  // A node of the previous release gives all sign-ups one name.
  const value = cookies.read(headers, 'sign_up', signInOf(parameters)) ?? cookies.read(headers, 'sign_up');
  if (value === undefined) return undefined;
  try {
    const { signUp, email, notice } = JSON.parse(Buffer.from(value, 'base64url').toString()) as Record<string, unknown>;
    if (typeof signUp !== 'string' || (email !== undefined && typeof email !== 'string')) return undefined;
    return { signUp, email, ...((notice === 'unconfirmed' || notice === 'resent') && { notice }) };
  } catch {
    return undefined;
  }
}
