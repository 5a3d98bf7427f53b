import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Store } from '../../store.ts';
import { absent, account, ensureProject, newState, stateKey, version } from '../../store-suite/harness.ts';
import { aProject, byOperator } from '../../store-suite/records.fixture.ts';
import { databasePath } from '../directory/database.ts';
import { findOrphan, sweepSlice } from '../sweep/sweep.ts';
import { temporary } from '../temporary.fixture.ts';
import { faultsOf, inspect, runSql } from './inspect.fixture.ts';

const at = temporary();
const key = stateKey();
const place = `${key.accountId}/${key.slug}/${key.environment}`;
const userKey = (playerId: string) => ({ ...key, playerId });

/** A store without a sweep, so the remains of deletions stay until a test sweeps them. */
async function openWithHistory(dataDir: string): Promise<Store> {
  const store = await at.open({ dataDir, exclusive: false });
  await ensureProject(store, key);
  await writeAll(store);
  return store;
}

async function writeAll(store: Store): Promise<void> {
  for (const environment of ['development', 'production'] as const) {
    const target = { ...key, environment };
    const first = await store.writePublicState(target, absent, newState('{"n":1}'));
    const from = first.kind === 'written' ? first.version : 0;
    for (let n = from; n < from + 130; n++) await store.writePublicState(target, version(n), newState('{"größe":"🎮"}'));
  }
  for (const playerId of ['ada', 'bob', 'eve']) {
    await store.writeUserState(userKey(playerId), absent, { stateText: '{}', stateBytes: 2, writtenAt: 1 });
  }
}

test('a store at any stage of deletions and their sweep has no fault', async () => {
  const dataDir = at.directory();
  const store = await openWithHistory(dataDir);
  expect(inspect(dataDir)).toEqual({
    faults: [],
    counts: { accounts: 1, projects: 1, publicStateVersions: 262, userStates: 3 },
  });
  await store.deleteUserStates(byOperator, key, 'bob');
  expect(inspect(dataDir).faults).toEqual([]);
  await store.deleteProject(byOperator, key);
  expect(inspect(dataDir).faults).toEqual([]);
  await store.createProject(byOperator, aProject({ ...key, name: 'again', createdAt: 2 }));
  expect(inspect(dataDir).faults).toEqual([]);
  await writeAll(store);
  expect(inspect(dataDir).faults).toEqual([]);
  await store.deleteAccount(key.accountId);
  await store.createAccount(account('acc_other'));
  const database = new DatabaseSync(databasePath(dataDir), { timeout: 30_000 });
  let slices = 0;
  for (let orphan = findOrphan(database); orphan !== undefined; orphan = findOrphan(database)) {
    sweepSlice(database, orphan);
    slices++;
    expect(inspect(dataDir).faults, `after slice ${slices}`).toEqual([]);
  }
  database.close();
  expect(slices).toBeGreaterThan(10);
  expect(inspect(dataDir).counts).toEqual({ accounts: 1, projects: 0, publicStateVersions: 0, userStates: 0 });
});

test.each([
  ['DELETE FROM public_state_versions WHERE version = 64', [`history: version 63 of ${place} is followed by 65`]],
  [
    'DELETE FROM public_state_versions WHERE version = 1',
    [`history: the versions of ${place} before 2 are missing`, `history: ${place} begins with version 2, not 1`],
  ],
])('%s is found as a gap', async (sql, expected) => {
  expect(await faultsAfter(sql)).toEqual(expect.arrayContaining(expected));
});

test.each([
  ['DELETE FROM public_state_versions WHERE version = 131', /is said to be 131 in row \d+, but the newest is 130/],
  ['UPDATE public_state_heads SET newest_id = 3', /is said to be 131 in row 3, but the newest is 131 in row/],
  ['UPDATE public_state_heads SET version = 200', /is said to be 200 in row \d+, but the newest is 131/],
  [
    'UPDATE public_state_versions SET previous_id = 1 WHERE version = 100',
    /version 100 of \S+ does not point to version 99/,
  ],
  ['UPDATE public_state_versions SET version = 7 WHERE version = 8', /version 7 of \S+ is followed by 7/],
  [
    `UPDATE public_state_versions SET state = '{"a' WHERE version = 9`,
    /versions 9 to 33 of \S+ cannot be read: what is stored is not what was written/,
  ],
  ['DELETE FROM public_state_heads', /versions 1 to 131 of \S+ are stored, but nothing leads to them/],
  ['DELETE FROM public_state_versions', /version 131 of \S+ is current, but no version is stored/],
  ['DROP INDEX public_state_milestones', /^schema: public_state_milestones is missing$/],
  ['ALTER TABLE accounts ADD COLUMN colour TEXT', /^schema: accounts is not as this program made it$/],
  ['UPDATE user_versions SET version_ceiling = 0', /^references: 3 states of end users have a version out of the bounds/],
  ['UPDATE user_states SET project_id = 77', /^references: 3 states of end users belong to no project$/],
  ["UPDATE user_states SET state = '{}}'", /^references: 3 states of end users are not the JSON text/],
  ['DELETE FROM accounts', /^references: 1 projects belong to no account$/],
  ['DELETE FROM projects', /^references: 2 current versions belong to no project$/],
  ["INSERT INTO developers VALUES (x'01', 'i', 's', 'acc_9', NULL)", /^references: 1 developers belong to no account$/],
  ["INSERT INTO end_user_auth VALUES ('acc_1', 'q', '{}')", /^references: 1 sign-in settings belong to no project$/],
  ["INSERT INTO end_user_auth VALUES ('acc_1', 'p', '{')", /^references: 1 sign-in settings are not JSON$/],
  ['INSERT INTO end_user_floors VALUES (6, 1, 999)', /^references: 1 deleted end users had a version above/],
])('%s is found as a wrong reference', async (sql, expected) => {
  expect(await faultsAfter(sql)).toContainEqual(expect.stringMatching(expected));
});

test('the first twenty of many faults of one kind are reported one by one', async () => {
  const faults = await faultsAfter('UPDATE public_state_versions SET previous_id = 0');
  expect(faults).toHaveLength(21);
  // One fault for each of 262 versions, and that the newest ones of both documents are not whole.
  expect(faults.at(-1)).toBe('history: and 244 more of the kind');
});

async function faultsAfter(sql: string): Promise<string[]> {
  const dataDir = at.directory();
  const store = await openWithHistory(dataDir);
  await store.close();
  runSql(dataDir, sql);
  return faultsOf(dataDir);
}
