import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { unlimited } from '../storage/contract/usage.ts';
import { temporary } from '../storage/sqlite/temporary.fixture.ts';
import { type Store, StoreUnavailable } from '../storage/store.ts';
import { anAccount, aProject, byOperator } from '../storage/store-suite/records.fixture.ts';
import { monthOf } from './month-count.ts';
import { QuotaRefusal } from './quota-refusal.ts';
import { RequestMeter } from './request-quota.ts';
import { createSharedWindows } from './shared-windows.fixture.ts';

const november = Date.UTC(2026, 10, 20);
const december = Date.UTC(2026, 11);
const day = 86_400_000;
const limit = 10;
const files = temporary();
let store: Store;
let clock: number;
const meters: RequestMeter[] = [];
const onFault = vi.fn();

const newMeter = (over: Partial<Store> = {}, accountsMax?: number): RequestMeter => {
  const { readUsage, addApiRequests, takeFromWindow, returnToWindow } = { ...store, ...over };
  const onAccessChange = store.onAccessChange.bind(store);
  const verbs = { readUsage, addApiRequests, takeFromWindow, returnToWindow, onAccessChange };
  const parts = { store: verbs, now: () => clock, onFault };
  const meter = new RequestMeter({ ...parts, ...(accountsMax !== undefined && { accountsMax }) });
  meters.push(meter);
  return meter;
};
const count = async (meter: RequestMeter, times: number, accountId = 'acc_1') => {
  for (let i = 0; i < times; i++) await meter.count(accountId, false);
};
const countPublic = async (meter: RequestMeter, times: number) => {
  for (let i = 0; i < times; i++) await meter.count('acc_1', true);
};
const stored = async (accountId = 'acc_1', at = clock) =>
  (await store.readUsage(accountId, monthOf(at).startsAt))?.used.apiRequests;
/** Lets this much time pass, and the store respond. */
const pass = async (milliseconds: number) => {
  await vi.advanceTimersByTimeAsync(milliseconds);
  await store.checkReady();
};

beforeEach(async () => {
  clock = november;
  onFault.mockClear();
  store = await files.open({ dataDir: files.directory(), quotas: { ...unlimited, apiRequests: limit } });
  await store.createAccount(anAccount({ accountId: 'acc_1', name: 'a', idpTenantId: 't', createdAt: 1 }));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  for (const meter of meters.splice(0)) await meter.close();
  vi.useRealTimers();
});

