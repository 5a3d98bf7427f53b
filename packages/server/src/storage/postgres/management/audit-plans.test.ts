/** How PostgreSQL finds audit records among many. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { account } from '../../store-suite/harness.ts';
import { byOperator } from '../../store-suite/records.fixture.ts';
import { createDatabase } from '../fixtures/databases.fixture.ts';
import { openPlans, type Plans } from '../fixtures/plans.fixture.ts';
import { openPostgresStore } from '../store.ts';

/** The requested account has a tenth of all; so many that no plan finds them fast by chance. */
const records = 200_000;

let plans: Plans;
beforeAll(async () => {
  const url = await createDatabase(inject('postgresUrl'));
  const whole = await openPostgresStore({ url });
  await whole.createAccount(account('acc_1'));
  await whole.createAccount(account('acc_2'));
  await whole.close();
  plans = await openPlans(url);
  await plans.sql.unsafe(`
    INSERT INTO audit_records (account_id, position, at, actor_kind, actor_id, actor_name, action, target, detail, request_id, of_day, bytes,
      slug, end_user_id)
    SELECT CASE WHEN n % 10 = 0 THEN 'acc_1' ELSE 'acc_2' END, n, n, 'developer', '"mem_' || n % 97 || '"', '"Ada"',
      CASE WHEN n % 1000 = 0 THEN 'member.remove' ELSE 'project.update' END, '"projects/game"', '{}', 'r' || n, 1, 100,
      CASE WHEN n % 5 = 0 THEN 'game' END, CASE WHEN n % 5 = 0 THEN '"player-' || n || '"' END
    FROM generate_series(1, ${records}) AS n`);
  await plans.sql`UPDATE accounts SET audit_position = ${records}`;
  await plans.sql`ANALYZE`;
});
afterAll(() => plans.close());

const none = { action: null, actorId: null };
const page = { before: null, itemsMax: 50 };

test.each<[string, () => unknown]>([
  ['the newest records', async () => plans.store.listAuditRecords('acc_1', none, page)],
  [
    'the records on a page deep in the trail',
    async () => plans.store.listAuditRecords('acc_1', none, { before: 5_000, itemsMax: 50 }),
  ],
  [
    'records of a rare action',
    async () => plans.store.listAuditRecords('acc_1', { ...none, action: 'member.remove' }, page),
  ],
  [
    'records of an unknown action',
    async () => plans.store.listAuditRecords('acc_1', { ...none, action: 'account.update' }, page),
  ],
  ['records of one actor', async () => plans.store.listAuditRecords('acc_1', { ...none, actorId: 'mem_3' }, page)],
  ['records of an unknown actor', async () => plans.store.listAuditRecords('acc_1', { ...none, actorId: 'mem_x' }, page)],
  [
    'records of an action by one actor',
    async () => plans.store.listAuditRecords('acc_1', { actorId: 'mem_3', action: 'member.remove' }, page),
  ],
  ['records to sweep', () => plans.store.sweepAuditRecords(5_000)],
])('%s are found by an index, without reading other rows', async (_, ask) => {
  const looked = await plans.lookedAt(await plans.sentBy(ask), ['audit_records']);
  expect(looked.length).toBeGreaterThan(0);
  for (const rows of looked) expect(rows).toBeLessThan(600);
});

test("a new record finds its actor's last one", async () => {
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
  const sent = await plans.sentBy(async () => {
    expect(await plans.store.addInvitation(by, Uint8Array.of(1), invitation, 100)).toBe('added');
  });
  const last = sent.filter(({ text }) => text.startsWith('SELECT position'));
  expect(last).toHaveLength(1);
  for (const rows of await plans.lookedAt(last, ['audit_records'])) expect(rows).toBeLessThan(5);
});
