/** What nodes on one database tell each other, of many changes. */
import { expect, test, vi } from 'vitest';
import type { AccessChange } from '../../caches/access-changes.ts';
import { account, ensureProject } from '../../store-suite/harness.ts';
import { byOperator } from '../../store-suite/records.fixture.ts';
import { withTwoNodes } from '../fixtures/two-nodes.fixture.ts';

const place = { accountId: 'acc_1', slug: 'p' };
const at = withTwoNodes();
const soon = { timeout: 60_000, interval: 20 };
// A late look reports everything to be safe; but not every time.
const mayBeSlow = { retry: 5 };

test('repeated changes of one account leave few rows for others to read', mayBeSlow, async () => {
  for (const accountId of ['acc_1', 'acc_2']) await at.store.createAccount(account(accountId));
  await ensureProject(at.store, place);
  const loop = async (times: number) => {
    for (let n = 0; n < times; n++) await at.beside.writePlayerAuth(byOperator, place, `{"n":${n}}`);
  };
  await loop(5);
  await at.beside.writeOwnLimits(byOperator, 'acc_2', { projects: 5 });
  const changes: AccessChange[] = [];
  at.store.onAccessChange((change) => changes.push(change));
  await loop(400);
  await vi.waitFor(async () => expect(await at.count('access_changes')).toBeLessThanOrEqual(102), soon);
  expect(await at.count('access_changes', `subject LIKE '%acc_2%'`)).toBe(1);
  // Only the account itself is forgotten more often than necessary.
  await vi.waitFor(() => expect(changes).toContainEqual({ kind: 'account', accountId: 'acc_1' }), soon);
  const ofAccount = (accountId: string) =>
    changes.filter((change) => 'accountId' in change && change.accountId === accountId);
  expect(ofAccount('acc_2').length).toBeLessThanOrEqual(1);
  expect(ofAccount('acc_1').length + ofAccount('acc_2').length).toBe(changes.length);
});
