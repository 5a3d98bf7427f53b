/** Failures that nobody waits for are reported, retried later, and disturb nothing else. */

import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import type { BackgroundTask } from '../../contract/store-observer.ts';
import { BackgroundWork } from '../../sql/upkeep/background-work.ts';
import { StoreUnavailable } from '../../store.ts';
import { absent, account, ensureProject, newState, observed, stateKey } from '../../store-suite/harness.ts';
import { byOperator } from '../../store-suite/records.fixture.ts';
import { databasePath } from '../directory/database.ts';
import { temporary } from '../temporary.fixture.ts';

const at = temporary();
const key = stateKey();
const soon = { timeout: 60_000, interval: 20 };

/** Opens a store whose sweep fails: a deleted account waits for it, and a table that belongs to accounts is missing. */
async function openWithBrokenSweep() {
  const dataDir = at.directory();
  const told = observed();
  const store = await at.open({ dataDir, background: told.background });
  await ensureProject(store, key);
  await store.writePublicState(key, absent, newState());
  const database = new DatabaseSync(databasePath(dataDir), { timeout: 30_000 });
  database.exec(
    `ALTER TABLE pending_sign_ups RENAME TO hidden; INSERT INTO orphans (kind, target, account_id) VALUES ('account', 999, 'gone')`,
  );
  const orphans = () => database.prepare('SELECT count(*) AS orphans FROM orphans').get()?.orphans;
  const mend = () => database.exec('ALTER TABLE hidden RENAME TO pending_sign_ups');
  return { ...told, store, orphans, mend, close: () => database.close() };
}

test('a failing sweep is reported, retried at growing intervals, and reported again when it succeeds', async () => {
  const begunAt = performance.now();
  const { failures, recoveries, store, orphans, mend, close } = await openWithBrokenSweep();
  await vi.waitFor(() => expect(failures.length).toBeGreaterThan(2), soon);
  // The pauses are one second after the first failure, then two.
  expect(performance.now() - begunAt).toBeGreaterThan(2_900);
  expect(failures.map(({ task }) => task)).toEqual(failures.map(() => 'sweep'));
  expect(failures[0]?.error).toMatchObject({ message: expect.stringContaining('pending_sign_ups') });
  await expect(store.checkReady()).resolves.toBeUndefined();
  mend();
  await vi.waitFor(() => expect(recoveries).toEqual(['sweep']), soon);
  expect(orphans()).toBe(0);
  close();
});

test('a failing sweep leaves the caches alone, and removes everything else', async () => {
  const { failures, store, orphans, close } = await openWithBrokenSweep();
  await vi.waitFor(() => expect(failures).toHaveLength(1), soon);
  await ensureProject(store, stateKey({ slug: 'q' }));
  await store.writePublicState(stateKey({ slug: 'q' }), absent, newState());
  await store.deleteProject(byOperator, stateKey({ slug: 'q' }));
  await new Promise((resolve) => setTimeout(resolve, 300)); // the changes of this connection are reported by now
  let told = 0;
  store.onAccessChange(() => told++);
  await vi.waitFor(() => expect(orphans()).toBe(1), soon);
  await vi.waitFor(() => expect(failures.length).toBeGreaterThan(2), soon);
  expect(told).toBe(0);
  close();
});

test('an idle writer thread that dies is reported, and so is the start of another', async () => {
  const workers: Worker[] = [];
  const note = (worker: Worker) => workers.push(worker);
  process.on('worker', note);
  const { failures, recoveries, background } = observed();
  const store = await at.open({ dataDir: at.directory(), background });
  process.off('worker', note);
  await workers[0]?.terminate();
  expect(failures).toEqual([{ task: 'writer', error: expect.any(StoreUnavailable) }]);
  await vi.waitFor(() => store.checkReady(), soon);
  expect(recoveries).toEqual(['writer']);
});

test('a failure to look for changes is reported, everything counts as changed meanwhile, and the store is not ready', async () => {
  const dataDir = at.directory();
  const path = databasePath(dataDir);
  const first = await at.open({ dataDir });
  await ensureProject(first, key);
  await first.close();
  const { failures, recoveries, background } = observed();
  const store = await at.open({ dataDir, background });
  const sound = readFileSync(path);
  writeFileSync(path, Uint8Array.from(sound).fill(0xff));
  // Finds what it cannot read, and cannot open the database again.
  await expect(store.createAccount(account('acc_2'))).rejects.toBeInstanceOf(StoreUnavailable);
  let told = 0;
  store.onAccessChange(() => told++);
  const failuresOfPolls = () => failures.filter(({ task }) => task === 'changes');
  await vi.waitFor(() => expect(failuresOfPolls().length).toBeGreaterThan(3), soon);
  expect(told).toBeGreaterThan(2);
  await expect(store.checkReady()).rejects.toBeInstanceOf(StoreUnavailable);
  writeFileSync(path, sound);
  await vi.waitFor(() => expect(recoveries).toContain('changes'), soon);
  await expect(store.checkReady()).resolves.toBeUndefined();
});

test('each failure doubles the wait until the next try, up to a limit, and success resets it', () => {
  const failures = ['disk I/O error', 'disk I/O error'];
  const told: (BackgroundTask | 'again')[] = [];
  const work = new BackgroundWork(
    'checkpoint',
    { onBackgroundFailure: (task) => told.push(task), onBackgroundRecovery: () => told.push('again') },
    { firstMilliseconds: 1_000, maxMilliseconds: 3_000 },
  );
  expect(failures.map((message) => work.fail(new Error(message)))).toEqual([1_000, 2_000]);
  expect(work.fail(new Error('disk I/O error'))).toBe(3_000);
  work.succeed();
  work.succeed();
  expect(told).toEqual(['checkpoint', 'checkpoint', 'checkpoint', 'again']);
  expect(work.fail(new Error('disk I/O error'))).toBe(1_000);
});
