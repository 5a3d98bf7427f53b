import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { newestMigration } from '../../sql/schema/releases.ts';
import { account } from '../../store-suite/harness.ts';
import { databasePath } from '../directory/database.ts';
import { openSqliteStore } from '../store.ts';
import { temporary } from '../temporary.fixture.ts';
import { type Migration, migrate, migrations, pendingMigrations } from './migrations.ts';

const at = temporary();
const release = { program: '7.0.0', opensWith: 1 };
const two: Migration[] = [
  { number: 1, sql: 'CREATE TABLE a (x)', ...release },
  { number: 2, sql: 'CREATE TABLE b (x); INSERT INTO b VALUES (1)', ...release },
];

/** A data directory whose database was created by a store, then changed by `change`. */
async function changedDirectory(change: string): Promise<string> {
  const dataDir = at.directory();
  await (await openSqliteStore({ dataDir })).close();
  const database = new DatabaseSync(databasePath(dataDir), { timeout: 30_000 });
  database.exec(change);
  database.close();
  return dataDir;
}

test('migrations are numbered in order, from 1', () => {
  const numbers = migrations.map(({ number }) => number);
  expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
  expect(numbers[0]).toBe(1);
});

test('missing migrations are applied once, in order', () => {
  const database = new DatabaseSync(':memory:');
  migrate(database, pendingMigrations(database, two.slice(0, 1)), 5);
  expect(pendingMigrations(database, two)).toEqual(two.slice(1));
  migrate(database, pendingMigrations(database, two), 6);
  expect(pendingMigrations(database, two)).toEqual([]);
  const rows = database
    .prepare('SELECT number, length(sha256) AS size, applied_at, program, opens_with FROM migrations')
    .all();
  expect(rows).toEqual([
    { number: 1, size: 64, applied_at: 5, program: '7.0.0', opens_with: 1 },
    { number: 2, size: 64, applied_at: 6, program: '7.0.0', opens_with: 1 },
  ]);
});

test('a failing migration leaves nothing, and names its number', () => {
  const database = new DatabaseSync(':memory:');
  const broken = [...two, { number: 3, sql: 'CREATE TABLE c (x); INSERT INTO nowhere VALUES (1)', ...release }];
  expect(() => migrate(database, broken, 5)).toThrow('cannot apply migration 3');
  expect(pendingMigrations(database, broken)).toEqual(broken.slice(2));
  expect(database.prepare("SELECT name FROM sqlite_schema WHERE name = 'c'").all()).toEqual([]);
});

test('a database whose migration was changed is refused', async () => {
  const dataDir = await changedDirectory("UPDATE migrations SET sha256 = 'other' WHERE number = 1");
  await expect(openSqliteStore({ dataDir })).rejects.toThrow('its migration 1 is not the one of this program');
});

test('a database newer than the program is refused and left unchanged', async () => {
  const dataDir = await changedDirectory(`INSERT INTO migrations VALUES (99, 'x', 1, '3.1.0', ${newestMigration + 1})`);
  const needed = `it needs Holdfast 3.1.0 or newer, since it has migration 99, and this program knows ${newestMigration}`;
  await expect(openSqliteStore({ dataDir })).rejects.toThrow(needed);
  await expect(openSqliteStore({ dataDir, exclusive: false })).rejects.toThrow(needed);
});

test('a newer database without a word on older programs is refused too', async () => {
  const dataDir = await changedDirectory("INSERT INTO migrations (number, sha256, applied_at) VALUES (99, 'x', 1)");
  await expect(openSqliteStore({ dataDir })).rejects.toThrow('it needs a newer program, since it has migration 99');
});

test('a newer database that allows this program is opened', async () => {
  const dataDir = await changedDirectory(`INSERT INTO migrations VALUES (99, 'x', 1, '3.1.0', ${newestMigration})`);
  const store = await openSqliteStore({ dataDir });
  expect(await store.createAccount(account())).toBe('created');
  await store.close();
});
