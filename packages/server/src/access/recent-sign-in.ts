/** Steps that only somebody who has just signed in may take. */
import { Refusal } from '../common/requests/refusal.ts';

const recentMilliseconds = 10 * 60 * 1000;

/** Throws `sign_in_again` unless somebody signed in at `provenAt`, in milliseconds, and that was within the last 10 minutes. */
export function requireRecentSignIn(provenAt: number, now: number): void {
  if (now - provenAt < recentMilliseconds) return;
  throw new Refusal('sign_in_again', 'this needs a sign-in within the last 10 minutes: sign in again');
}
