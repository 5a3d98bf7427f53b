import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { type Store, StoreFault, StoreUnavailable } from '../../store.ts';
import { absent, account, ensureProject, newState, stateKey, version } from '../../store-suite/harness.ts';
import { databasePath } from '../directory/database.ts';
import { temporary } from '../temporary.fixture.ts';
import { startChild } from './test-processes/child.ts';

const at = temporary();
const key = stateKey();

async function openWithState(dataDir: string): Promise<Store> {
  const store = await at.open({ dataDir });
  await ensureProject(store, key);
  await store.writePublicState(key, absent, newState('{"n":1}'));
  return store;
}

const prlimit = spawnSync('prlimit', ['--version']).status === 0;

test.skipIf(!prlimit)('a full disk fails writes, and they resume once there is room again', async () => {
  const dataDir = at.directory();
  const child = startChild('write.ts', dataDir, '4');
  await child.line('written p3');
  const limit = (bytes: string) => execFileSync('prlimit', [`--pid=${child.process.pid}`, `--fsize=${bytes}:unlimited`]);
  limit(String(statSync(`${databasePath(dataDir)}-wal`).size + 8_192));
  await child.line('failed');
  const before = child.lines.length;
  await expect.poll(() => child.lines.slice(before).filter((line) => line.startsWith('failed')).length).toBeGreaterThan(3);
  limit('unlimited');
  const after = child.lines.length;
  await expect.poll(() => child.lines.slice(after).filter((line) => line.startsWith('written')).length).toBeGreaterThan(50);
  child.process.kill('SIGKILL');
  await child.ended;

  expect(child.lines.filter((line) => line.startsWith('lost'))).toEqual([]);
  const store = await at.open({ dataDir });
  for (const slug of ['p0', 'p1', 'p2', 'p3']) {
    const acknowledged = child.lines.findLast((line) => line.startsWith(`written ${slug} `))?.split(' ')[2];
    const found = await store.readPublicState({ ...key, slug });
    expect(found.kind === 'present' && found.record.version).toBeGreaterThanOrEqual(Number(acknowledged));
  }
});

test.skipIf(!prlimit)(
  'a write-ahead log that cannot be copied is bounded, and empties once there is room again',
  async () => {
    const dataDir = at.directory();
    const path = databasePath(dataDir);
    const store = await openWithState(dataDir);
    const mebibyte = 2 ** 20;
    for (let n = 1; n < 150; n++) {
      await store.writePublicState(
        key,
        version(n),
        newState(JSON.stringify({ text: randomBytes(180_000).toString('base64') })),
      );
    }
    await store.close();
    expect(statSync(path).size).toBeGreaterThan(32 * mebibyte);
    const child = startChild('write.ts', dataDir, '4', 'acc_2');
    await child.line('written p3');
    const limit = (bytes: string) => execFileSync('prlimit', [`--pid=${child.process.pid}`, `--fsize=${bytes}:unlimited`]);
    // The database cannot grow, but the log can grow to the same size.
    limit(String(statSync(path).size));
    const failed = await child.line('failed');
    expect(failed).toContain('the write-ahead log cannot be emptied');
    expect(statSync(`${path}-wal`).size).toBeLessThan(24 * mebibyte);
    const before = child.lines.length;
    limit('unlimited');
    await expect
      .poll(() => child.lines.slice(before).filter((line) => line.startsWith('written')).length)
      .toBeGreaterThan(50);
    child.process.kill('SIGKILL');
    await child.ended;
    expect(child.lines.filter((line) => line.startsWith('lost'))).toEqual([]);
  },
);

test('while another process holds the database writes fail after a while, reads work, and all recovers afterwards', async () => {
  const dataDir = at.directory();
  const store = await openWithState(dataDir);
  const other = new DatabaseSync(databasePath(dataDir), { timeout: 30_000 });
  other.exec('BEGIN IMMEDIATE');
  const writing = Promise.allSettled([store.writePublicState(key, version(1), newState('{"n":2}')), store.checkReady()]);
  expect(await store.readPublicState(key)).toMatchObject({ record: { version: 1 } });
  const refused = { status: 'rejected', reason: expect.any(StoreUnavailable) };
  expect(await writing).toEqual([refused, refused]);
  other.exec('ROLLBACK');
  other.close();
  await expect(store.checkReady()).resolves.toBeUndefined();
  expect(await store.writePublicState(key, version(1), newState('{"n":2}'))).toEqual({ kind: 'written', version: 2 });
  expect(await store.readPublicState(key)).toMatchObject({ record: { version: 2 } });
});

