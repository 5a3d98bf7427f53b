import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { temporary } from '../storage/sqlite/test-directory.ts';
import { type Store, StoreUnavailable } from '../storage/store.ts';
import { unlimited } from '../storage/usage-store.ts';
import { QuotaRefusal } from './quota-refusal.ts';
import { createRequestMeter, monthOf, type RequestMeter } from './quota-requests.ts';

const november = Date.UTC(2026, 10, 20);
const december = Date.UTC(2026, 11);
const limit = 10;
const files = temporary();
let store: Store;
let clock: number;
const meters: RequestMeter[] = [];
const onFault = vi.fn();

const newMeter = (over: Partial<Store> = {}, accountsMax?: number): RequestMeter => {
  const { readUsage, addApiRequests } = { ...store, ...over };
  const onAccessChange = (listener: () => void) => store.onAccessChange(listener);
  const parts = { store: { readUsage, addApiRequests, onAccessChange }, now: () => clock, onFault };
  const meter = createRequestMeter({ ...parts, ...(accountsMax !== undefined && { accountsMax }) });
  meters.push(meter);
  return meter;
};
const count = async (meter: RequestMeter, times: number, accountId = 'acc_1') => {
  for (let i = 0; i < times; i++) await meter.count(accountId);
};
const stored = async (accountId = 'acc_1', at = clock) =>
  (await store.readUsage(accountId, monthOf(at).startsAt))?.used.apiRequests;
/** Lets so much time pass, and the store answer. */
const pass = async (milliseconds: number) => {
  await vi.advanceTimersByTimeAsync(milliseconds);
  await store.checkReady();
};

beforeEach(async () => {
  clock = november;
  onFault.mockClear();
  store = await files.open({ dataDir: files.directory(), quotas: { ...unlimited, apiRequests: limit } });
  await store.createAccount({ accountId: 'acc_1', name: 'a', idpTenantId: 't', createdAt: 1 });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  for (const meter of meters.splice(0)) await meter.close();
  vi.useRealTimers();
});

describe('a request meter', () => {
  test('keeps a limit to the request, and does not count what it refuses', async () => {
    const meter = newMeter();
    await count(meter, limit);
    for (let i = 0; i < 3; i++) expect(() => meter.count('acc_1')).toThrow(QuotaRefusal);
    expect(await meter.used('acc_1')).toBe(limit);
    await meter.close();
    expect(await stored()).toBe(limit);
    await expect(count(newMeter(), 1)).rejects.toThrow(QuotaRefusal);
  });

  test('has everything in the store a second later, although nobody closes it', async () => {
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

  test('learns within a second what another one has counted for the same account', async () => {
    const [one, other] = [newMeter(), newMeter()];
    await count(one, 6);
    await count(other, 3);
    await pass(1_000);
    expect(await stored()).toBe(9);
    await count(one, 1);
    await count(other, 1); // what it cannot know yet
    await pass(1_000);
    expect([await one.used('acc_1'), await other.used('acc_1')].sort()).toEqual([10, 11].sort());
    await expect(count(one, 1)).rejects.toThrow(QuotaRefusal);
    await expect(count(other, 1)).rejects.toThrow(QuotaRefusal);
  });

  test('sends again what the store did not take', async () => {
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

  test('takes a new limit at once, without losing what it has counted', async () => {
    const meter = newMeter();
    await count(meter, 4);
    await store.writeOwnLimits('acc_1', { apiRequests: 5 });
    await count(meter, 1);
    await expect(count(meter, 1)).rejects.toThrow(QuotaRefusal);
    await store.writeOwnLimits('acc_1', { apiRequests: 0 });
    await count(meter, 20);
    expect(await meter.used('acc_1')).toBe(25);
  });

  test('keeps a limit also over a store that answers later', async () => {
    const readUsage: Store['readUsage'] = async (...values) => {
      await new Promise((resolve) => setImmediate(resolve));
      return store.readUsage(...values);
    };
    const meter = newMeter({ readUsage });
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, async () => meter.count('acc_1')));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(limit);
  });

  test('forgets accounts that are at rest when there are many, and nothing of what they used', async () => {
    const readUsage = vi.fn(store.readUsage);
    const meter = newMeter({ readUsage }, 20);
    const accounts = Array.from({ length: 40 }, (_, i) => `acc_n${i}`);
    for (const accountId of accounts) {
      await store.createAccount({ accountId, name: 'a', idpTenantId: accountId, createdAt: 1 });
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

  test('counts nothing for an account that is gone', async () => {
    const meter = newMeter();
    await count(meter, 2);
    await store.deleteAccount('acc_1');
    await count(meter, 20);
    expect(await meter.used('acc_1')).toBe(0);
    await pass(1_000);
    expect(onFault).not.toHaveBeenCalled();
  });
});
