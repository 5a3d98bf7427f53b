/** Logout: the end of a refresh-token family. @see docs/contract.md §7.7 */
import type { SignInStore } from '../storage/contract/sign-in-store.ts';
import { parseRefreshToken } from './secret-text.ts';

/** Ends the session of a refresh token, whether the token is the current one or not. An unknown token is ignored. */
export async function logOut(
  store: Pick<SignInStore, 'revokeRefreshFamily'>,
  refreshToken: string,
  now: number,
): Promise<void> {
  const token = parseRefreshToken(refreshToken);
  if (token !== undefined) await store.revokeRefreshFamily(token.familyId, now);
}
