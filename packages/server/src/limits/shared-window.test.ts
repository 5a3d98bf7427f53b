import { beforeEach, describe, expect, test } from 'vitest';
import { StoreUnavailable } from '../storage/store.ts';
import { SharedWindow, windowHash, windowsOf } from './shared-window.ts';
import { createSharedWindows, type SharedWindows } from './shared-windows.fixture.ts';

const limit = { name: 'l', countMax: 100, windowSeconds: 60 };
let store: SharedWindows;
let now: number;
beforeEach(() => {
  store = createSharedWindows();
  now = 1_000_000;
});
/** A window as one process sees it. */
const newWindow = (allotment = 10, name = 'n') => new SharedWindow(windowsOf(store, limit, allotment), name);
/** Takes until it fails, at most `countMax` times; returns the number taken. */
async function takeUpTo(window: SharedWindow, countMax: number): Promise<number> {
  let taken = 0;
  while (taken < countMax && (await window.take(now))) taken += 1;
  return taken;
}
/** Waits for the responses to all requests to the store. */
const settle = async () => {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
};

describe('a shared window', () => {
  test('lets processes take the whole limit together, and never one more', async () => {
    const windows = [newWindow(), newWindow(), newWindow(1), newWindow(33)];
    const takes = windows.flatMap((window) => Array.from({ length: 80 }, async () => window.take(now)));
    expect((await Promise.all(takes)).filter(Boolean)).toHaveLength(100);
  });

  test('asks for the next allotment early, so that a sequential caller waits only for the first', async () => {
    const window = newWindow();
    expect(await window.take(now)).toBe(true);
    for (let i = 1; i < 100; i++) {
      expect(window.take(now)).toBe(true);
      await settle();
    }
    expect([window.take(now), store.demands]).toEqual([false, 10]);
  });

  test('serves a crowd with two requests to the store', async () => {
    const window = newWindow(2);
    const taken = await Promise.all(Array.from({ length: 60 }, () => window.take(now)));
    expect([taken.every(Boolean), store.demands]).toEqual([true, 2]);
  });

  test('asks for no refused request until the window ends', async () => {
    const [window, other] = [newWindow(), newWindow()];
    await takeUpTo(other, 100);
    expect(await window.take(now)).toBe(false);
    const demands = store.demands;
    for (let i = 0; i < 1_000; i++) expect(window.take(now)).toBe(false);
    now += 59_999;
    expect([window.take(now), store.demands]).toEqual([false, demands]);
    now += 1;
    expect(await window.take(now)).toBe(true);
  });

  test('carries no allotment from one window into the next', async () => {
    const [window, other] = [newWindow(), newWindow()];
    await window.take(now);
    now += 60_000;
    expect((await takeUpTo(other, 200)) + (await takeUpTo(window, 200))).toBe(100);
  });

  test('knows the common remainder as of its last request', async () => {
    const [window, other] = [newWindow(), newWindow()];
    await window.take(now);
    expect(window.remaining).toBe(99);
    await takeUpTo(other, 40);
    await settle();
    expect(window.remaining).toBe(99);
    await takeUpTo(window, 5);
    await settle();
    const { count: heldByOther } = await other.release();
    expect(window.remaining).toBe(100 - 40 - 6 - heldByOther);
  });

  test('leaves unneeded allotments to others', async () => {
    const [window, other] = [newWindow(50), newWindow(50)];
    await window.take(now);
    expect(await takeUpTo(other, 100)).toBe(50);
    const { endsAt, count } = await window.release();
    expect([count, window.isHolding]).toEqual([49, false]);
    expect(await other.take(now)).toBe(false);
    await store.returnToWindow(windowHash('l', 'n'), endsAt, count);
    expect(other.take(now)).toBe(false);
    other.askAgain();
    expect(await takeUpTo(other, 100)).toBe(49);
  });

  test('gets unused requests back', async () => {
    const [window, other] = [newWindow(1), newWindow(1)];
    expect([await takeUpTo(other, 99), await takeUpTo(window, 99), await takeUpTo(other, 99)]).toEqual([99, 1, 0]);
    window.putBack(now);
    expect([other.take(now), window.take(now), window.take(now)]).toEqual([false, true, false]);
    now += 60_000;
    window.putBack(now);
    expect(window.isHolding).toBe(false);
  });

  test('gives one back for any process, also from one that has not asked the store yet', async () => {
    const [window, other] = [newWindow(1), newWindow(1)];
    expect(await takeUpTo(other, 100)).toBe(100);
    await other.refund(now);
    await window.refund(now);
    expect((await takeUpTo(window, 9)) + (await takeUpTo(other, 9))).toBe(2);
  });

  test('keeps one given back that the store does not know, and no more', async () => {
    const forgetful = { ...store, returnToWindow: async () => 'forgotten' as const };
    const [window, other] = ['n', 'm'].map((name) => new SharedWindow(windowsOf(forgetful, limit, 1), name));
    expect(await takeUpTo(window as SharedWindow, 200)).toBe(100);
    await window?.refund(now);
    expect(await takeUpTo(window as SharedWindow, 9)).toBe(1);
    await other?.refund(now);
    expect(await takeUpTo(other as SharedWindow, 200)).toBe(100);
  });

  test('rejects only those who need an unavailable allotment', async () => {
    const window = newWindow();
    await window.take(now);
    store.isDown = true;
    expect(await takeUpTo(window, 9)).toBe(9);
    await settle();
    await expect((async () => window.take(now))()).rejects.toBeInstanceOf(StoreUnavailable);
    const crowd = await Promise.allSettled(Array.from({ length: 5 }, async () => window.take(now)));
    expect(crowd.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
    store.isDown = false;
    expect(await window.take(now)).toBe(true);
  });
});
