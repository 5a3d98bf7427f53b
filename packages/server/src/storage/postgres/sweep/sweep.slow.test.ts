import postgres, { type Sql } from 'postgres';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../../store.ts';
import {
  absent,
  account,
  apiKey,
  ensureProject,
  hashOf,
  newState,
  project,
  stateKey,
  writeNext,
} from '../../store-suite/harness.ts';
import { byOperator } from '../../store-suite/records.fixture.ts';
import { codeOf, newUserState, signIn, userKey } from '../../store-suite/sign-in/sign-in-records.ts';
import { databaseAddress } from '../connection/address.ts';
import { openDatabase } from '../connection/database.ts';
import { type LeasedDatabase, leaseDatabase } from '../fixtures/leases.fixture.ts';
import { openPostgresStore } from '../store.ts';
import { sweepDue } from './sweep.ts';

let lease: LeasedDatabase;
let store: Store;
let sql: Sql;

beforeEach(async () => {
  lease = await leaseDatabase();
  store = await openPostgresStore({ url: lease.url, answerMilliseconds: 20_000 });
  sql = postgres(lease.url, { max: 1, onnotice: () => {} });
});
afterEach(async () => {
  await store.close();
  await sql.end();
  await lease.release();
});

/** Fills a project with some of everything. */
async function furnish(accountId: string, slug: string): Promise<void> {
  const key = stateKey({ accountId, slug });
  await ensureProject(store, key);
  await store.createApiKey(
    byOperator,
    apiKey(`key-${accountId}-${slug}`, { accountId, slug }),
    hashOf(`${accountId}${slug}`),
    1_000,
  );
  await store.writePlayerAuth(byOperator, key, '{}');
  for (let i = 0; i < 300; i++) await writeNext(store, key, `{"n":${i}}`);
  for (let i = 0; i < 5; i++) await store.writeUserState(userKey(`u${i}`, key), absent, newUserState());
  await signIn(store, `family-${accountId}-${slug}`, codeOf('u1', { accountId, slug }));
}

/** The number of each table's rows of an account, whichever column names it; only tables with any. */
async function rowsOf(accountId: string): Promise<Record<string, number>> {
  const columns = await sql`
    SELECT table_name, column_name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name IN ('account_id', 'directory_id')`;
  const counts: Record<string, number> = {};
  for (const { table_name: table, column_name: column } of columns) {
    const [row] = await sql.unsafe(`SELECT count(*)::int AS rows FROM ${table} WHERE ${column} = $1`, [accountId]);
    if (row?.rows > 0) counts[table] = row?.rows;
  }
  return counts;
}

async function sweep(now: number): Promise<number> {
  const database = openDatabase(databaseAddress(lease.url, 1));
  const swept = await sweepDue(database, now);
  await database.close();
  return swept;
}
const soon = () => Date.now() + 61_000;

test('the remains of a deleted project are removed, while its floors and other projects stay', async () => {
  await furnish('acc_1', 'p');
  await furnish('acc_1', 'q');
  const before = await rowsOf('acc_1');
  expect(before.public_state_versions).toBe(600);
  await store.deleteProject(byOperator, stateKey());
  expect(await sweep(Date.now())).toBe(0);
  expect(await sweep(soon())).toBe(1);
  const { user_usage: usageParts, ...after } = await rowsOf('acc_1');
  expect(usageParts).toBeLessThan(before.user_usage as number);
  delete before.user_usage; // depends on the parts in which the players of each project are counted
  expect(after).toEqual({
    ...Object.fromEntries(Object.entries(before).map(([table, rows]) => [table, rows / 2])),
    accounts: 1,
    audit_records: (before.audit_records as number) + 1, // records of a project outlive it, including that of its deletion
    version_floors: 3,
  });
  expect(await store.readPublicState(stateKey({ slug: 'q' }))).toMatchObject({ kind: 'present', record: { version: 300 } });
});

test('a deleted account leaves nothing in any table', async () => {
  await furnish('acc_1', 'p');
  await furnish('acc_2', 'p');
  await store.createProject(byOperator, project('old'));
  await store.deleteProject(byOperator, stateKey({ slug: 'old' }));
  await store.addApiRequests(0, [{ accountId: 'acc_1', requests: 5 }]);
  await store.createDeveloper('https://idp.example', 'dev', account('acc_3'));
  await store.deleteAccount('acc_1');
  expect(await store.readPublicState(stateKey())).toEqual({ kind: 'no_project' });
  while ((await sweep(soon())) > 0);
  expect(await rowsOf('acc_1')).toEqual({});
  expect(await store.readPublicState(stateKey({ accountId: 'acc_2' }))).toMatchObject({ kind: 'present' });
});

test('a record that cannot be removed is deferred and reported, and blocks no other removal', async () => {
  await furnish('acc_1', 'p');
  await furnish('acc_2', 'p');
  const { audit_records: recordsBefore } = await rowsOf('acc_2');
  await store.deleteAccount('acc_1');
  await store.deleteProject(byOperator, stateKey({ accountId: 'acc_2' }));
  await sql`ALTER TABLE passkeys RENAME TO hidden`; // a table that belongs to accounts
  const now = soon();
  try {
    await expect(sweep(now)).rejects.toMatchObject({
      name: 'StoreFault',
      cause: { message: expect.stringContaining('passkeys') },
    });
    expect(await rowsOf('acc_2')).toEqual({
      accounts: 1,
      audit_records: (recordsBefore as number) + 1,
      version_floors: 3,
    });
    expect(await sweep(now)).toBe(0);
  } finally {
    await sql`ALTER TABLE hidden RENAME TO passkeys`;
  }
  expect(await sweep(now + 300_000)).toBe(1);
  expect(await rowsOf('acc_1')).toEqual({});
});

test('an account created again under a deleted id finds none of its data, even before the sweep', async () => {
  await furnish('acc_1', 'p');
  await store.deleteAccount('acc_1');
  expect(await store.createAccount(account())).toBe('created');
  await store.createProject(byOperator, project());
  expect(await store.readPublicState(stateKey())).toEqual({ kind: 'absent' });
  expect(await store.writePublicState(stateKey(), absent, newState())).toEqual({ kind: 'written', version: 1 });
  while ((await sweep(soon())) > 0);
  expect(await store.readPublicState(stateKey())).toMatchObject({ kind: 'present', record: { version: 1 } });
});
