import { beforeEach, expect, it } from 'vitest';
import { windowOpener } from '../../limits/shared-window.ts';
import { createSharedWindows } from '../../limits/shared-windows.fixture.ts';
import { StoreUnavailable } from '../../storage/store.ts';
import { type Charge, createThrottles, type Limit, type Throttles } from './throttles.ts';

const limit: Limit = { name: 'l', countMax: 3, windowSeconds: 60 };
const wide: Limit = { name: 'w', countMax: 5, windowSeconds: 600 };
let nowMs: number;
let store: ReturnType<typeof createSharedWindows>;
let throttles: Throttles;

beforeEach(() => {
  nowMs = 1_000_000;
  store = createSharedWindows();
  throttles = newThrottles();
});
const newThrottles = () => createThrottles(windowOpener(store), () => nowMs);
const takeTimes = async (count: number, ...charges: Charge[]) => {
  const waits: (number | undefined)[] = [];
  for (let i = 0; i < count; i++) waits.push(await throttles.take(charges));
  return waits;
};

it('counts up to the limit, then returns the seconds to wait, until the window ends', async () => {
  expect(await takeTimes(3, [limit, 'a'])).toEqual([undefined, undefined, undefined]);
  nowMs += 20_500;
  expect(await throttles.take([[limit, 'a']])).toBe(40);
  nowMs += 39_499;
  expect(await throttles.take([[limit, 'a']])).toBe(1);
  nowMs += 1;
  expect(await takeTimes(4, [limit, 'a'])).toEqual([undefined, undefined, undefined, 60]);
});

it('returns unused attempts, even to other processes and after a restart', async () => {
  await takeTimes(3, [limit, 'a']);
  await throttles.refund([[limit, 'a']]);
  const another = newThrottles();
  expect(await another.take([[limit, 'a']])).toBeUndefined();
  expect(await throttles.take([[limit, 'a']])).toBe(60);
  const restarted = newThrottles();
  await restarted.refund([[limit, 'a']]);
  expect(await restarted.take([[limit, 'a']])).toBeUndefined();
  expect(await newThrottles().take([[limit, 'a']])).toBe(60);
  nowMs += 60_000;
  await newThrottles().refund([[limit, 'a']]); // too late: the next window is unchanged
  expect(await takeTimes(4, [limit, 'a'])).toEqual([undefined, undefined, undefined, 60]);
});

it('counts each subject and each limit separately', async () => {
  await takeTimes(3, [limit, 'a', 'b']);
  for (const other of [
    [limit, 'a'],
    [limit, 'ab'],
    [limit, 'a', 'c'],
    [wide, 'a', 'b'],
  ] as const) {
    expect(await throttles.take([other])).toBeUndefined();
  }
  expect(await throttles.take([[limit, 'a', 'b']])).toBe(60);
});

it('counts nothing if one of several limits is used up', async () => {
  await takeTimes(3, [limit, 'a']);
  expect(await takeTimes(10, [limit, 'a'], [wide, 'b'])).toEqual(Array.from({ length: 10 }, () => 60));
  expect((await takeTimes(6, [wide, 'b'])).at(-1)).toBe(600);
  expect(
    await throttles.take([
      [limit, 'a'],
      [wide, 'b'],
    ]),
  ).toBe(600);
});

it('takes back attempts that did not fail', async () => {
  await takeTimes(3, [limit, 'a'], [wide, 'b']);
  throttles.uncharge([
    [limit, 'a'],
    [wide, 'b'],
  ]);
  expect(await takeTimes(2, [limit, 'a'], [wide, 'b'])).toEqual([undefined, 60]);
  nowMs += 60_000;
  throttles.uncharge([[limit, 'a']]);
  expect(await takeTimes(4, [limit, 'a'])).toEqual([undefined, undefined, undefined, 60]);
});

it('counts for several nodes together', async () => {
  const nodes = [throttles, newThrottles(), newThrottles()];
  const take = (node: Throttles | undefined) =>
    node?.take([
      [limit, 'a'],
      [wide, 'b'],
    ]);
  const waits = await Promise.all(Array.from({ length: 30 }, (_, i) => take(nodes[i % 3])));
  expect(waits.filter((wait) => wait === undefined)).toHaveLength(3);
  for (const node of nodes) expect(await take(node)).toBe(60);
  const left = await Promise.all(Array.from({ length: 30 }, (_, i) => nodes[i % 3]?.take([[wide, 'b']])));
  expect(left.filter((wait) => wait === undefined)).toHaveLength(2);
});

it('counts nothing if another node used up one of several limits', async () => {
  await takeTimes(5, [wide, 'b']);
  throttles = newThrottles();
  expect(await takeTimes(3, [limit, 'a'], [wide, 'b'])).toEqual([600, 600, 600]);
  expect(await takeTimes(4, [limit, 'a'])).toEqual([undefined, undefined, undefined, 60]);
});

it('counts nothing while the remainder is unknown', async () => {
  await takeTimes(1, [limit, 'a']);
  throttles.uncharge([[limit, 'a']]);
  store.isDown = true;
  for (let i = 0; i < 3; i++) {
    await expect(
      throttles.take([
        [limit, 'a'],
        [wide, 'b'],
      ]),
    ).rejects.toBeInstanceOf(StoreUnavailable);
  }
  store.isDown = false;
  expect(await takeTimes(4, [limit, 'a'], [wide, 'b'])).toEqual([undefined, undefined, undefined, 60]);
});
