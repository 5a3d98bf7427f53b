import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { lockUserState, replaceUserState } from '../../sql/states/user-state-rows.ts';
import {
  damaged,
  everything,
  key,
  listedOf,
  nthState,
  textsOf,
  writeUpTo,
} from '../../store-suite/state/user-state-histories.fixture.ts';
import { databasePath } from '../directory/database.ts';
import { engineSql } from '../engine-sql.ts';
import { faultsOf, runSql } from '../inspect/inspect.fixture.ts';
import { takeSteps } from '../steps.ts';
import { temporary } from '../temporary.fixture.ts';

const at = temporary();
const place = 'the save of "ada" in acc_1/p/production';

async function written(last: number): Promise<string> {
  const dataDir = at.directory();
  const store = await at.open({ dataDir });
  await writeUpTo(store, last);
  await store.close();
  return dataDir;
}

test.each([
  ["UPDATE user_state_versions SET state = '8,1,1:7' WHERE version = 20", [20], 'version 20'],
  ["UPDATE user_state_versions SET state = '{' WHERE version = 32", [30, 31, 32], 'versions 1 to 32'],
  ['UPDATE user_state_versions SET checksum = checksum + 1 WHERE version = 33', [33], 'version 33'],
  ['UPDATE user_state_versions SET form = 1 WHERE version = 32', [31, 32], 'versions 1 to 32'],
])('damage is an error that names the version, and doctor finds it: %s', async (sql, versions, spans) => {
  const dataDir = await written(40);
  expect(faultsOf(dataDir)).toEqual([]);
  runSql(dataDir, sql);
  const store = await at.open({ dataDir });
  const texts = await textsOf(store, 40);
  for (const version of versions) expect(texts[version - 1]).toBe(damaged(version));
  expect(texts[39]).toBe(nthState(40));
  expect(texts[33]).toBe(nthState(34));
  await store.close();
  expect(faultsOf(dataDir)).toContain(
    `history: ${spans} of ${place} cannot be read: what is stored is not what was written`,
  );
});

test('a missing version is found', async () => {
  const dataDir = await written(40);
  runSql(dataDir, 'DELETE FROM user_state_versions WHERE version = 36');
  const store = await at.open({ dataDir });
  const texts = await textsOf(store, 40);
  expect([texts[34], texts[31]]).toEqual([damaged(35), nthState(32)]);
  await store.close();
  expect(faultsOf(dataDir)).toEqual([
    `history: versions 33 to 35 of ${place} cannot be read: what is stored is not what was written`,
  ]);
});

test.each([
  ['DELETE FROM user_state_versions', 'usage: acc_1/p counts the versions of 1 saves wrongly'],
  ['UPDATE user_state_versions SET record_id = 77', 'references: 39 versions of saves belong to no save'],
  [
    'UPDATE user_state_versions SET version = version + 100',
    'references: 39 versions of saves are not below the current one',
  ],
])('doctor finds a contradiction: %s', async (sql, fault) => {
  const dataDir = await written(40);
  runSql(dataDir, sql);
  expect(faultsOf(dataDir)).toContain(fault);
});

test('versions missing after writes of an older program are no fault', async () => {
  const dataDir = await written(35);
  const text = nthState(77);
  runSql(
    dataDir,
    `UPDATE user_states SET version = 38, updated_at = 9, state_bytes = ${text.length}, state = '${text}';
     UPDATE project_usage SET user_state_bytes = user_state_bytes + ${text.length - nthState(35).length};
     UPDATE account_usage SET storage_bytes = storage_bytes + ${text.length - nthState(35).length}`,
  );
  const store = await at.open({ dataDir });
  // Version 32 is whole.
  const left = Array.from({ length: 32 }, (_, n) => nthState(n + 1));
  expect(await textsOf(store, 38)).toEqual([...left, ...Array(5).fill(null), text]);
  await writeUpTo(store, 40);
  expect(await textsOf(store, 40)).toEqual([...left, ...Array(5).fill(null), text, nthState(39), nthState(40)]);
  expect(await listedOf(store)).toEqual([40, 39, 38, ...Array.from({ length: 32 }, (_, n) => 32 - n)]);
  await store.close();
  expect(faultsOf(dataDir)).toEqual([]);
});

test('a verb of several statements writes versions too', async () => {
  const dataDir = await written(3);
  const database = new DatabaseSync(databasePath(dataDir), { timeout: 30_000 });
  const projectId = Number(database.prepare('SELECT project_id FROM projects').get()?.project_id);
  const row = { ...key, projectId };
  function* twice() {
    const held = yield* lockUserState({ engine: engineSql }, row);
    if (held === undefined) throw new Error('there is no save');
    const next = { stateText: nthState(4), stateBytes: nthState(4).length, writtenAt: 4_000, retention: everything };
    const fourth = yield* replaceUserState({ engine: engineSql }, row, held, next);
    return yield* replaceUserState({ engine: engineSql }, row, fourth, { ...next, stateText: '{"a":1}', stateBytes: 7 });
  }
  expect(takeSteps(database, twice())).toMatchObject({ version: 5, stateText: '{"a":1}' });
  database.close();
  const store = await at.open({ dataDir });
  expect(await textsOf(store, 5)).toEqual([nthState(1), nthState(2), nthState(3), nthState(4), '{"a":1}']);
  await store.close();
  expect(faultsOf(dataDir)).toEqual([]);
});
