/** How PostgreSQL finds records of the audit trail, where there are many. */
import { randomBytes } from 'node:crypto';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { byOperator } from '../../records.fixture.ts';
import { account } from '../../store-contract/harness.ts';
import { unobserved } from '../../store-observer.ts';
import { unlimited } from '../../usage-store.ts';
import { createColdStore } from '../cold-verbs.ts';
import { type Database, openDatabase } from '../connection/database.ts';
import type { Query } from '../connection/query.ts';
import { createDatabase } from '../fixtures/databases.fixture.ts';
import { createRecordQueues } from '../state/record-queues.ts';
import { openPostgresStore } from '../store.ts';
import { type AccessChanges, watchAccess } from './access-changes.ts';

/** The account that is asked for has a tenth of all; so many that no plan by chance finds them fast. */
const records = 200_000;

let sql: Sql;
let opened: Database;
let access: AccessChanges;
let store: ReturnType<typeof createColdStore>;
/** The statements that were sent since the last look. */
let sent: { readonly text: string; readonly values: readonly unknown[] }[] = [];

beforeAll(async () => {
  const url = await createDatabase(inject('postgresUrl'));
  const whole = await openPostgresStore({ url });
  await whole.createAccount(account('acc_1'));
  await whole.createAccount(account('acc_2'));
  await whole.close();
  sql = postgres(url, { max: 1, onnotice: () => {} });
  await sql.unsafe(`
    INSERT INTO audit_records (account_id, position, at, actor_kind, actor_id, actor_name, action, target, detail, request_id, of_day, bytes,
      slug, end_user_id)
    SELECT CASE WHEN n % 10 = 0 THEN 'acc_1' ELSE 'acc_2' END, n, n, 'developer', '"mem_' || n % 97 || '"', '"Ada"',
      CASE WHEN n % 1000 = 0 THEN 'member.remove' ELSE 'project.update' END, '"projects/game"', '{}', 'r' || n, 1, 100,
      CASE WHEN n % 5 = 0 THEN 'game' END, CASE WHEN n % 5 = 0 THEN '"player-' || n || '"' END
    FROM generate_series(1, ${records}) AS n`);
  await sql`UPDATE accounts SET audit_position = ${records}`;
  await sql`ANALYZE`;
  opened = openDatabase({ urls: [url], connectionsMax: 2, isPooled: false });
  access = await watchAccess(opened, unobserved);
  const noting =
    (query: Query): Query =>
    (text, values) => {
      sent.push({ text, values: values ?? [] });
      return query(text, values);
    };
  const database: Database = {
    query: noting(opened.query),
    transaction: (isolation, work) => opened.transaction(isolation, (query) => work(noting(query))),
    waiting: () => opened.waiting(),
    close: () => opened.close(),
  };
  store = createColdStore({
    database,
    access,
    quotas: unlimited,
    queues: createRecordQueues(),
    bucketSecret: randomBytes(32),
  });
}, 60_000);
afterAll(async () => {
  await access.close();
  await opened.close();
  await sql.end();
});

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

type Explained = readonly { readonly Plan: Plan }[];

/** The rows of audit records that a plan has looked at. */
function rowsOf(plan: Plan): number {
  const isOfTrail = plan['Relation Name'] === 'audit_records';
  const own = isOfTrail ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'] : 0;
  return (plan.Plans ?? []).reduce((sum, part) => sum + rowsOf(part), own);
}

/** Runs what was sent about the trail again, and returns how many of its records that has looked at. */
async function lookedAt(): Promise<readonly number[]> {
  const looked: number[] = [];
  for (const { text, values } of sent.filter((one) => one.text.includes('audit_records'))) {
    await sql
      .begin(async (transaction) => {
        const rows = await transaction.unsafe(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values as never[]);
        for (const row of rows) for (const { Plan: plan } of row['QUERY PLAN'] as Explained) looked.push(rowsOf(plan));
        throw new Error('undone');
      })
      .catch((error: unknown) => {
        if (!(error instanceof Error) || error.message !== 'undone') throw error;
      });
  }
  return looked;
}

const none = { action: null, actorId: null };
const page = { before: null, itemsMax: 50 };

test.each<[string, () => unknown]>([
  ['the newest records', async () => store.listAuditRecords('acc_1', none, page)],
  ['a page deep in the trail', async () => store.listAuditRecords('acc_1', none, { before: 5_000, itemsMax: 50 })],
  ['the records of a rare action', async () => store.listAuditRecords('acc_1', { ...none, action: 'member.remove' }, page)],
  [
    'the records of an action that there is not',
    async () => store.listAuditRecords('acc_1', { ...none, action: 'account.update' }, page),
  ],
  ['the records of one actor', async () => store.listAuditRecords('acc_1', { ...none, actorId: 'mem_3' }, page)],
  ['the records of nobody', async () => store.listAuditRecords('acc_1', { ...none, actorId: 'mem_x' }, page)],
  [
    'an action of one actor',
    async () => store.listAuditRecords('acc_1', { actorId: 'mem_3', action: 'member.remove' }, page),
  ],
  ['a sweep', () => store.sweepAuditRecords(5_000)],
])('%s are found by an index: no more rows are looked at than are needed', async (_, ask) => {
  sent = [];
  await ask();
  const looked = await lookedAt();
  expect(looked.length).toBeGreaterThan(0);
  for (const rows of looked) expect(rows).toBeLessThan(600);
});

test('a new record finds the last one of its actor', async () => {
  sent = [];
  const invitation = {
    invitationId: 'inv_1',
    accountId: 'acc_1',
    role: 'viewer',
    environments: null,
    email: null,
    inviter: null,
    makerId: null,
    createdAt: 1,
    expiresAt: 2,
  } as const;
  const by = { ...byOperator, actor: { kind: 'developer', id: 'mem_3', name: 'Ada' } } as const;
  expect(await store.addInvitation(by, Uint8Array.of(1), invitation, 100)).toBe('added');
  const last = sent.filter(({ text }) => text.startsWith('SELECT position'));
  expect(last).toHaveLength(1);
  sent = last;
  for (const rows of await lookedAt()) expect(rows).toBeLessThan(5);
});
