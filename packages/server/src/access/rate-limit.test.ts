import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { RateLimit } from './rate-limit.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Megabytes on the heap that `hold` makes and that stay as long as what it returns. */
function megabytesHeld(hold: () => unknown): number {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const held = hold();
  collectGarbage();
  const after = process.memoryUsage().heapUsed;
  expect(held).toBeDefined();
  return (after - before) / 1024 / 1024;
}

const addressOf = (index: number) => `${index >> 16}.${(index >> 8) & 255}.${index & 255}.7`;

test('any number of addresses take the memory of 100,000; those that asked longest ago start anew', () => {
  const limit = new RateLimit(5, () => 1_000);
  const megabytes = megabytesHeld(() => {
    for (let index = 0; index < 400_000; index++) limit.take(addressOf(index));
    return limit;
  });
  // 15 MB, as after a million; each address that stayed would add 150 bytes.
  expect(megabytes).toBeLessThan(25);
  expect(limit.peek(addressOf(0))).toBeUndefined();
  expect(limit.peek(addressOf(299_999))).toBeUndefined();
  expect(limit.peek(addressOf(300_000))?.remaining).toBe(4);
  expect(limit.peek(addressOf(399_999))?.remaining).toBe(4);
});
