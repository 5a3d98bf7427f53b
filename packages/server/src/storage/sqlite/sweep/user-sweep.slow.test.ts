import { readFileSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import type { Store } from '../../store.ts';
import { absent, account, ensureProject, hashOf, version } from '../../store-suite/harness.ts';
import { byOperator } from '../../store-suite/records.fixture.ts';
import {
  codeOf,
  developerCodeOf,
  newUserState,
  nextOf,
  signIn,
  tokenOf,
  userKey,
} from '../../store-suite/sign-in/sign-in-records.ts';
import { databasePath } from '../directory/database.ts';
import { temporary } from '../temporary.fixture.ts';

const at = temporary();
const place = userKey();

/** How often all rows are read: reading them takes time that the sweep needs. */
const pollMilliseconds = 300;

/** All rows of all tables, each as text. */
function allRows(dataDir: string): Record<string, string[]> {
  const database = new DatabaseSync(databasePath(dataDir), { readOnly: true });
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name != 'migrations'").all();
  const rows = tables.map(({ name }) => [
    name as string,
    database
      .prepare(`SELECT * FROM ${name}`)
      .all()
      .map((row) => JSON.stringify(row)),
  ]);
  database.close();
  return Object.fromEntries(rows.filter(([, found]) => found?.length !== 0));
}

async function writeUser(store: Store, playerId: string, change = {}, stateText = '{}'): Promise<void> {
  const key = userKey(playerId, change);
  await store.writeUserState(key, absent, newUserState(`{"first":"${playerId}"}`));
  await store.writeUserState(key, version(1), newUserState(stateText));
}

/** Two hundred users in each environment, some deleted, all signed in, with settings. */
async function populate(store: Store, slug: string): Promise<void> {
  await ensureProject(store, { accountId: 'acc_1', slug });
  await store.writePlayerAuth(byOperator, { accountId: 'acc_1', slug }, '{}');
  const users = Array.from({ length: 200 }, (_, i) => `${slug}-user-${i}`);
  for (const environment of ['development', 'staging', 'production'] as const) {
    await Promise.all(users.map((id) => writeUser(store, id, { slug, environment })));
  }
  await Promise.all(users.map((id) => signIn(store, `${id} `, codeOf(id, { slug }))));
  for (const id of users.slice(0, 100)) await store.deleteUserStates(byOperator, { accountId: 'acc_1', slug }, id);
}

test('the players of a deleted project leave only a floor for each environment', async () => {
  const dataDir = at.directory();
  const store = await at.open({ dataDir });
  await populate(store, 'gone');
  await ensureProject(store, userKey('', { slug: 'kept' }));
  await writeUser(store, 'kept-user', { slug: 'kept' });
  await store.deleteProject(byOperator, { accountId: 'acc_1', slug: 'gone' });
  await vi.waitFor(() => expect(allRows(dataDir)).not.toHaveProperty('orphans'), {
    timeout: 60_000,
    interval: pollMilliseconds,
  });
  const rows = allRows(dataDir);
  expect(JSON.stringify(rows)).not.toContain('gone-user');
  const counts = Object.entries(rows).map(([table, found]) => [table, found.length]);
  expect(Object.fromEntries(counts)).toEqual({
    accounts: 1,
    account_usage: 1,
    // The trail stays: two projects, the settings, a hundred players, the deletion.
    audit_records: 104,
    projects: 1,
    project_usage: 1,
    heartbeat: 1,
    readiness: 1,
    bucket_key: 1,
    sqlite_sequence: 2,
    user_states: 1,
    user_versions: 1,
    version_floors: 3,
  });
});

test('a deleted account with developers and players leaves nothing in any table', async () => {
  const dataDir = at.directory();
  const store = await at.open({ dataDir });
  await store.createDeveloper('https://issuer.example', 'dev', account());
  for (const slug of ['p', 'q']) await populate(store, slug);
  await store.deleteProject(byOperator, { accountId: 'acc_1', slug: 'q' });
  await Promise.all(Array.from({ length: 200 }, (_, i) => signIn(store, `dev-${i} `, developerCodeOf('dev'))));
  await store.deleteAccount('acc_1');
  await vi.waitFor(
    () =>
      expect(Object.keys(allRows(dataDir)).toSorted()).toEqual(['bucket_key', 'heartbeat', 'readiness', 'sqlite_sequence']),
    { timeout: 60_000, interval: pollMilliseconds },
  );
});

test('the id of a deleted player stays in no table, no index and no byte of the files', async () => {
  const dataDir = at.directory();
  const store = await at.open({ dataDir });
  for (const slug of ['p', 'q']) await ensureProject(store, { accountId: 'acc_1', slug });
  await writeUser(store, 'kept-4711');
  await writeUser(store, 'gone-4711', {}, `{"large":"${'gone-4711 '.repeat(20_000)}"}`);
  await writeUser(store, 'gone-4711', { environment: 'staging' }, '{}');
  await signIn(store, 'f', codeOf('gone-4711'));
  await store.addAuthorizationCode(hashOf('unspent'), codeOf('gone-4711'));
  await store.readUserState(userKey('gone-4711'));
  const bytes = () => ['', '-wal'].map((file) => readFileSync(databasePath(dataDir) + file, 'latin1')).join();
  expect(bytes()).toContain('gone-4711');
  expect(await store.deleteUserStates(byOperator, place, 'gone-4711')).toBe('deleted');
  expect(JSON.stringify(allRows(dataDir))).not.toContain('gone-4711');
  await vi.waitFor(() => expect(statSync(`${databasePath(dataDir)}-wal`).size).toBe(0), { timeout: 60_000 });
  expect(bytes()).not.toContain('gone-4711');
  expect(bytes()).toContain('kept-4711');
});

test('a write of user state and a refresh change one page each, so no index; a changed size two more', async () => {
  const dataDir = at.directory();
  const store = await at.open({ dataDir });
  await ensureProject(store, place);
  const users = Array.from({ length: 300 }, (_, i) => `user-${i}`);
  await Promise.all(users.map((id) => writeUser(store, id, {}, `{"s":"${'x'.repeat(500)}"}`)));
  await Promise.all(users.map((id) => signIn(store, `${id} `, codeOf(id))));
  const database = new DatabaseSync(databasePath(dataDir), { timeout: 30_000 });
  const pagesWrittenBy = async (work: () => Promise<{ readonly kind: string }>) => {
    const framesInLog = () => database.prepare('PRAGMA wal_checkpoint(NOOP)').get()?.log as number;
    const before = framesInLog();
    const { kind } = await work();
    return [kind, framesInLog() - before];
  };
  const write = () => store.writeUserState(userKey('user-77'), version(2), newUserState('{}', 9_000));
  const refresh = () => store.consumeRefreshToken(tokenOf('user-77 ', 'user-77 -0'), nextOf('next'), 2_000, 0);
  expect(await pagesWrittenBy(write)).toEqual(['written', 4]); // the bytes of account and project, and the version's first step above the ceiling
  expect(await pagesWrittenBy(refresh)).toEqual(['consumed', 1]);
  await store.writeUserState(userKey('user-77'), version(3), newUserState());
  const other = (expected: number) => () => store.writeUserState(userKey('user-78'), version(expected), newUserState());
  expect(await pagesWrittenBy(other(2))).toEqual(['written', 3]);
  expect(await pagesWrittenBy(other(3))).toEqual(['written', 1]); // as many bytes as before
  database.close();
});