describe('a request meter', () => {
  test('enforces a limit to the request, and does not count refused ones', async () => {
    const meter = newMeter();
    await count(meter, limit);
    for (let i = 0; i < 3; i++) expect(() => meter.count('acc_1', false)).toThrow(QuotaRefusal);
    expect(await meter.used('acc_1')).toBe(limit);
    await meter.close();
    expect(await stored()).toBe(limit);
    await expect(count(newMeter(), 1)).rejects.toThrow(QuotaRefusal);
  });

  test('has stored everything a second later, even without a close', async () => {
    const meter = newMeter();
    await count(meter, 3);
    await pass(300);
    await count(meter, 2);
    expect(await stored()).toBe(0);
    await pass(700);
    expect(await stored()).toBe(5);
    await count(meter, 1);
    await pass(1_000);
    expect(await stored()).toBe(6);
  });

  test('learns within a second the counts of another meter for the same account', async () => {
    const [one, other] = [newMeter(), newMeter()];
    await count(one, 6);
    await count(other, 3);
    await pass(1_000);
    expect(await stored()).toBe(9);
    expect([await one.used('acc_1'), await other.used('acc_1')]).toEqual([9, 9]);
    await count(one, 1);
    expect(await one.used('acc_1')).toBe(10);
    await pass(1_000);
    expect(await other.used('acc_1')).toBe(10);
    await expect(count(one, 1)).rejects.toThrow(QuotaRefusal);
    await expect(count(other, 1)).rejects.toThrow(QuotaRefusal);
  });

  test('counts each day separately, and late counts of a month on its last day', async () => {
    const meter = newMeter();
    clock = december - 12 * day + 5;
    await count(meter, 2);
    await pass(1_000);
    clock = december - 1;
    await count(meter, 3);
    clock = december;
    await count(meter, 1);
    await meter.close();
    expect(await store.readDailyRequests('acc_1', 0)).toEqual([
      { dayStartsAt: december - 12 * day, requests: 2 },
      { dayStartsAt: december - day, requests: 3 },
      { dayStartsAt: december, requests: 1 },
    ]);
  });

  test('sends counts again that the store refused', async () => {
    let isDown = true;
    const meter = newMeter({
      addApiRequests: async (...values) => {
        if (isDown) throw new StoreUnavailable('cannot write: a test');
        return store.addApiRequests(...values);
      },
    });
    await count(meter, 4);
    await pass(1_000);
    expect([onFault.mock.calls.length, await stored(), await meter.used('acc_1')]).toEqual([1, 0, 4]);
    await count(meter, 1);
    isDown = false;
    await pass(1_000);
    expect([await stored(), await meter.used('acc_1')]).toEqual([5, 5]);
  });

  test('counts each request for its month', async () => {
    const meter = newMeter();
    await count(meter, limit);
    clock = december - 1;
    await expect(count(meter, 1)).rejects.toThrow(QuotaRefusal);
    clock = december;
    await count(meter, 2);
    await pass(1_000);
    expect([await stored('acc_1', november), await stored()]).toEqual([limit, 2]);
    clock = november;
    await expect(count(meter, 1)).rejects.toThrow(QuotaRefusal);
  });

  test('reads the limit again of a changed account only', async () => {
    await store.createAccount(anAccount({ accountId: 'acc_2', name: 'b', idpTenantId: 'u', createdAt: 1 }));
    const read = vi.fn(store.readUsage.bind(store));
    const meter = newMeter({ readUsage: read });
    await count(meter, 1);
    await count(meter, 1, 'acc_2');
    read.mockClear();
    await store.writeOwnLimits(byOperator, 'acc_2', { apiRequests: 1 });
    await store.createProject(byOperator, aProject({ accountId: 'acc_1', slug: 'p', name: 'p', createdAt: 1 }));
    await store.deleteProject(byOperator, { accountId: 'acc_1', slug: 'p' });
    await count(meter, 1);
    expect(read).not.toHaveBeenCalled();
    await expect(count(meter, 1, 'acc_2')).rejects.toThrow(QuotaRefusal);
    expect(read).toHaveBeenCalledOnce();
  });

  test('discards a limit that changed during the read', async () => {
    const gate = Promise.withResolvers<void>();
    const meter = newMeter({
      async readUsage(...asked) {
        const usage = await store.readUsage(...asked);
        await gate.promise;
        return usage;
      },
    });
    const early = count(meter, 1);
    await store.writeOwnLimits(byOperator, 'acc_1', { apiRequests: 1 });
    gate.resolve();
    await early;
    await expect(count(meter, 1)).rejects.toThrow(QuotaRefusal);
  });

  test('names the month without sending anything', async () => {
    const sent = vi.fn(store.addApiRequests.bind(store));
    const meter = newMeter({ addApiRequests: sent });
    await count(meter, 1);
    clock = december;
    expect(meter.month()).toEqual(monthOf(december));
    expect(sent).not.toHaveBeenCalled();
    await count(meter, 1);
    expect(sent).toHaveBeenCalledOnce();
  });

  test('applies a new limit immediately, without losing its counts', async () => {
    const meter = newMeter();
    await count(meter, 4);
    await store.writeOwnLimits(byOperator, 'acc_1', { apiRequests: 5 });
    await count(meter, 1);
    await expect(count(meter, 1)).rejects.toThrow(QuotaRefusal);
    await store.writeOwnLimits(byOperator, 'acc_1', { apiRequests: 0 });
    await count(meter, 20);
    expect(await meter.used('acc_1')).toBe(25);
  });

  test('keeps a limit even over a store that answers later', async () => {
    const readUsage: Store['readUsage'] = async (...values) => {
      await new Promise((resolve) => setImmediate(resolve));
      return store.readUsage(...values);
    };
    const meter = newMeter({ readUsage });
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, async () => meter.count('acc_1', false)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(limit);
  });

  test('forgets idle accounts if there are many, but none of their counts', async () => {
    const readUsage = vi.fn(store.readUsage);
    const meter = newMeter({ readUsage }, 20);
    const accounts = Array.from({ length: 40 }, (_, i) => `acc_n${i}`);
    for (const accountId of accounts) {
      await store.createAccount(anAccount({ accountId, name: 'a', idpTenantId: accountId, createdAt: 1 }));
    }
    for (const accountId of accounts) await count(meter, 9, accountId);
    await pass(1_000);
    await pass(1);
    for (const accountId of accounts) {
      await count(meter, 1, accountId);
      await expect(count(meter, 1, accountId)).rejects.toThrow(QuotaRefusal);
    }
    expect(readUsage).toHaveBeenCalledTimes(80);
  });

  test('lets public credentials use half of a limit, rounded down, and the others all of the rest', async () => {
    const meter = newMeter();
    await store.writeOwnLimits(byOperator, 'acc_1', { apiRequests: 9 });
    await countPublic(meter, 4);
    await expect(countPublic(meter, 1)).rejects.toMatchObject({
      message: expect.stringContaining('publishable API keys'),
      details: { limit: 4, used: 4 },
    });
    await count(meter, 5);
    await expect(count(meter, 1)).rejects.toMatchObject({ details: { limit: 9, used: 9 } });
    expect(await meter.used('acc_1')).toBe(9);
    await meter.close();
    expect(await store.readUsage('acc_1', monthOf(clock).startsAt)).toMatchObject({
      used: { apiRequests: 9 },
      publicApiRequests: 4,
    });
    clock = december;
    await countPublic(newMeter(), 4);
  });

  test('keeps the share of public credentials over a restart, and counts it even without a limit', async () => {
    await store.writeOwnLimits(byOperator, 'acc_1', { apiRequests: 0 });
    const first = newMeter();
    await countPublic(first, 7);
    await pass(1_000);
    await countPublic(first, 1);
    await first.close();
    await store.writeOwnLimits(byOperator, 'acc_1', { apiRequests: 20 });
    const second = newMeter();
    await countPublic(second, 2);
    await expect(countPublic(second, 1)).rejects.toMatchObject({ details: { limit: 10, used: 10 } });
    await count(second, 10);
  });

  test('takes nothing from the share of public credentials once the month is used up', async () => {
    const meter = newMeter();
    await count(meter, 8);
    await countPublic(meter, 2);
    for (let i = 0; i < 5; i++) await expect(countPublic(meter, 1)).rejects.toMatchObject({ details: { limit: 10 } });
    await store.writeOwnLimits(byOperator, 'acc_1', { apiRequests: 16 });
    await countPublic(meter, 6);
    await expect(countPublic(meter, 1)).rejects.toMatchObject({ details: { limit: 8, used: 8 } });
  });

  test('sends the share of public credentials again if the store refused it', async () => {
    let isDown = true;
    const meter = newMeter({
      addApiRequests: async (...values) => {
        if (isDown) throw new StoreUnavailable('cannot write: a test');
        return store.addApiRequests(...values);
      },
    });
    await countPublic(meter, 3);
    await pass(1_000);
    await countPublic(meter, 1);
    isDown = false;
    await pass(1_000);
    const usage = await store.readUsage('acc_1', monthOf(clock).startsAt);
    expect([usage?.used.apiRequests, usage?.publicApiRequests]).toEqual([4, 4]);
  });

  test('counts nothing for a deleted account', async () => {
    const meter = newMeter();
    await count(meter, 2);
    await store.deleteAccount('acc_1');
    await count(meter, 20);
    expect(await meter.used('acc_1')).toBe(0);
    await pass(1_000);
    expect(onFault).not.toHaveBeenCalled();
  });
});

