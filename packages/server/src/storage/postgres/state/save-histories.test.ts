import postgres, { type Sql } from 'postgres';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { holdSave, replaceSave } from '../../sql/save-rows.ts';
import type { Store } from '../../store.ts';
import {
  damaged,
  deleteSave,
  everything,
  key,
  listedOf,
  save,
  textsOf,
  writeUpTo,
} from '../../store-contract/state/save-histories.fixture.ts';
import { withDatabase } from '../connection/database.ts';
import { engineSql } from '../engine-sql.ts';
import { type LeasedDatabase, leaseDatabase } from '../fixtures/leases.fixture.ts';
import { inspectPostgres } from '../inspect/inspect.ts';
import { takeSteps } from '../steps.ts';
import { openPostgresStore } from '../store.ts';

let lease: LeasedDatabase;
let store: Store;
let sql: Sql;

beforeEach(async () => {
  lease = await leaseDatabase();
  store = await openPostgresStore({ url: lease.url, answerMilliseconds: 20_000 });
  sql = postgres(lease.url, { max: 1, onnotice: () => {} });
});
afterEach(async () => {
  await store.close();
  await sql.end();
  await lease.release();
});

const faults = async () =>
  (await inspectPostgres(lease.url, { isQuick: false })).faults.map(({ check, message }) => `${check}: ${message}`);

test('damage is an error that names the version, and doctor finds it', async () => {
  await writeUpTo(store, 40);
  expect(await faults()).toEqual([]);
  await sql`UPDATE user_state_versions SET checksum = checksum + 1 WHERE version = 35`;
  await sql`DELETE FROM user_state_versions WHERE version = 20`;
  const texts = await textsOf(store, 40);
  expect([texts[33], texts[34], texts[35], texts[18]]).toEqual([save(34), damaged(35), save(36), damaged(19)]);
  expect(await faults()).toEqual([
    'history: versions 1 to 19, version 35 of the save of "ada" in acc_1/p/production cannot be read: what is stored is not what was written',
    'usage: acc_1/p counts the versions of 1 saves wrongly',
  ]);
});

test('versions that a node of the release before wrote are missing, and nothing is wrong with that', async () => {
  await writeUpTo(store, 35);
  await sql`UPDATE user_states SET version = 38, updated_at = 9, state = ${save(77)}`;
  await sql`UPDATE environments SET user_version_ceiling = 100`;
  await writeUpTo(store, 40);
  const left = Array.from({ length: 32 }, (_, n) => save(n + 1));
  expect(await textsOf(store, 40)).toEqual([...left, ...Array(5).fill(null), save(77), save(39), save(40)]);
  expect(await listedOf(store)).toEqual([40, 39, 38, ...Array.from({ length: 32 }, (_, n) => 32 - n)]);
  expect(await faults()).toEqual([]);
});

test('what a node of the release before deletes leaves its versions to the sweep, and nobody finds them', async () => {
  await writeUpTo(store, 5);
  const [{ state_bytes: bytes } = {}] = await sql`DELETE FROM user_states RETURNING state_bytes`;
  await sql`DELETE FROM end_users`;
  await sql`UPDATE user_usage SET end_users = end_users - 1, bytes = bytes - ${bytes}`;
  await writeUpTo(store, 7);
  expect(await listedOf(store)).toEqual([7, 6, 5, 4, 3, 2, 1]);
  expect((await sql`SELECT 1 FROM user_state_versions`).length).toBe(4 + 6);
  const { saves } = await store.listKeptSaves(null);
  const gone = saves.filter((each) => each.key === undefined);
  expect(gone).toHaveLength(1);
  expect(await store.dropUserStateVersions(gone.map((each) => ({ save: each, keeps: null })))).toBe(4);
  expect(await faults()).toEqual([]);
  await deleteSave(store);
  expect((await sql`SELECT 1 FROM user_state_versions`).length).toBe(0);
  expect(await faults()).toEqual([]);
});

test('a verb of several statements writes versions too', async () => {
  await writeUpTo(store, 3);
  const [{ project_id: projectId, bucket_secret: secret } = {}] =
    await sql`SELECT project_id, bucket_secret FROM projects, installation`;
  const setting = { engine: engineSql(secret) };
  const row = { ...key, projectId };
  function* twice() {
    const held = yield* holdSave(setting, row);
    if (held === undefined) throw new Error('there is no save');
    const next = { stateText: save(4), stateBytes: save(4).length, writtenAt: 4_000, keeps: everything };
    const fourth = yield* replaceSave(setting, row, held, next);
    return yield* replaceSave(setting, row, fourth, { ...next, stateText: '{"a":1}', stateBytes: 7 });
  }
  await withDatabase({ urls: [lease.url], connectionsMax: 1, isPooled: false }, (database) =>
    database.transaction('read committed', (query) => takeSteps(query, twice())),
  );
  expect(await textsOf(store, 5)).toEqual([save(1), save(2), save(3), save(4), '{"a":1}']);
  expect(await faults()).toEqual([]);
});
