import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import { expect, inject, test } from 'vitest';
import { sha256Of } from '../../cold/applied.ts';
import { createDatabase, dropDatabase } from '../fixtures/databases.fixture.ts';
import { inspectPostgres } from '../inspect/inspect.ts';
import { openPostgresStore } from '../store.ts';
import { type Migration, migrations } from './migrations.ts';

const program = fileURLToPath(new URL('test-processes/killed-upgrade.ts', import.meta.url));
const [first] = migrations as [Migration];

/** Makes a database as 0.1.0 makes it, with an account. */
async function makeOld(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  await sql`CREATE TABLE migrations (number bigint PRIMARY KEY, sha256 text NOT NULL, applied_at bigint NOT NULL)`;
  await sql.unsafe(first.sql);
  await sql`INSERT INTO migrations VALUES (1, ${sha256Of(first)}, 5)`;
  await sql`INSERT INTO accounts (account_id, name, idp_tenant_id, created_at, projects) VALUES ('acc_1', '"A"', 't', 1, 0)`;
  await sql.end();
}

test('an upgrade whose node is killed before a message is done by the next start, and nothing is lost', async () => {
  const server = inject('postgresUrl');
  const applied = new Set<number>();
  for (let fatal = 1; ; fatal += 4) {
    const url = await createDatabase(server);
    await makeOld(url);
    const { signal, status, stderr } = spawnSync(process.execPath, [program, url, String(fatal)], { encoding: 'utf8' });
    if (signal === null) {
      expect([status, stderr]).toEqual([0, '']);
      await dropDatabase(server, url);
      break;
    }
    const sql = postgres(url, { max: 1, onnotice: () => {} });
    const [row] = await sql`SELECT max(number)::int AS newest FROM migrations`;
    await sql.end();
    applied.add(row?.newest);
    const store = await openPostgresStore({ url });
    expect(await store.findAccount('acc_1')).toMatchObject({ name: 'A' });
    // Whoever ends the upgrade: an older program has made the database.
    expect(await store.isUpgradeFinished(migrations.length)).toBe(false);
    await store.close();
    expect((await inspectPostgres(url, { isQuick: false })).faults).toEqual([]);
    await dropDatabase(server, url);
  }
  // Some were killed before the upgrade, and some after it.
  expect([...applied]).toEqual(expect.arrayContaining([1, migrations.length]));
}, 120_000);
