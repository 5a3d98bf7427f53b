import postgres, { type Sql } from 'postgres';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { holdUserState, replaceUserState } from '../../sql/user-state-rows.ts';
import type { Store } from '../../store.ts';
import {
  damaged,
  deleteUserState,
  everything,
  key,
  listedOf,
  nthState,
  textsOf,
  writeUpTo,
} from '../../store-contract/state/user-state-histories.fixture.ts';
import { databaseAddress } from '../connection/address.ts';
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
  expect([texts[33], texts[34], texts[35], texts[18]]).toEqual([nthState(34), damaged(35), nthState(36), damaged(19)]);
  expect(await faults()).toEqual([
    'history: versions 1 to 19, version 35 of the save of "ada" in acc_1/p/production cannot be read: what is stored is not what was written',
    'usage: acc_1/p counts the versions of 1 saves wrongly',
  ]);
});

test('versions missing after writes of a previous release are no fault', async () => {
  await writeUpTo(store, 35);
  await sql`UPDATE user_states SET version = 38, updated_at = 9, state = ${nthState(77)}`;
  await sql`UPDATE environments SET user_version_ceiling = 100`;
  await writeUpTo(store, 40);
  const left = Array.from({ length: 32 }, (_, n) => nthState(n + 1));
  expect(await textsOf(store, 40)).toEqual([...left, ...Array(5).fill(null), nthState(77), nthState(39), nthState(40)]);
  expect(await listedOf(store)).toEqual([40, 39, 38, ...Array.from({ length: 32 }, (_, n) => 32 - n)]);
  expect(await faults()).toEqual([]);
});

test('deletions of a previous release leave their versions to the sweep, and nobody finds them', async () => {
  await writeUpTo(store, 5);
  const [{ state_bytes: bytes } = {}] = await sql`DELETE FROM user_states RETURNING state_bytes`;
  await sql`DELETE FROM end_users`;
  await sql`UPDATE user_usage SET end_users = end_users - 1, bytes = bytes - ${bytes}`;
  await writeUpTo(store, 7);
  expect(await listedOf(store)).toEqual([7, 6, 5, 4, 3, 2, 1]);
  expect((await sql`SELECT 1 FROM user_state_versions`).length).toBe(4 + 6);
  const { userStates } = await store.listKeptUserStates(null);
  const gone = userStates.filter((each) => each.key === undefined);
  expect(gone).toHaveLength(1);
  expect(await store.dropUserStateVersions(gone.map((each) => ({ userState: each, keeps: null })))).toBe(4);
  expect(await faults()).toEqual([]);
  await deleteUserState(store);
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
    const held = yield* holdUserState(setting, row);
    if (held === undefined) throw new Error('there is no user state');
    const next = { stateText: nthState(4), stateBytes: nthState(4).length, writtenAt: 4_000, keeps: everything };
    const fourth = yield* replaceUserState(setting, row, held, next);
    return yield* replaceUserState(setting, row, fourth, { ...next, stateText: '{"a":1}', stateBytes: 7 });
  }
  await withDatabase(databaseAddress(lease.url, 1), (database) =>
    database.transaction('read committed', (query) => takeSteps(query, twice())),
  );
  expect(await textsOf(store, 5)).toEqual([nthState(1), nthState(2), nthState(3), nthState(4), '{"a":1}']);
  expect(await faults()).toEqual([]);
});
