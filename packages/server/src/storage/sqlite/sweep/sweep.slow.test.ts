import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import type { Store } from '../../store.ts';
import { absent, ensureProject, newState, stateKey, version } from '../../store-suite/harness.ts';
import { byOperator } from '../../store-suite/records.fixture.ts';
import { databasePath } from '../directory/database.ts';
import { temporary } from '../temporary.fixture.ts';

const at = temporary();

/** Rows of every table that belongs to accounts. */
function countRows(dataDir: string): Record<string, number> {
  const database = new DatabaseSync(databasePath(dataDir), { readOnly: true });
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map((row) => row.name as string)
    .filter((table) => !['migrations', 'readiness', 'heartbeat', 'bucket_key'].includes(table));
  const counts = tables.map((table) => [
    table,
    database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.rows as number,
  ]);
  database.close();
  return Object.fromEntries(counts.filter(([, rows]) => rows !== 0));
}

/** Writes this many versions to a project, many at a time. */
async function writeHistory(store: Store, slug: string, versions: number, stateText = '{}'): Promise<void> {
  const key = stateKey({ slug });
  await ensureProject(store, key);
  const writes = Array.from({ length: versions }, (_, n) =>
    store.writePublicState(key, n === 0 ? absent : version(n), newState(stateText)),
  );
  expect((await Promise.all(writes)).at(-1)).toEqual({ kind: 'written', version: versions });
}

test('the remains of a deleted project are removed, and its version floors stay', async () => {
  const dataDir = at.directory();
  const store = await at.open({ dataDir });
  await writeHistory(store, 'p', 1_000);
  await writeHistory(store, 'kept', 70);
  await store.deleteProject(byOperator, stateKey());
  const { audit_records } = countRows(dataDir);
  expect(countRows(dataDir)).toMatchObject({ orphans: 2 });
  const left = {
    accounts: 1,
    audit_records, // the trail stays
    account_usage: 1,
    projects: 1,
    public_state_heads: 1,
    public_state_versions: 70,
    version_floors: 1,
  };
  await vi.waitFor(() => expect(countRows(dataDir)).toEqual(left), { timeout: 60_000 });
  expect(
    await store.listPublicStateVersions(stateKey({ slug: 'kept' }), { before: null, charactersMax: 1e6 }),
  ).toMatchObject({
    versions: { length: 70 },
  });
});

test('a deleted account leaves nothing in any table', async () => {
  const dataDir = at.directory();
  const store = await at.open({ dataDir });
  for (let i = 0; i < 150; i++) await writeHistory(store, `p${i}`, 3);
  for (let i = 0; i < 70; i++) await store.deleteProject(byOperator, stateKey({ slug: `p${i}` }));
  await store.deleteAccount('acc_1');
  await vi.waitFor(() => expect(countRows(dataDir)).toEqual({}), { timeout: 60_000 });
});

test('a sweep continues after a restart, and beside writes that do not wait for it', async () => {
  const dataDir = at.directory();
  const first = await at.open({ dataDir, exclusive: false });
  await writeHistory(first, 'p', 200, `{"s":"${'x'.repeat(100_000)}"}`);
  await first.deleteProject(byOperator, stateKey());
  expect(countRows(dataDir)).toMatchObject({ public_state_versions: 200, orphans: 2 });
  const server = await at.open({ dataDir });
  const key = stateKey({ slug: 'busy' });
  await ensureProject(server, key);
  let writes = 0;
  for (; (countRows(dataDir).orphans ?? 0) > 0; writes++) {
    await server.writePublicState(key, writes === 0 ? absent : version(writes), newState());
  }
  expect(writes).toBeGreaterThan(10);
  expect(countRows(dataDir)).toMatchObject({ public_state_versions: writes });
});
