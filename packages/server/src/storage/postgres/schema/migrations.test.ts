import postgres, { type Sql } from 'postgres';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { type Database, openDatabase } from '../connection/database.ts';
import { createDatabase } from '../fixtures/databases.fixture.ts';
import { openPostgresStore } from '../store.ts';
import { type Migration, migrate, migrations } from './migrations.ts';

const one: Migration = { number: 1, sql: 'CREATE TABLE a (x int); INSERT INTO a VALUES (1)' };
const two: Migration = { number: 2, sql: 'ALTER TABLE a ADD COLUMN y int; CREATE TABLE b (x int)' };

let url: string;
let sql: Sql;
const opened: Database[] = [];

/** A connection as a node has one while it starts. */
function open(): Database {
  const database = openDatabase({ urls: [url], connectionsMax: 1, isPooled: false }, { isPatient: true });
  opened.push(database);
  return database;
}

beforeEach(async () => {
  url = await createDatabase(inject('postgresUrl'));
  sql = postgres(url, { max: 4, onnotice: () => {} });
});
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
  await sql.end();
});

const applied = async () => (await sql`SELECT number FROM migrations ORDER BY number`).map(({ number }) => Number(number));

test('migrations are numbered from 1 without gaps', () => {
  expect(migrations.map(({ number }) => number)).toEqual(migrations.map((_, i) => i + 1));
});

test('those that are missing are applied once, in order', async () => {
  await migrate(open(), [one]);
  await migrate(open(), [one, two]);
  await migrate(open(), [one, two]);
  expect(await applied()).toEqual([1, 2]);
  expect(await sql`SELECT x, y FROM a`).toEqual([{ x: 1, y: null }]);
});

test('of ten nodes that start together one applies each', async () => {
  await Promise.all(Array.from({ length: 10 }, () => migrate(open(), [one, two])));
  expect(await applied()).toEqual([1, 2]);
  expect(await sql`SELECT count(*)::int AS rows FROM a`).toEqual([{ rows: 1 }]);
});

test('one that fails changes nothing and stops the start', async () => {
  const broken: Migration = { number: 2, sql: 'CREATE TABLE b (x int); INSERT INTO a VALUES (1, 2, 3)' };
  await expect(migrate(open(), [one, broken])).rejects.toThrow();
  expect(await applied()).toEqual([1]);
  expect(await sql`SELECT to_regclass('b') AS b`).toEqual([{ b: null }]);
});

test('a database with a migration that this program does not have is refused', async () => {
  await (await openPostgresStore({ url })).close();
  await sql`INSERT INTO migrations (number, sha256, applied_at) VALUES (999, 'x', 1)`;
  await expect(openPostgresStore({ url })).rejects.toThrow('it has migration 999, this program knows');
});

test('a database with a migration that was changed since is refused', async () => {
  await (await openPostgresStore({ url })).close();
  await sql`UPDATE migrations SET sha256 = 'x' WHERE number = 1`;
  await expect(openPostgresStore({ url })).rejects.toThrow('migration 1 was changed after it was applied');
});

test('one that has to wait for a long reader lets other readers by, and is applied when that has ended', async () => {
  await migrate(open(), [one]);
  const reader = await sql.reserve();
  await reader`BEGIN`;
  await reader`SELECT * FROM a`;
  let isApplied = false;
  const migrating = migrate(open(), [one, two]).then(() => {
    isApplied = true;
  });
  const waits: number[] = [];
  for (const until = performance.now() + 1_500; performance.now() < until; ) {
    const begun = performance.now();
    await sql`SELECT x FROM a`;
    waits.push(performance.now() - begun);
  }
  expect(isApplied).toBe(false);
  await reader`COMMIT`;
  reader.release();
  await migrating;
  expect(await applied()).toEqual([1, 2]);
  // The lock is given up after a quarter of a second; without that a reader would have waited for the whole second and a half.
  expect(Math.max(...waits)).toBeLessThan(1_000);
  expect(waits.length).toBeGreaterThan(3);
});
