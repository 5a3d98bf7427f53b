/** Databases that an earlier version of the program has made: they open, and nothing of them is lost. */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { absent, hashOf, newState, stateKey, version } from '../../store-contract/harness.ts';
import { createPrivateFile, databasePath, openForWriting } from '../directory/database.ts';
import { faultsOf } from '../inspect/inspect.fixture.ts';
import { temporary } from '../temporary.fixture.ts';
import { migrate, migrations } from './migrations.ts';

const at = temporary();
const key = stateKey();
const count = 150;
/** Some of one page, some that overflow into others. */
const stateOf = (n: number) => JSON.stringify({ n, filler: 'x'.repeat((n % 7) * 5_000) });

/** A database as migration 1 leaves it, with a project, a key, and versions in two environments. */
function earlierDirectory(): string {
  const dataDir = at.directory();
  createPrivateFile(dataDir, databasePath(dataDir));
  const database = openForWriting(databasePath(dataDir));
  migrate(database, migrations.slice(0, 1), 1);
  database.exec(`
    INSERT INTO accounts (account_id, name, idp_tenant_id, created_at, projects) VALUES ('acc_1', '"A"', 't', 1, 1);
    INSERT INTO projects (account_number, slug, name, created_at) VALUES (1, 'p', '"P"', 1);
  `);
  database
    .prepare(
      `INSERT INTO api_keys (account_number, project_id, key_hash, key_id, name, start, access, environments, created_at)
       VALUES (1, 1, ?, 'key_1', '"K"', 'svck_abcd', 'write', 'production', 1)`,
    )
    .run(hashOf('key_1'));
  const insert = database.prepare(
    `INSERT INTO public_state_versions (id, previous_id, project_id, environment, version, written_at, state_bytes, comment, state)
     VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?)`,
  );
  let bytes = 0;
  for (let n = 1; n <= count; n++) {
    // Environments take turns, and some rows are missing, as after a sweep of another project.
    for (const environment of [1, 2]) {
      const id = 4 * n + environment;
      const state = stateOf(n);
      bytes += state.length;
      const comment = n % 2 === 0 ? null : JSON.stringify(`comment ${n}`);
      insert.run(id, n === 1 ? null : id - 4, environment, n, 1_000 + n, state.length, comment, state);
    }
  }
  database.exec(`
    INSERT INTO public_state_heads (head_key, version, newest_id, kept_bytes)
      VALUES (5, ${count}, ${4 * count + 1}, ${bytes / 2}), (6, ${count}, ${4 * count + 2}, ${bytes / 2});
    UPDATE accounts SET storage_bytes = ${bytes};
  `);
  database.close();
  return dataDir;
}

test('a database of migration 1 opens with every version and key, and goes on', async () => {
  const dataDir = earlierDirectory();
  expect(faultsOf(dataDir)).toEqual([]); // a backup of before can be inspected as it is
  const store = await at.open({ dataDir });
  expect(faultsOf(dataDir)).toEqual([]);
  for (const environment of ['staging', 'production'] as const) {
    const found = await store.listPublicStateVersions({ ...key, environment }, { before: null, charactersMax: 1e9 });
    const expected = Array.from({ length: count }, (_, i) => {
      const n = count - i;
      const stateText = stateOf(n);
      const comment = n % 2 === 0 ? null : `comment ${n}`;
      return { version: n, stateText, stateBytes: stateText.length, comment };
    });
    expect(found).toEqual({ kind: 'versions', versions: expected });
  }
  const pages = await store.listPublicStateHistory(key, { before: null, itemsMax: count });
  expect(pages).toMatchObject({
    items: Array.from({ length: count }, (_, i) => ({ version: count - i, writtenAt: 1_000 + count - i, author: null })),
    hasMore: false,
  });
  expect(await store.findApiKey(hashOf('key_1'))).toMatchObject({ keyId: 'key_1', kind: 'secret', access: 'write' });
  expect(await store.writePublicState(key, version(count), newState('{"n":1}'))).toEqual({
    kind: 'written',
    version: count + 1,
  });
  expect(await store.writePublicState({ ...key, environment: 'development' }, absent, newState())).toMatchObject({
    version: 1,
  });
  expect(faultsOf(dataDir)).toEqual([]);
});

test('what a page of history shows lies in front of the state, whose pages it so leaves alone', async () => {
  const dataDir = earlierDirectory();
  await (await at.open({ dataDir })).close();
  const database = new DatabaseSync(databasePath(dataDir));
  const columns = database.prepare("SELECT name FROM pragma_table_info('public_state_versions') ORDER BY cid").all();
  database.close();
  expect(columns.at(-1)).toEqual({ name: 'state' });
});

test('the migration leaves nothing behind but the new tables', async () => {
  const earlier = earlierDirectory();
  await (await at.open({ dataDir: earlier })).close();
  const fresh = at.directory();
  await (await at.open({ dataDir: fresh })).close();
  const [schema, expected] = [earlier, fresh].map((dataDir) => {
    const database = new DatabaseSync(databasePath(dataDir));
    const rows = database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all();
    database.close();
    return rows;
  });
  expect(schema).toEqual(expected);
});
