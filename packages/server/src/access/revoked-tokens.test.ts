import { describe, expect, test } from 'vitest';
import { accessTokenSeconds, many, session, storeWith, tokenOf } from './revoked-tokens.fixture.ts';
import { RevokedTokens } from './revoked-tokens.ts';

describe('ended tokens', () => {
  test('are only those of their session, or the named one', async () => {
    const store = storeWith();
    const ended = new RevokedTokens({ store, accessTokenSeconds, now: () => 1 });
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
    const ended = new RevokedTokens({ store, accessTokenSeconds, now: () => time.now });
    store.end([{ ...session('s', 'acc_2'), expiresAt: 1_000 }]);
    expect(ended.hasEnded(tokenOf('s'))).toBe(false);
    store.end([session('s')]);
    time.now = 2_000;
    expect(await ended.hasEnded(tokenOf('s'))).toBe(true);
    ended.close();
  });

  test('are read at the start, however many', async () => {
    const store = storeWith(Array.from({ length: 1_234 }, (_, i) => session(`s${String(i).padStart(5, '0')}`)));
    const ended = new RevokedTokens({ store, accessTokenSeconds, now: () => 1 });
    await ended.load();
    expect(ended.size).toBe(1_234);
    ended.close();
  });

  test('raise the change counter, so that others notice the end', () => {
    const store = storeWith();
    const ended = new RevokedTokens({ store, accessTokenSeconds, now: () => 1 });
    const before = ended.changes;
    store.end([session('s')]);
    expect(ended.changes).toBeGreaterThan(before);
    ended.close();
  });

  test('are forgotten once all their tokens have expired', () => {
    const store = storeWith();
    const ended = new RevokedTokens({ store, accessTokenSeconds, now: () => 10_000_000 });
    store.end([session('old', 'acc_1', 0), { ...session('expired'), expiresAt: 9_999_999 }]);
    expect(ended.size).toBe(0);
    ended.close();
  });
});

describe('an account with more ended tokens than fit', () => {
  test('is checked in the store, while those of other accounts stay in memory', async () => {
    const store = storeWith();
    const ended = new RevokedTokens({ store, accessTokenSeconds, now: () => 1 });
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
});
