import { expect, test } from 'vitest';
import type { RateWindow } from '../../contract/usage.ts';
import { type Store, StoreUnavailable } from '../../store.ts';
import { type CreateStoreHarness, hashOf, withStore } from '../harness.ts';

const minute = 60_000;
const now = 1_000_000;
const window = (change: Partial<RateWindow> = {}): RateWindow => ({
  windowHash: hashOf('w'),
  limit: 100,
  endsAt: now + minute,
  ...change,
});

/** Takes allotments as a process does, one after the other until nothing is left; returns them. */
async function takeAll(store: Store, demanded: RateWindow, demand: { wanted?: number; used?: number; now?: number } = {}) {
  const allotments: { granted: number; left: number; endsAt: number }[] = [];
  do allotments.push(await store.takeFromWindow(demanded, { wanted: 7, used: 0, now, ...demand }));
  while (allotments.at(-1)?.left !== 0);
  return allotments;
}
const sumOf = (allotments: readonly { granted: number }[]) => allotments.reduce((sum, { granted }) => sum + granted, 0);

export function rateWindows(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);

  test('processes that use up a window share exactly its limit', async () => {
    const stores = [at.store, await at.openParallel(), await at.openParallel()];
    const taken = await Promise.all(stores.map((store) => takeAll(store, window())));
    expect(sumOf(taken.flat())).toBe(100);
    for (const store of stores.slice(1)) {
      expect(await takeAll(store, window())).toEqual([{ granted: 0, left: 0, endsAt: now + minute }]);
    }
  });

  test('a process gets what it asks for while enough is left', async () => {
    const allotments = await takeAll(at.store, window(), { wanted: 60 });
    expect(allotments.length).toBeLessThanOrEqual(2);
    expect(allotments[0]?.granted).toBeGreaterThanOrEqual(60);
    let granted = 0;
    for (const allotment of allotments) {
      granted += allotment.granted;
      expect(allotment).toEqual({ ...allotment, left: 100 - granted, endsAt: now + minute });
    }
    expect(granted).toBe(100);
  });

  test('a window begins with the first request and keeps its end; then the next one begins', async () => {
    const later = { endsAt: now + 30_000 + minute };
    const first = await at.store.takeFromWindow(window(), { wanted: 100, used: 0, now });
    expect(first).toEqual({ granted: 100, left: 0, endsAt: now + minute });
    const beside = await at.openParallel();
    expect((await beside.takeFromWindow(window(later), { wanted: 1, used: 0, now: now + 30_000 })).granted).toBe(0);
    const next = window({ endsAt: now + 2 * minute });
    const second = await takeAll(at.store, next, { now: now + minute });
    expect([sumOf(second), new Set(second.map(({ endsAt }) => endsAt))]).toEqual([100, new Set([now + 2 * minute])]);
  });

  test('each name has a separate window', async () => {
    await takeAll(at.store, window());
    expect(sumOf(await takeAll(at.store, window({ windowHash: hashOf('v') })))).toBe(100);
  });

  test('known use is not granted again', async () => {
    const beside = await at.openParallel();
    expect(sumOf(await takeAll(at.store, window(), { used: 93 }))).toBe(7);
    expect(sumOf(await takeAll(beside, window(), { used: 93 }))).toBe(0);
    const other = window({ windowHash: hashOf('v') });
    await at.store.takeFromWindow(other, { wanted: 10, used: 0, now });
    expect(sumOf(await takeAll(at.store, other, { used: 95 }))).toBe(5);
    expect(sumOf(await takeAll(at.store, window({ windowHash: hashOf('u') }), { used: 200 }))).toBe(0);
  });

  test('a higher limit adds the difference, and a lower limit adds nothing', async () => {
    await takeAll(at.store, window());
    expect(sumOf(await takeAll(at.store, window({ limit: 110 }), { used: 100 }))).toBe(10);
    expect(sumOf(await takeAll(at.store, window({ limit: 50 }), { used: 100 }))).toBe(0);
  });

  test('returned requests can be granted again, once', async () => {
    await takeAll(at.store, window());
    await at.store.returnToWindow(hashOf('w'), now + minute, 30);
    expect(sumOf(await takeAll(at.store, window(), { used: 70 }))).toBe(30);
    expect(sumOf(await takeAll(await at.openParallel(), window(), { used: 100 }))).toBe(0);
  });

  test('requests returned after a window has ended do not count in the next one', async () => {
    await takeAll(at.store, window());
    const next = window({ endsAt: now + 2 * minute });
    await takeAll(at.store, next, { now: now + minute });
    for (const name of ['w', 'none']) {
      expect(await at.store.returnToWindow(hashOf(name), now + minute, 30)).toBe('forgotten');
    }
    expect(sumOf(await takeAll(await at.openParallel(), next, { now: now + minute }))).toBe(0);
  });

  test('a fast clock moves no window, and a clock far off blocks nobody', async () => {
    const beside = await at.openParallel();
    await takeAll(at.store, window({ endsAt: now + minute + 5_000 }), { now: now + 5_000 });
    expect(sumOf(await takeAll(beside, window()))).toBe(0);
    const hour = 60 * minute;
    await takeAll(at.store, window({ endsAt: now + hour + minute }), { now: now + hour });
    const allotment = await takeAll(at.store, window());
    expect([sumOf(allotment), allotment[0]?.endsAt]).toEqual([100, now + minute]);
  });

  test('numbers of any size are exact', async () => {
    const large = window({ limit: Number.MAX_SAFE_INTEGER });
    const first = await at.store.takeFromWindow(large, { wanted: 1_000, used: 5_000_000_000, now });
    expect(first.granted + first.left).toBe(Number.MAX_SAFE_INTEGER - 5_000_000_000);
  });

  test('a closed store grants nothing', async () => {
    const { store } = at;
    await store.close();
    const calls = [
      async () => store.takeFromWindow(window(), { wanted: 1, used: 0, now }),
      async () => store.returnToWindow(hashOf('w'), now, 1),
    ];
    for (const call of calls) await expect(call()).rejects.toBeInstanceOf(StoreUnavailable);
  });
}
