import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { openStoreFixture } from '../access/store.fixture.ts';
import { addressOf, takeOfEach } from './many-addresses.fixture.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('any number of addresses takes the memory of 100,000; the least recent are forgotten', async () => {
  const { store, dispose } = await openStoreFixture();
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const limit = takeOfEach(store, 250_000);
  collectGarbage();
  const megabytes = (process.memoryUsage().heapUsed - before) / 1024 / 1024;
  // 25 MB, as after a million; each retained address would add 250 bytes.
  expect(megabytes).toBeLessThan(35);
  expect(limit.peek(addressOf(0))).toBeUndefined();
  expect(limit.peek(addressOf(149_999))).toBeUndefined();
  expect(limit.peek(addressOf(150_000))?.remaining).toBe(4);
  expect(limit.peek(addressOf(249_999))?.remaining).toBe(4);
  await dispose();
});
