/** Every declared table is copied between engines, and swept when its account is deleted, whatever its columns. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { databaseAddress } from '../storage/postgres/connection/address.ts';
import { openDatabase } from '../storage/postgres/connection/database.ts';
import { sweepDue } from '../storage/postgres/sweep/sweep.ts';
import { columnsIn, type SharedTable } from '../storage/sql/schema/declaration.ts';
import { columnsOf, sharedTable, sharedTableNames } from '../storage/sql/schema/tables.ts';
import { anAccount, aProject, byOperator } from '../storage/store-suite/records.fixture.ts';
import { createStage, type Stage } from './migrate-store/stage.fixture.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await createStage();
});
afterEach(() => stage.remove());

const key = { accountId: 'acc_1', slug: 'p' } as const;

/** A value for each column: its name if it is a text, as JSON, since some texts are JSON. */
function rowOf(table: SharedTable): Record<string, string | number | Uint8Array> {
  const named: Readonly<Record<string, string>> = {
    account_id: key.accountId,
    directory_id: key.accountId,
    slug: key.slug,
    purpose: 'access_token',
  };
  const values = { text: '', integer: 7, generated: 7, bytes: Uint8Array.of(0, 1, 255) };
  return Object.fromEntries(
    columnsIn(table).map(({ name, type }) => {
      const value = values[type];
      return [name, named[name] ?? (value === '' ? JSON.stringify(`${name} 'é' \ud800`) : value)];
    }),
  );
}

/** A row in each table, except account and project, which exist. */
function plant(folder: string): void {
  const database = new DatabaseSync(join(folder, 'holdfast.sqlite'), { timeout: 30_000 });
  for (const table of sharedTableNames) {
    if (table === 'accounts' || table === 'projects') continue;
    const row = rowOf(sharedTable(table));
    const names = Object.keys(row);
    database.prepare(`INSERT INTO ${table} (${names}) VALUES (${names.map(() => '?')})`).run(...Object.values(row));
  }
  // The size of an inserted audit record, schema or proposal counts for its account.
  const counted = ['audit_bytes', 'schema_bytes', 'proposal_bytes'].map((name) => `${name} = ${name} + 7`);
  database.exec(`UPDATE accounts SET ${counted}`);
  database.close();
}

type Rows = Record<string, unknown[]>;
const textOf = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value));

/** The rows of every table, as texts. */
async function rowsOf(place: string): Promise<Rows> {
  const found: Rows = {};
  const database = place === stage.url ? undefined : new DatabaseSync(join(place, 'holdfast.sqlite'), { readOnly: true });
  for (const table of sharedTableNames) {
    const sql = `SELECT ${columnsOf(table)} FROM ${table}`;
    const rows = database === undefined ? await stage.runSql(sql) : database.prepare(sql).all();
    found[table] = rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, textOf(value)])));
  }
  database?.close();
  return found;
}

/** The tables with a row. */
const filled = (rows: Rows): string[] => Object.keys(rows).filter((table) => rows[table]?.length !== 0);

const ownerless = sharedTableNames.filter((table) => sharedTable(table).owner === undefined && table !== 'accounts');

test("a copy in either direction has a row of every table, which its account's deletion removes", async () => {
  const { source, url, back } = stage;
  await stage.use(source, async (store) => {
    await store.createAccount(anAccount({ accountId: key.accountId, name: 'A', idpTenantId: 't', createdAt: 1 }));
    await store.createProject(byOperator, aProject({ ...key, name: 'P', createdAt: 1 }));
  });
  plant(source);
  const planted = await rowsOf(source);
  expect(filled(planted)).toEqual(sharedTableNames);
  expect(await stage.copy(source, url)).toMatchObject({ code: 0, stderr: '' });
  expect(await rowsOf(url)).toEqual(planted);
  expect(await stage.copy(url, back)).toMatchObject({ code: 0, stderr: '' });
  expect(await rowsOf(back)).toEqual(planted);
  for (const place of [source, url, back]) expect(await stage.faults(place)).toEqual([]);

  await stage.use(back, async (store) => {
    await store.deleteAccount(key.accountId);
    await vi.waitFor(async () => expect(filled(await rowsOf(back))).toEqual(ownerless), { timeout: 60_000 });
  });
  await stage.use(url, (store) => store.deleteAccount(key.accountId));
  const database = openDatabase(databaseAddress(url, 1));
  await sweepDue(database, Date.now() + 61_000);
  await database.close();
  expect(filled(await rowsOf(url))).toEqual(ownerless);
});

test('every table describes itself correctly', () => {
  for (const table of sharedTableNames) {
    const { columns, key: primary, owner } = sharedTable(table);
    expect(Object.keys(columns), table).toEqual(expect.arrayContaining([...primary]));
    // Records of an account or directory are deleted with it.
    const named = ['account_id', 'directory_id'].filter((name) => name in columns);
    expect(named, table).toEqual(table === 'accounts' ? ['account_id'] : owner === undefined ? [] : [owner]);
  }
});
