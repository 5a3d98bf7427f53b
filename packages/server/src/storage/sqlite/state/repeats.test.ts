import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { publicScope, type Repeat, repeatsOfDocumentMax } from '../../contract/repeats.ts';
import { absent, ensureProject, hashOf, newState, stateKey, version } from '../../store-suite/harness.ts';
import { databasePath } from '../directory/database.ts';
import { faultsOf, runSql } from '../inspect/inspect.fixture.ts';
import { temporary } from '../temporary.fixture.ts';

const at = temporary();
const key = stateKey();
const repeatOf = (n: number): Repeat => ({
  scope: publicScope(key, 2_000),
  key: hashOf(`key ${n}`),
  request: hashOf('r'),
});

test(`a document has ${repeatsOfDocumentMax} keys at most, and the oldest is dropped`, async () => {
  const dataDir = at.directory();
  const store = await at.open({ dataDir });
  await ensureProject(store, key);
  const write = (n: number, repeat?: Repeat) =>
    store.writePublicState(key, n === 0 ? absent : version(n), newState('{}', null, { repeat }));
  const knows = async (n: number) => (await store.findRepeat(key.accountId, repeatOf(n))) !== undefined;
  const count = repeatsOfDocumentMax + 3;
  for (let n = 0; n < count; n += 500) {
    await Promise.all(
      Array.from({ length: Math.min(500, count - n) }, (_, i) => write(n + i, i === 0 ? repeatOf(n) : undefined)),
    );
  }
  expect([await knows(0), await knows(500), await knows(repeatsOfDocumentMax)]).toEqual([false, true, true]);
  const database = new DatabaseSync(databasePath(dataDir), { timeout: 30_000 });
  const rows = database.prepare('SELECT version FROM write_repeats ORDER BY repeat_number').all();
  database.close();
  // The newest is at the end, which the sweep reaches last.
  expect(rows.map((row) => row.version)).toEqual(Array.from({ length: 20 }, (_, i) => 501 + i * 500));
});

test('a deleted account leaves nothing, and the inspection finds records without an account', async () => {
  const dataDir = at.directory();
  const store = await at.open({ dataDir });
  await ensureProject(store, key);
  await store.writePublicState(key, absent, newState('{}', null, { repeat: repeatOf(0) }));
  await store.close();
  runSql(dataDir, "UPDATE write_repeats SET account_id = 'none'");
  expect(faultsOf(dataDir)).toEqual(['references: 1 writes that can be repeated belong to no account']);
});
