import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { newestMigration } from '../../sql/schema/releases.ts';
import { appliedMigrations, migrate, migrations } from '../schema/migrations.ts';
import { openSqliteStore } from '../store.ts';
import { temporary } from '../temporary.fixture.ts';
import { openBackup } from './backup.ts';
import { databasePath } from './database.ts';

const at = temporary();

/** A data directory with a database as created by the first release, and an account in it. */
function oldDirectory(): string {
  const dataDir = at.directory();
  makeOld(dataDir);
  return dataDir;
}

function makeOld(dataDir: string): void {
  const database = new DatabaseSync(databasePath(dataDir), { timeout: 30_000 });
  migrate(database, migrations.slice(0, 1), 5);
  database.exec(
    "INSERT INTO accounts (account_id, name, idp_tenant_id, created_at, projects) VALUES ('acc_1', '\"A\"', 't', 1, 0)",
  );
  database.close();
}

const copiesIn = (dataDir: string) =>
  readdirSync(dataDir)
    .filter((name) => name.includes('.before-'))
    .sort();

test('a database is copied unchanged before an upgrade', async () => {
  const dataDir = oldDirectory();
  const onUpgrade = vi.fn();
  const store = await at.open({ dataDir, onUpgrade });
  expect(await store.findAccount('acc_1')).toMatchObject({ name: 'A' });
  const [copy] = copiesIn(dataDir) as [string];
  expect(copy).toMatch(new RegExp(`^holdfast.sqlite.before-${migrations.at(-1)?.program}-\\d{8}T\\d{9}Z$`));
  expect(onUpgrade.mock.calls).toEqual([
    [{ from: 1, to: newestMigration, copy: join(dataDir, copy), milliseconds: expect.any(Number) }],
  ]);
  expect(statSync(join(dataDir, copy)).mode & 0o777).toBe(0o600);
  const old = openBackup(join(dataDir, copy));
  expect(appliedMigrations(old)).toHaveLength(1);
  expect(old.prepare('SELECT account_id FROM accounts').all()).toEqual([{ account_id: 'acc_1' }]);
  old.close();
});

test('a new or current database is not copied', async () => {
  const dataDir = at.directory();
  const onUpgrade = vi.fn();
  for (let starts = 0; starts < 2; starts++) await (await openSqliteStore({ dataDir, onUpgrade })).close();
  expect(copiesIn(dataDir)).toEqual([]);
  expect(onUpgrade).not.toHaveBeenCalled();
});

test('no copy is made if copies are switched off', async () => {
  const dataDir = oldDirectory();
  await at.open({ dataDir, keepsCopy: false });
  expect(copiesIn(dataDir)).toEqual([]);
});

test('the newest two copies are kept, and drafts of interrupted ones removed', async () => {
  const dataDir = oldDirectory();
  const names = ['0.0.7-20200101T000000000Z', '0.0.8-20210101T000000000Z', '0.0.9-20220101T000000000Z.partial'];
  for (const name of names) {
    writeFileSync(`${databasePath(dataDir)}.before-${name}`, '');
    await new Promise((done) => setTimeout(done, 10));
  }
  await at.open({ dataDir });
  const left = copiesIn(dataDir);
  expect(left).toHaveLength(2);
  expect(left[0]).toBe(`${basename(databasePath(dataDir))}.before-${names[1]}`);
});
