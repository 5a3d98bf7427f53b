import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import { expect, inject, test } from 'vitest';
import { sha256Of } from '../../sql/schema/applied-migrations.ts';
import { newestMigration } from '../../sql/schema/releases.ts';
import { copyDatabase, createDatabase, dropDatabase } from '../fixtures/databases.fixture.ts';
import { inspectPostgres } from '../inspect/inspect.ts';
import { openPostgresStore } from '../store.ts';
import { type Migration, migrations } from './migrations.ts';

const program = fileURLToPath(new URL('test-processes/killed-upgrade.ts', import.meta.url));
/** Parallel upgrades. */
const together = 4;
/** One of so many messages is the last. */
const every = 6;
const [first] = migrations as [Migration];

/** Creates a database as 0.1.0 did, with an account. */
async function makeOld(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  await sql`CREATE TABLE migrations (number bigint PRIMARY KEY, sha256 text NOT NULL, applied_at bigint NOT NULL)`;
  await sql.unsafe(first.sql);
  await sql`INSERT INTO migrations VALUES (1, ${sha256Of(first)}, 5)`;
  await sql`INSERT INTO accounts (account_id, name, idp_tenant_id, created_at, projects) VALUES ('acc_1', '"A"', 't', 1, 0)`;
  await sql.end();
}

/**
 * Upgrades a copy of the old database with a node that is killed before the given message, and then with one that is not. Returns the
 * newest migration that the first one left, or undefined if it ended before the message.
 */
async function upgradeKilled(server: string, old: string, fatal: number): Promise<number | undefined> {
  const url = await copyDatabase(server, old);
  const child = spawn(process.execPath, [program, url, String(fatal)], { stdio: ['ignore', 'ignore', 'pipe'] });
  const said = text(child.stderr);
  const [status, signal] = await once(child, 'close');
  if (signal === null) {
    expect([status, await said]).toEqual([0, '']);
    await dropDatabase(server, url);
    return undefined;
  }
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const [row] = await sql`SELECT max(number)::int AS newest FROM migrations`;
  await sql.end();
  const store = await openPostgresStore({ url });
  expect(await store.findAccount('acc_1')).toMatchObject({ name: 'A' });
  // Whoever completes the upgrade: an older program created the database.
  expect(await store.isUpgradeFinished(newestMigration)).toBe(false);
  await store.close();
  expect((await inspectPostgres(url, { isQuick: false })).faults).toEqual([]);
  await dropDatabase(server, url);
  return row?.newest;
}

test('the next start finishes an upgrade whose node was killed before any message, and nothing is lost', async () => {
  const server = inject('postgresUrl');
  const old = await createDatabase(server);
  await makeOld(old);
  const newest: (number | undefined)[] = [];
  for (let fatal = 1; !newest.includes(undefined); fatal += every * together) {
    const fatals = Array.from({ length: together }, (_, index) => fatal + every * index);
    newest.push(...(await Promise.all(fatals.map((each) => upgradeKilled(server, old, each)))));
  }
  // Some were killed before the upgrade, and some after it.
  expect(newest).toEqual(expect.arrayContaining([1, newestMigration]));
});
