import postgres, { type Sql } from 'postgres';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { requireFinishedUpgrade } from '../../../access/finished-upgrade.ts';
import { sha256Of } from '../../sql/schema/applied-migrations.ts';
import { newestMigration } from '../../sql/schema/releases.ts';
import type { Store } from '../../store.ts';
import { databaseAddress } from '../connection/address.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { createDatabase } from '../fixtures/databases.fixture.ts';
import { openPostgresStore } from '../store.ts';
import { type Migration, migrations } from './migrations.ts';
import { finishUpgrade } from './upgrade.ts';

let url: string;
let sql: Sql;
let database: Database;
const stores: Store[] = [];

beforeEach(async () => {
  url = await createDatabase(inject('postgresUrl'));
  sql = postgres(url, { max: 2, onnotice: () => {} });
  database = openDatabase(databaseAddress(url, 1));
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  await database.close();
  await sql.end();
});

async function openNode(): Promise<Store> {
  const store = await openPostgresStore({ url });
  stores.push(store);
  return store;
}

/** Creates the database as 0.1.0 did. */
async function makeAsFirstRelease(): Promise<void> {
  const [first] = migrations as [Migration];
  await sql`CREATE TABLE migrations (number bigint PRIMARY KEY, sha256 text NOT NULL, applied_at bigint NOT NULL)`;
  await sql.unsafe(first.sql);
  await sql`INSERT INTO migrations (number, sha256, applied_at) VALUES (1, ${sha256Of(first)}, 5)`;
}

const later = migrations.slice(1).map(({ number }) => number);

test('a new database needs no finishing', async () => {
  const store = await openNode();
  expect(await store.isUpgradeFinished(newestMigration)).toBe(true);
  await requireFinishedUpgrade(store, 'guests');
  expect(await finishUpgrade(database)).toEqual({ kind: 'already_finished' });
});

test('new access restrictions are refused until an upgrade is finished, then allowed on all nodes immediately', async () => {
  await makeAsFirstRelease();
  const nodes = [await openNode(), await openNode()];
  for (const node of nodes) {
    expect(await node.isUpgradeFinished(1)).toBe(false);
    await expect(requireFinishedUpgrade(node, 'guests')).rejects.toMatchObject({
      code: 'upgrade_unfinished',
      message: expect.stringContaining('holdfast upgrade --finish'),
    });
  }
  expect(await finishUpgrade(database)).toEqual({ kind: 'finished', migrations: later });
  for (const node of nodes) await requireFinishedUpgrade(node, 'guests');
  expect(await finishUpgrade(database)).toEqual({ kind: 'already_finished' });
  // Cached from now on, without another query.
  await sql`UPDATE migrations SET finished_at = NULL`;
  for (const node of nodes) await requireFinishedUpgrade(node, 'guests');
});

test('an upgrade that no node has begun is not finished', async () => {
  await makeAsFirstRelease();
  expect(await finishUpgrade(database)).toEqual({ kind: 'not_begun' });
});

test.each(['holdfast', 'holdfast schema 1'])(
  'an upgrade is not finished while a node called %j is connected',
  async (name) => {
    await makeAsFirstRelease();
    const node = await openNode();
    const old = postgres(url, { max: 1, connection: { application_name: name }, onnotice: () => {} });
    await old`SELECT`; // it connects with its first statement
    let isOver = false;
    const polling = (async () => {
      while (!isOver) await old`SELECT pg_sleep(0.1)`;
    })();
    expect(await finishUpgrade(database)).toEqual({ kind: 'older_nodes', connections: 1 });
    expect(await node.isUpgradeFinished(newestMigration)).toBe(false);
    isOver = true;
    await polling;
    await old.end();
    expect(await finishUpgrade(database)).toMatchObject({ kind: 'finished' });
  },
  20_000,
);
