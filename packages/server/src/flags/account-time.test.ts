import { expect, test } from 'vitest';
import { AccountTime } from './account-time.ts';

test('an account is busy beyond 25 ms of processor time, and 5 ms of that are forgotten in a second', () => {
  const time = new AccountTime();
  expect(time.isBusy('one', 0)).toBe(false);
  time.add('one', 25, 0);
  expect(time.isBusy('one', 0)).toBe(false);
  time.add('one', 5, 0);
  expect([time.isBusy('one', 999), time.isBusy('one', 1_000)]).toEqual([true, false]);
  expect(time.isBusy('other', 0)).toBe(false);
  time.add('one', 25, 60_000);
  expect(time.isBusy('one', 60_000)).toBe(false);
});
