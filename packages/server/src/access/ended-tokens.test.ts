import { describe, expect, test } from 'vitest';
import type { EndedToken } from '../storage/contract/ended-token-store.ts';
import { EndedTokens } from './ended-tokens.ts';
import type { TokenCredential } from './principal.ts';

const accessTokenSeconds = 900;

/** A store with ended tokens, which reports further ones on demand. */
function storeWith(ended: EndedToken[] = []) {
  const listeners: ((ended: readonly EndedToken[]) => void)[] = [];
  return {
    asked: 0,
    end(tokens: readonly EndedToken[]) {
      for (const token of tokens) ended.push(token);
      for (const listener of listeners) listener(tokens);
    },
    onTokensEnded: (listener: (tokens: readonly EndedToken[]) => void) => void listeners.push(listener),
    async isTokenEnded(accountId: string, ids: readonly string[]) {
      this.asked += 1;
      return ended.some((token) => token.accountId === accountId && ids.includes(token.tokenId));
    },
    async listEndedTokens(after: { readonly tokenId: string } | null, itemsMax: number) {
      const all = ended.toSorted((a, b) => (a.tokenId < b.tokenId ? -1 : 1));
      return all.filter(({ tokenId }) => after === null || tokenId > after.tokenId).slice(0, itemsMax);
    },
  };
}

const session = (tokenId: string, accountId = 'acc_1', endedAt = 0): EndedToken => ({
  tokenId,
  accountId,
  endedAt,
  expiresAt: null,
});
const tokenOf = (sessionId: string | undefined, credentialId = 'jti', accountId = 'acc_1') =>
  ({ kind: 'developer', accountId, credentialId, sessionId }) as TokenCredential;

describe('ended tokens', () => {
  test('are only those of their session, or the named one', async () => {
    const store = storeWith();
    const ended = new EndedTokens({ store, accessTokenSeconds, now: () => 1 });
    store.end([session('s'), { ...session('one'), expiresAt: 60_000 }]);
    expect(await ended.hasEnded(tokenOf('s'))).toBe(true);
    expect(await ended.hasEnded(tokenOf('other', 'one'))).toBe(true);
    expect(await ended.hasEnded(tokenOf(undefined, 'one'))).toBe(true);
    expect(ended.hasEnded(tokenOf('other'))).toBe(false);
    expect(ended.hasEnded(tokenOf(undefined))).toBe(false);
    expect(store.asked).toBe(0);
    ended.close();
  });

  test('belong to their account: the same id in another account ends nothing and hides nothing', async () => {
    const time = { now: 1 };
    const store = storeWith();
    const ended = new EndedTokens({ store, accessTokenSeconds, now: () => time.now });
    store.end([{ ...session('s', 'acc_2'), expiresAt: 1_000 }]);
    expect(ended.hasEnded(tokenOf('s'))).toBe(false);
    store.end([session('s')]);
    time.now = 2_000;
    expect(await ended.hasEnded(tokenOf('s'))).toBe(true);
    ended.close();
  });

  test('are read at the start, however many', async () => {
    const store = storeWith(Array.from({ length: 1_234 }, (_, i) => session(`s${String(i).padStart(5, '0')}`)));
    const ended = new EndedTokens({ store, accessTokenSeconds, now: () => 1 });
    await ended.load();
    expect(ended.size).toBe(1_234);
    ended.close();
  });

  test('raise the change counter, so that others notice the end', () => {
    const store = storeWith();
    const ended = new EndedTokens({ store, accessTokenSeconds, now: () => 1 });
    const before = ended.changes;
    store.end([session('s')]);
    expect(ended.changes).toBeGreaterThan(before);
    ended.close();
  });

  test('are forgotten once all their tokens have expired', () => {
    const store = storeWith();
    const ended = new EndedTokens({ store, accessTokenSeconds, now: () => 10_000_000 });
    store.end([session('old', 'acc_1', 0), { ...session('expired'), expiresAt: 9_999_999 }]);
    expect(ended.size).toBe(0);
    ended.close();
  });
});

describe('an account with more ended tokens than fit', () => {
  const many = (accountId: string, count: number) =>
    Array.from({ length: count }, (_, i) => session(`${accountId} ${i}`, accountId));

  test('is checked in the store, while those of other accounts stay in memory', async () => {
    const store = storeWith();
    const ended = new EndedTokens({ store, accessTokenSeconds, now: () => 1 });
    store.end(many('acc_quiet', 100));
    store.end(many('acc_loud', 200_000));
    store.end([session('one more', 'acc_loud')]);
    expect(ended.size).toBeLessThan(200_000);
    expect(ended.hasEnded(tokenOf('acc_quiet 7', 'jti', 'acc_quiet'))).toBe(true);
    expect(ended.hasEnded(tokenOf('alive', 'jti', 'acc_quiet'))).toBe(false);
    expect(store.asked).toBe(0);
    const loud = (sessionId: string) => ended.hasEnded(tokenOf(sessionId, 'jti', 'acc_loud'));
    expect([await loud('acc_loud 3'), await loud('one more'), await loud('alive')]).toEqual([true, true, false]);
    expect(store.asked).toBe(3);
    expect(ended.isAlive(tokenOf('alive', 'jti', 'acc_loud'))).toBe(false);
    ended.close();
  });

  test('is kept in memory again after they expire', async () => {
    let nowMs = 1;
    const store = storeWith();
    const ended = new EndedTokens({ store, accessTokenSeconds, now: () => nowMs });
    store.end(many('acc_loud', 200_001));
    expect(ended.isAlive(tokenOf('alive', 'jti', 'acc_loud'))).toBe(false);
    nowMs = 2_000_000;
    expect(ended.isAlive(tokenOf('alive', 'jti', 'acc_loud'))).toBe(true);
    ended.close();
  });

  test('if many accounts have a few each, the store is asked for all, and memory stays bounded', async () => {
    const store = storeWith();
    const ended = new EndedTokens({ store, accessTokenSeconds, now: () => 1 });
    const each = Array.from({ length: 200_001 }, (_, i) => session(`s${i}`, `acc_${i % 50_000}`));
    store.end(each);
    expect(ended.size).toBeLessThan(200_000);
    expect(ended.isAlive(tokenOf('s7', 'jti', 'acc_7'))).toBe(false);
    ended.close();
  });
});
