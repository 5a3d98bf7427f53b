/** Databases that an earlier version of the program has made: they open, and nothing of them is lost. */
import postgres, { type Sql } from 'postgres';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { hashOf, newState, stateKey, version } from '../../store-contract/harness.ts';
import { openDatabase } from '../connection/database.ts';
import { createDatabase } from '../fixtures/databases.fixture.ts';
import { inspectPostgres } from '../inspect/inspect.ts';
import { openPostgresStore } from '../store.ts';
import { migrate, migrations } from './migrations.ts';

const key = stateKey();
const count = 150;
const projectId = '00000000-0000-4000-8000-000000000001';
const stateOf = (n: number) => JSON.stringify({ n, filler: 'x'.repeat((n % 7) * 5_000) });

let url: string;
let sql: Sql;

/** Writes as a node of the release before does. */
async function writeEarlier(n: number): Promise<void> {
  const state = stateOf(n);
  const comment = n % 2 === 0 ? null : JSON.stringify(`comment ${n}`);
  await sql`
    INSERT INTO public_state_versions (account_id, project_id, environment, version, written_at, state_bytes, comment, state)
    VALUES ('acc_1', ${projectId}, 2, ${n}, ${1_000 + n}, ${state.length}, ${comment}, ${state})`;
  await sql`
    UPDATE environments SET version = ${n}, is_present = true, kept_bytes = kept_bytes + ${state.length}
    WHERE account_id = 'acc_1' AND slug = 'p' AND environment = 2`;
}

beforeEach(async () => {
  url = await createDatabase(inject('postgresUrl'));
  sql = postgres(url, { max: 2, onnotice: () => {} });
  const database = openDatabase({ urls: [url], connectionsMax: 1, isPooled: false }, { isPatient: true });
  await migrate(database, migrations.slice(0, 3));
  await database.close();
  await sql`INSERT INTO accounts (account_id, name, idp_tenant_id, created_at, projects) VALUES ('acc_1', '"A"', 't', 1, 1)`;
  await sql`INSERT INTO projects (account_id, slug, project_id, name, created_at) VALUES ('acc_1', 'p', ${projectId}, '"P"', 1)`;
  for (const environment of [0, 1, 2]) {
    await sql`INSERT INTO environments VALUES ('acc_1', 'p', ${environment}, ${projectId}, 0, false, 0, 0, 0)`;
  }
  await sql`
    INSERT INTO api_keys (key_hash, key_id, account_id, slug, project_id, name, start, access, environments, created_at,
      created_micros)
    VALUES (${hashOf('key_1')}, 'key_1', 'acc_1', 'p', ${projectId}, '"K"', 'svck_abcd', 'write', 'production', 1, 1000)`;
  for (let n = 1; n <= count; n++) await writeEarlier(n);
});
afterEach(() => sql.end());

test('a database of the migrations before opens with every version and key, and nodes of the release before write on', async () => {
  const store = await openPostgresStore({ url });
  try {
    const found = await store.listPublicStateVersions(key, { before: null, charactersMax: 1e9 });
    const expected = Array.from({ length: count }, (_, i) => {
      const n = count - i;
      const stateText = stateOf(n);
      const comment = n % 2 === 0 ? null : `comment ${n}`;
      return { version: n, stateText, stateBytes: stateText.length, comment };
    });
    expect(found).toEqual({ kind: 'versions', versions: expected });
    const [newest, oldest] = [1_000 + count, 1_001];
    const history = await store.listPublicStateHistory(key, { before: null, itemsMax: count });
    const items = history.kind === 'history' ? history.items : [];
    expect(items.map(({ author }) => author)).toEqual(items.map(() => null));
    expect([items[0]?.writtenAt, items.at(-1)?.writtenAt, items.length]).toEqual([newest, oldest, count]);
    expect(await store.findApiKey(hashOf('key_1'))).toMatchObject({ keyId: 'key_1', kind: 'secret', access: 'write' });
    expect(await store.writePublicState(key, version(count), newState())).toEqual({ kind: 'written', version: count + 1 });
    await writeEarlier(count + 2);
    expect(await store.readPublicState(key)).toMatchObject({ record: { version: count + 2 } });
    expect((await inspectPostgres(url, { isQuick: false })).faults).toEqual([]);
  } finally {
    await store.close();
  }
});
