/** Logout: the end of a refresh-token family. @see docs/contract.md §7.7 */
import { Refusal } from '../common/refusal.ts';
import type { SignInStore } from '../storage/sign-in-store.ts';
import { parseRefreshToken } from './secret-text.ts';

/**
 * Ends the family of a refresh token, whether that token is the current one or not. An unknown token is ignored.
 * `body` is `{refreshToken}`; throws `validation_error` when it is not.
 */
export async function logOut(store: Pick<SignInStore, 'revokeRefreshFamily'>, body: unknown): Promise<void> {
  const { refreshToken } = (typeof body === 'object' && body !== null ? body : {}) as { readonly refreshToken?: unknown };
  if (typeof refreshToken !== 'string' || refreshToken === '') {
    throw new Refusal('validation_error', '"/refreshToken" must be a string that is not empty');
  }
  const token = parseRefreshToken(refreshToken);
  if (token !== undefined) await store.revokeRefreshFamily(token.familyId);
}
