import { describe, expect, test } from 'vitest';
import { accessTokenSeconds, many, session, storeWith, tokenOf } from './revoked-tokens.fixture.ts';
import { RevokedTokens } from './revoked-tokens.ts';

describe('an account with more ended tokens than fit', () => {
  test('is kept in memory again after they expire', async () => {
    let nowMs = 1;
    const store = storeWith();
    const ended = new RevokedTokens({ store, accessTokenSeconds, now: () => nowMs });
    store.end(many('acc_loud', 200_001));
    expect(ended.isAlive(tokenOf('alive', 'jti', 'acc_loud'))).toBe(false);
    nowMs = 2_000_000;
    expect(ended.isAlive(tokenOf('alive', 'jti', 'acc_loud'))).toBe(true);
    ended.close();
  });

  test('if many accounts have a few each, the store is asked for all, and memory stays bounded', async () => {
    const store = storeWith();
    const ended = new RevokedTokens({ store, accessTokenSeconds, now: () => 1 });
    const each = Array.from({ length: 200_001 }, (_, i) => session(`s${i}`, `acc_${i % 50_000}`));
    store.end(each);
    expect(ended.size).toBeLessThan(200_000);
    expect(ended.isAlive(tokenOf('s7', 'jti', 'acc_7'))).toBe(false);
    ended.close();
  });
});
