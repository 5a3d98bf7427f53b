import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { StoreUnavailable } from '../storage/store.ts';
import { createLastUses } from './last-uses.ts';

const minute = 60_000;
let written: (readonly [string, number])[][] = [];
let failures = 0;
const create = () =>
  createLastUses(
    (key: string) => key,
    minute,
    async (uses) => {
      if (failures > 0) {
        failures -= 1;
        throw new StoreUnavailable('the disk is full');
      }
      written.push([...uses]);
    },
  );

beforeEach(() => {
  vi.useFakeTimers();
  written = [];
  failures = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

it('uses of many keys are written together, a second after the first', async () => {
  const uses = create();
  uses.note('key_1', 1_000);
  uses.note('key_2', 1_500);
  await vi.advanceTimersByTimeAsync(999);
  expect(written).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(written).toEqual([
    [
      ['key_1', 1_000],
      ['key_2', 1_500],
    ],
  ]);
});

it('a key is written at most once a minute, however often it is used', async () => {
  const uses = create();
  uses.note('key_2', 0);
  expect(uses.note('key_1', 0)).toBe(minute);
  expect(uses.note('key_1', minute - 1)).toBe(minute);
  await vi.advanceTimersByTimeAsync(10 * minute);
  expect(written).toHaveLength(1);
  expect(uses.note('key_1', minute)).toBe(2 * minute);
  await vi.advanceTimersByTimeAsync(10 * minute);
  expect(written.at(1)).toEqual([['key_1', minute]]);
});

it('a use that the store could not write is retried a minute later, and no other', async () => {
  failures = 1;
  const uses = create();
  uses.note('key_1', 1_000);
  await vi.advanceTimersByTimeAsync(1_000 + minute);
  expect(written).toEqual([[['key_1', 1_000]]]);
  await vi.advanceTimersByTimeAsync(10 * minute);
  expect(written).toHaveLength(1);
});

it('closing writes pending uses and leaves no timer, even while the store is unavailable', async () => {
  const uses = create();
  uses.note('key_1', 1_000);
  await uses.close();
  expect(written).toEqual([[['key_1', 1_000]]]);
  failures = 1;
  const unlucky = create();
  unlucky.note('key_2', 1_000);
  await unlucky.close();
  const idle = create();
  await idle.close();
  idle.note('key_3', 1_000);
  expect(vi.getTimerCount()).toBe(0);
});
