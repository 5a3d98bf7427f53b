import { expect, it } from 'vitest';
import { createGuestNonces } from './guest-nonces.ts';

it('nodes with its key accept a guest nonce in either position, others refuse it', () => {
  const now = () => 1_000_000;
  const [old, next] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const before = createGuestNonces([old, next], now);
  const after = createGuestNonces([next, old], now);
  expect(after.current()).not.toBe(before.current());
  for (const nonce of [before.current(), after.current()]) {
    expect([before.issuedAt(nonce), after.issuedAt(nonce)]).toEqual([1_000_000, 1_000_000]);
  }
  expect(createGuestNonces([next], now).issuedAt(before.current())).toBeUndefined();
});
