import postgres, { type Sql } from 'postgres';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { newestMigration } from '../../sql/schema/releases.ts';
import { account } from '../../store-suite/harness.ts';
import { databaseAddress } from '../connection/address.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import { untilWaiting } from '../fixtures/begun.fixture.ts';
import { createDatabase } from '../fixtures/databases.fixture.ts';
import { openPostgresStore } from '../store.ts';
import { type Migration, migrate, migrations } from './migrations.ts';

const release = { program: '7.0.0', opensWith: 1 };
const one: Migration = { number: 1, sql: 'CREATE TABLE a (x int); INSERT INTO a VALUES (1)', ...release };
const two: Migration = { number: 2, sql: 'ALTER TABLE a ADD COLUMN y int; CREATE TABLE b (x int)', ...release };

let url: string;
let sql: Sql;
const opened: Database[] = [];

/** A connection like a starting node's. */
function open(): Database {
  const database = openDatabase(databaseAddress(url, 1), { isPatient: true });
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

test('migrations are numbered in order, from 1', () => {
  const numbers = migrations.map(({ number }) => number);
  expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
  expect(numbers[0]).toBe(1);
});

test('missing migrations are applied once, in order', async () => {
  await migrate(open(), [one]);
  await migrate(open(), [one, two]);
  await migrate(open(), [one, two]);
  expect(await applied()).toEqual([1, 2]);
  expect(await sql`SELECT x, y FROM a`).toEqual([{ x: 1, y: null }]);
});

test('each migration is applied by one of ten nodes that start together', async () => {
  await Promise.all(Array.from({ length: 10 }, () => migrate(open(), [one, two])));
  expect(await applied()).toEqual([1, 2]);
  expect(await sql`SELECT count(*)::int AS rows FROM a`).toEqual([{ rows: 1 }]);
});

test('a failing migration changes nothing and stops the start', async () => {
  const broken: Migration = { number: 2, sql: 'CREATE TABLE b (x int); INSERT INTO a VALUES (1, 2, 3)', ...release };
  await migrate(open(), [one]);
  await expect(migrate(open(), [one, broken])).rejects.toThrow();
  expect(await applied()).toEqual([1]);
  expect(await sql`SELECT to_regclass('b') AS b`).toEqual([{ b: null }]);
});

test('a new database whose setup fails stays new, and gets all migrations in one step', async () => {
  const broken: Migration = { number: 2, sql: 'SELECT 1 / 0', ...release };
  await expect(migrate(open(), [one, broken])).rejects.toThrow();
  expect(await applied()).toEqual([]);
  expect(await sql`SELECT to_regclass('a') AS a`).toEqual([{ a: null }]);
});

test('a database with an unknown migration is refused, and names the program it needs', async () => {
  await (await openPostgresStore({ url })).close();
  await sql`INSERT INTO migrations VALUES (999, 'x', 1, '3.1.0', ${newestMigration + 1})`;
  await expect(openPostgresStore({ url })).rejects.toThrow(
    `it needs Holdfast 3.1.0 or newer, since it has migration 999, and this program knows ${newestMigration}`,
  );
  await sql`UPDATE migrations SET program = NULL, opens_with = NULL WHERE number = 999`;
  await expect(openPostgresStore({ url })).rejects.toThrow('it needs a newer program, since it has migration 999');
});

test('a node starts on a newer database that allows it', async () => {
  await (await openPostgresStore({ url })).close();
  await sql`INSERT INTO migrations VALUES (999, 'x', 1, '3.1.0', ${newestMigration})`;
  const store = await openPostgresStore({ url });
  expect(await store.createAccount(account())).toBe('created');
  await store.close();
});

test('a database whose migration was changed is refused', async () => {
  await (await openPostgresStore({ url })).close();
  await sql`UPDATE migrations SET sha256 = 'x' WHERE number = 1`;
  await expect(openPostgresStore({ url })).rejects.toThrow('its migration 1 is not the one of this program');
});

test('a migration that waits for a long reader lets other readers pass, and is applied afterwards', async () => {
  await migrate(open(), [one]);
  const reader = await sql.reserve();
  await reader`BEGIN`;
  await reader`SELECT * FROM a`;
  let isApplied = false;
  const migrating = migrate(open(), [one, two]).then(() => {
    isApplied = true;
  });
  // Waiting for the lock ends after a quarter of a second: a reader that waited for the other would never get its answer.
  for (let reads = 0; reads < 2; reads++) {
    await untilWaiting(open());
    expect(await sql`SELECT x FROM a`).toEqual([{ x: 1 }]);
  }
  expect(isApplied).toBe(false);
  await reader`COMMIT`;
  reader.release();
  await migrating;
  expect(await applied()).toEqual([1, 2]);
});

test("a migration that cannot get its lock names the holder, but not the holder's statements", async () => {
  await migrate(open(), [one]);
  const reader = postgres(url, { max: 1, connection: { application_name: 'nightly report' }, onnotice: () => {} });
  await reader.begin(async (query) => {
    await query`SELECT x, 'a secret' FROM a`;
    const [{ pid }] = (await query`SELECT pg_backend_pid() AS pid`) as unknown as [{ pid: number }];
    const failure = await migrate(open(), [one, two], { attempts: 2 }).catch((error: Error) => error.message);
    expect(failure).toMatch(
      new RegExp(
        `^cannot apply migration 2: its tables are locked by process ${pid} \\(application "nightly report", user \\S+, idle in transaction, since 20\\d\\d-`,
      ),
    );
    expect(failure).not.toContain('secret');
  });
  await reader.end();
  await migrate(open(), [one, two]);
  expect(await applied()).toEqual([1, 2]);
});

test('the check runs before any change, with the stored signing keys', async () => {
  const seen: unknown[] = [];
  const refuse = async (keys: readonly unknown[]) => {
    seen.push(keys);
    throw new Error('it does not fit');
  };
  await expect(openPostgresStore({ url, beforeChange: refuse })).rejects.toThrow('it does not fit');
  expect((await sql`SELECT 1 FROM information_schema.tables WHERE table_schema = current_schema()`).length).toBe(0);
  await migrate(open(), migrations.slice(0, 1));
  await sql`INSERT INTO signing_keys (purpose, key_id, public_jwk, sealed_private_jwk, created_at)
    VALUES ('access_token', 'k', '{}', ${Buffer.from([7])}, 5)`;
  await expect(openPostgresStore({ url, beforeChange: refuse })).rejects.toThrow('it does not fit');
  expect(await applied()).toEqual([1]);
  expect(seen).toEqual([[], [expect.objectContaining({ purpose: 'access_token', keyId: 'k', createdAt: 5 })]]);
  await (await openPostgresStore({ url, beforeChange: async () => undefined })).close();
  await (await openPostgresStore({ url, beforeChange: refuse })).close(); // nothing is left to change
});
