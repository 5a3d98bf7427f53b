import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../../store.ts';
import { absent, ensureProject, newState, stateKey, version } from '../../store-suite/harness.ts';
import { newUserState, userKey } from '../../store-suite/sign-in/sign-in-records.ts';
import { type LeasedDatabase, leaseDatabase } from '../fixtures/leases.fixture.ts';
import { openPostgresStore } from '../store.ts';

const mebibyte = 1024 * 1024;
let lease: LeasedDatabase;
let stores: Store[];

async function openTwo(quotas: { endUsers?: number; storageBytes?: number }): Promise<[Store, Store]> {
  const all = { apiRequests: 0, projects: 0, endUsers: 0, storageBytes: 0, ...quotas };
  const open = () => openPostgresStore({ url: lease.url, quotas: all, connectionsMax: 6, answerMilliseconds: 20_000 });
  stores = [await open(), await open()];
  return stores as [Store, Store];
}

beforeEach(async () => {
  lease = await leaseDatabase();
});
afterEach(async () => {
  for (const store of stores) await store.close();
  await lease.release();
});

test('many first writes on two nodes let in as many players as the account may have', async () => {
  const [one, two] = await openTwo({ endUsers: 10 });
  await ensureProject(one, stateKey());
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      (i % 2 === 0 ? one : two).writeUserState(userKey(`user-${i}`), absent, newUserState()),
    ),
  );
  expect(outcomes.filter(({ kind }) => kind === 'written')).toHaveLength(10);
  expect(outcomes.filter(({ kind }) => kind === 'quota')).toHaveLength(30);
  expect((await one.readUsage('acc_1', 0))?.used.endUsers).toBe(10);
});

test('a player who starts in two environments on two nodes at the same time counts once', async () => {
  const [one, two] = await openTwo({});
  await ensureProject(one, stateKey());
  for (let i = 0; i < 20; i++) {
    const id = `user-${i}`;
    await Promise.all([
      one.writeUserState(userKey(id, { environment: 'staging' }), absent, newUserState()),
      two.writeUserState(userKey(id, { environment: 'production' }), absent, newUserState()),
    ]);
    expect((await one.readUsage('acc_1', 0))?.used.endUsers).toBe(i + 1);
  }
});

test.each([
  ['with a small limit', 100_000],
  ['with a limit large enough for writes without a lock', 257 * mebibyte],
])('writes of public state on two nodes never exceed the byte limit, %s', async (_name, limit) => {
  const [one, two] = await openTwo({ storageBytes: limit });
  const text = `{"s":"${'x'.repeat(limit > mebibyte ? 250_000 : 9_000)}"}`;
  const keys = Array.from({ length: 12 }, (_, i) => stateKey({ slug: `p-${i}` }));
  for (const key of keys) await ensureProject(one, key);
  // Existing bytes leave room for only a few more writes.
  const filled = limit > mebibyte ? limit - 5 * text.length : 0;
  if (filled > 0) await fill(one, filled);
  const outcomes = await Promise.all(
    keys.map((key, i) => (i % 2 === 0 ? one : two).writePublicState(key, absent, newState(text))),
  );
  const written = outcomes.filter(({ kind }) => kind === 'written').length;
  const usage = await one.readUsage('acc_1', 0);
  expect(usage?.used.storageBytes).toBe(filled + written * text.length);
  expect(usage?.used.storageBytes).toBeLessThanOrEqual(limit);
  expect(written).toBe(Math.floor((limit - filled) / text.length));
  for (const outcome of outcomes) {
    if (outcome.kind !== 'written') expect(outcome).toMatchObject({ kind: 'quota', quota: 'storageBytes', limit });
  }
});

/** Makes an account use this many bytes: one version is counted as if it took them. */
async function fill(store: Store, bytes: number): Promise<void> {
  const key = stateKey({ slug: 'large' });
  await ensureProject(store, key);
  await store.writePublicState(key, absent, { ...newState('{}'), stateBytes: bytes });
}

test('near the limit a shorter state is stored, and a longer one refused with the usage', async () => {
  const [one, two] = await openTwo({ storageBytes: 100 });
  await ensureProject(one, stateKey());
  expect(await one.writeUserState(userKey(), absent, newUserState(`{"s":"${'x'.repeat(80)}"}`))).toMatchObject({
    version: 1,
  });
  const longer = newUserState(`{"s":"${'x'.repeat(93)}"}`);
  const refused = { kind: 'quota', quota: 'storageBytes', limit: 100, used: 88 };
  expect(await two.writeUserState(userKey(), version(1), longer)).toEqual(refused);
  expect(await two.writeUserState(userKey(), version(1), newUserState('{}'))).toMatchObject({ version: 2 });
  expect(await one.writeUserState(userKey(), version(1), longer)).toEqual({ kind: 'conflict', currentVersion: 2 });
  expect((await one.readUsage('acc_1', 0))?.used).toMatchObject({ endUsers: 1, storageBytes: 2 });
});