describe('several request meters over one store', () => {
  let windows: ReturnType<typeof createSharedWindows>;
  let nodes: RequestMeter[];
  const crowd = async (times: number) => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: times }, async (_, i) => nodes[i % nodes.length]?.count('acc_1', false)),
    );
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(QuotaRefusal);
    }
    return outcomes.filter(({ status }) => status === 'fulfilled').length;
  };
  const setLimit = (apiRequests: number) => store.writeOwnLimits(byOperator, 'acc_1', { apiRequests });
  beforeEach(() => {
    windows = createSharedWindows();
    nodes = [newMeter(windows), newMeter(windows), newMeter(windows)];
  });

  test.each([1, 10, 1_000, 5_000])('admit %i requests together, and never one more', async (most) => {
    await setLimit(most);
    const crowds = [await crowd(most), await crowd(most), await crowd(most)];
    expect(crowds.reduce((sum, one) => sum + one)).toBe(most);
    await pass(1_000);
    for (const node of nodes) {
      await expect(count(node, 1)).rejects.toMatchObject({ details: { limit: most, used: most } });
      expect(await node.used('acc_1')).toBe(most);
    }
    expect(await stored()).toBe(most);
  });

  test.each([1, 11, 1_000])(
    'admit half of %i requests from public credentials together, and the rest from others',
    async (most) => {
      await setLimit(most);
      const half = Math.floor(most / 2);
      const send = async (isPublic: boolean) => {
        const outcomes = await Promise.allSettled(
          Array.from({ length: most + 3 }, async (_, i) => nodes[i % nodes.length]?.count('acc_1', isPublic)),
        );
        return outcomes.filter(({ status }) => status === 'fulfilled').length;
      };
      expect((await send(true)) + (await send(true))).toBe(half);
      await pass(1_000);
      for (const node of nodes) {
        await expect(countPublic(node, 1)).rejects.toMatchObject({ details: { limit: half, used: half } });
      }
      expect((await send(false)) + (await send(false))).toBe(most - half);
    },
  );

  test('return the share of public credentials if the total remainder is unknown', async () => {
    await setLimit(400);
    const node = newMeter({
      ...windows,
      async takeFromWindow(window, demand) {
        if (window.limit === 400) throw new StoreUnavailable('a test');
        return windows.takeFromWindow(window, demand);
      },
    });
    for (let i = 0; i < 300; i++) await expect(countPublic(node, 1)).rejects.toBeInstanceOf(StoreUnavailable);
    await node.close();
    const [other] = nodes as [RequestMeter];
    await countPublic(other, 200);
    await expect(countPublic(other, 1)).rejects.toThrow(QuotaRefusal);
  });

  test('continue after each other, to the request', async () => {
    const [one, other] = nodes as [RequestMeter, RequestMeter];
    await setLimit(1_000);
    await count(one, 501);
    await one.close();
    await count(other, 499);
    await expect(count(other, 1)).rejects.toThrow(QuotaRefusal);
  });

  test('can use the requests that one of them left idle for a while', async () => {
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const [one, other] = [newMeter(windows), newMeter(windows)];
    await setLimit(1_000);
    await count(one, 1);
    for (let i = 0; i < 995; i++) await count(other, 1);
    await expect(count(other, 1)).rejects.toMatchObject({ details: { used: 1_000 } });
    await pass(59_000);
    clock += 59_000;
    await expect(count(other, 1)).rejects.toThrow(QuotaRefusal);
    await pass(1_000);
    clock += 1_000;
    await count(other, 4);
    await expect(count(other, 1)).rejects.toThrow(QuotaRefusal);
    await expect(count(one, 1)).rejects.toThrow(QuotaRefusal);
  });

  test('keep their grants as long as they need them', async () => {
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const node = newMeter(windows);
    await setLimit(10_000);
    for (let i = 0; i < 20; i++) {
      await count(node, 1);
      await pass(25_000);
      clock += 25_000;
    }
    expect(windows.demands).toBe(1);
  });

  test('keep to a limit that is set, raised and lowered while they run', async () => {
    await setLimit(0);
    expect(await crowd(300)).toBe(300);
    await pass(1_000);
    await setLimit(500);
    expect((await crowd(300)) + (await crowd(300))).toBe(200);
    await setLimit(600);
    expect((await crowd(300)) + (await crowd(300))).toBe(100);
    await setLimit(550);
    expect(await crowd(30)).toBe(0);
    await setLimit(0);
    expect(await crowd(30)).toBe(30);
  });

  test('ask about once a second whether requests are free again', async () => {
    expect(await crowd(300)).toBe(limit);
    const { demands } = windows;
    expect(await crowd(300)).toBe(0);
    clock += 999;
    expect(await crowd(300)).toBe(0);
    expect(windows.demands - demands).toBeLessThanOrEqual(nodes.length);
    clock += 1_001;
    const before = windows.demands;
    expect(await crowd(300)).toBe(0);
    expect(windows.demands - before).toBe(nodes.length);
  });

  test('admit nobody while the remainder is unknown, except accounts without a limit', async () => {
    windows.isDown = true;
    const [node] = nodes as [RequestMeter];
    await expect(count(node, 1)).rejects.toBeInstanceOf(StoreUnavailable);
    await setLimit(0);
    await count(node, 1);
    await setLimit(10);
    windows.isDown = false;
    await count(node, 9);
    await expect(count(node, 1)).rejects.toThrow(QuotaRefusal);
  });
});
