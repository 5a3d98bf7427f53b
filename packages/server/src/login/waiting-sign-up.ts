/** A sign-up that waits for its code, kept in a cookie: a phone may discard the page while its user reads the mail. */
import type { IncomingHttpHeaders } from 'node:http';
import type { LoginContext } from './login-context.ts';

const waitingSeconds = 15 * 60;

export interface WaitingSignUp {
  readonly signUp: string;
  readonly email: string | undefined;
  /** Why the page is shown again. */
  readonly notice?: 'unconfirmed' | 'resent';
}

/** Returns the header that keeps it. */
export function waitingSignUp({ cookies }: LoginContext, { signUp, email, notice }: WaitingSignUp): readonly string[] {
  const value = Buffer.from(JSON.stringify({ signUp, email, notice })).toString('base64url');
  return cookies.set('sign_up', value, waitingSeconds);
}

/** Returns the one that the browser has kept, if any. */
export function readWaiting({ cookies }: LoginContext, headers: IncomingHttpHeaders): WaitingSignUp | undefined {
  const value = cookies.read(headers, 'sign_up');
  if (value === undefined) return undefined;
  try {
    const { signUp, email, notice } = JSON.parse(Buffer.from(value, 'base64url').toString()) as Record<string, unknown>;
    if (typeof signUp !== 'string' || (email !== undefined && typeof email !== 'string')) return undefined;
    return { signUp, email, ...((notice === 'unconfirmed' || notice === 'resent') && { notice }) };
  } catch {
    return undefined;
  }
}