test('a writer thread that dies fails the writes under way and is restarted', async () => {
  const workers: Worker[] = [];
  const note = (worker: Worker) => workers.push(worker);
  process.on('worker', note);
  const store = await openWithState(at.directory());
  const changed = vi.fn();
  store.onAccessChange(changed);
  const write = store.writePublicState(key, version(1), newState('{"n":2}'));
  const [outcome] = await Promise.allSettled([write, workers[0]?.terminate()]);
  if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(StoreUnavailable);
  expect(changed).toHaveBeenCalled();
  await expect(store.createAccount(account('acc_2'))).rejects.toBeInstanceOf(StoreUnavailable);
  await vi.waitFor(() => store.checkReady(), { timeout: 60_000 });
  expect(workers).toHaveLength(2);
  const found = await store.readPublicState(key);
  const current = found.kind === 'present' ? found.record.version : 0;
  expect(current).toBeOneOf([1, 2]);
  expect(await store.writePublicState(key, version(current), newState())).toEqual({
    kind: 'written',
    version: current + 1,
  });
  process.off('worker', note);
});

test('writes over the queue limit are refused immediately, those within it succeed', async () => {
  const store = await openWithState(at.directory());
  const many = await Promise.allSettled(
    Array.from({ length: 10_500 }, () => store.writePublicState(key, version(9), newState())),
  );
  expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(10_000);
  expect(many.at(-1)).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailable' } });

  const large = newState(`{"s":"${'x'.repeat(250_000)}"}`);
  const characters = await Promise.allSettled(
    Array.from({ length: 600 }, () => store.writePublicState(key, version(9), large)),
  );
  const refused = characters.filter(({ status }) => status === 'rejected').length;
  expect(refused).toBeGreaterThan(50);
  expect(refused).toBeLessThan(80);
  await expect(store.checkReady()).resolves.toBeUndefined();
});

test('an unreadable database file fails reads, without ending anything', async () => {
  const dataDir = at.directory();
  await (await openWithState(dataDir)).close();
  const repair = damage(dataDir, 'public_state_versions');
  const store = await at.open({ dataDir });
  expect(() => store.readPublicState(key)).toThrow(StoreUnavailable);
  await expect(store.writePublicState(key, version(1), newState())).rejects.toBeInstanceOf(StoreUnavailable);
  repair();
  expect(await store.readPublicState(key)).toMatchObject({ record: { version: 1 } });
  expect(await store.writePublicState(key, version(1), newState())).toEqual({ kind: 'written', version: 2 });
});

/** Overwrites the first page of a table in the database. Returns a function that restores it. */
function damage(dataDir: string, table: string): () => void {
  const path = databasePath(dataDir);
  const database = new DatabaseSync(path);
  const page = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table)?.rootpage as number;
  const size = database.prepare('PRAGMA page_size').get()?.page_size as number;
  database.close();
  const sound = readFileSync(path);
  const damaged = Uint8Array.from(sound).fill(0xff, (page - 1) * size, page * size);
  writeFileSync(path, damaged);
  return () => writeFileSync(path, sound);
}

test('a missing table and an unstorable value are faults, not outages', async () => {
  const dataDir = at.directory();
  const store = await openWithState(dataDir);
  const beside = await at.open({ dataDir, exclusive: false });
  const database = new DatabaseSync(databasePath(dataDir), { timeout: 30_000 });
  database.exec('ALTER TABLE public_state_versions RENAME TO hidden');
  const read = async () => beside.readPublicState(key);
  await expect(read()).rejects.toMatchObject({
    name: 'StoreFault',
    cause: { message: expect.stringContaining('no such') },
  });
  await expect(store.writePublicState(key, version(1), newState())).rejects.toBeInstanceOf(StoreFault);
  database.exec('ALTER TABLE hidden RENAME TO public_state_versions');
  database.close();
  expect(await store.writePublicState(key, version(1), newState())).toEqual({ kind: 'written', version: 2 });

  expect(() => store.findApiKey(Symbol() as unknown as Uint8Array)).toThrow(StoreFault);
  await expect(store.createAccount({ ...account(), createdAt: {} as number })).rejects.toBeInstanceOf(StoreFault);
});
