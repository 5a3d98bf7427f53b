import type { RevokedToken } from '../storage/contract/sign-ins.ts';
import type { TokenCredential } from './principal.ts';

export const accessTokenSeconds = 900;

/** A store with ended tokens, which reports further ones on demand. */
export function storeWith(ended: RevokedToken[] = []) {
  const listeners: ((ended: readonly RevokedToken[]) => void)[] = [];
  return {
    asked: 0,
    end(tokens: readonly RevokedToken[]) {
      for (const token of tokens) ended.push(token);
      for (const listener of listeners) listener(tokens);
    },
    onTokensRevoked: (listener: (tokens: readonly RevokedToken[]) => void) => void listeners.push(listener),
    async isTokenRevoked(accountId: string, ids: readonly string[]) {
      this.asked += 1;
      return ended.some((token) => token.accountId === accountId && ids.includes(token.tokenId));
    },
    async listRevokedTokens(after: { readonly tokenId: string } | null, itemsMax: number) {
      const all = ended.toSorted((a, b) => (a.tokenId < b.tokenId ? -1 : 1));
      return all.filter(({ tokenId }) => after === null || tokenId > after.tokenId).slice(0, itemsMax);
    },
  };
}

/** The end of a whole session, or of the token of this id. */
export const session = (tokenId: string, accountId = 'acc_1', endedAt = 0): RevokedToken => ({
  tokenId,
  accountId,
  endedAt,
  expiresAt: null,
});
/** A token of this session. */
export const tokenOf = (sessionId: string | undefined, credentialId = 'jti', accountId = 'acc_1') =>
  ({ kind: 'developer', accountId, credentialId, sessionId }) as TokenCredential;

/** This many ended sessions of an account. */
export const many = (accountId: string, count: number) =>
  Array.from({ length: count }, (_, i) => session(`${accountId} ${i}`, accountId));
