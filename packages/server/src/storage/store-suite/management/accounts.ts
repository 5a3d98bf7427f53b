import { expect } from 'vitest';
import type { Account } from '../../contract/accounts.ts';
import type { PagePosition } from '../../contract/pages.ts';
import type { Store } from '../../store.ts';
import { account, type CreateStoreHarness, casesOf, type Weight, weirdTexts, withStore } from '../harness.ts';
import { byOperator } from '../records.fixture.ts';

export function accounts(createHarness: CreateStoreHarness, weight: Weight = 'quick'): void {
  const { each, test } = casesOf(weight);
  const at = withStore(createHarness);

  test('a new store is empty until it has an account', async () => {
    expect(await at.store.isEmpty()).toBe(true);
    await at.store.createAccount(account());
    expect(await at.store.isEmpty()).toBe(false);
  });

  test('an account comes back unchanged', async () => {
    expect(await at.store.findAccount('acc_1')).toBeUndefined();
    expect(await at.store.createAccount(account())).toBe('created');
    expect(await at.store.findAccount('acc_1')).toEqual(account());
  });

  test('creating an account with an existing id changes nothing', async () => {
    await at.store.createAccount(account());
    expect(await at.store.createAccount(account('acc_1', { name: 'Another' }))).toBe('already_exists');
    expect(await at.store.findAccount('acc_1')).toEqual(account());
  });

  test('account ids are case-sensitive', async () => {
    await at.store.createAccount(account('acc_a', { name: 'lower' }));
    expect(await at.store.createAccount(account('acc_A', { name: 'upper' }))).toBe('created');
    expect((await at.store.findAccount('acc_a'))?.name).toBe('lower');
  });

  test('of 50 parallel creations of an account, exactly one succeeds', async () => {
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => at.store.createAccount(account())));
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1);
  });

  test('renaming returns the renamed account, or undefined if it does not exist', async () => {
    expect(await at.store.updateAccount(byOperator, 'acc_1', { name: 'x' })).toBeUndefined();
    await at.store.createAccount(account());
    await at.store.findAccount('acc_1');
    expect(await at.store.updateAccount(byOperator, 'acc_1', { name: 'New' })).toEqual(account('acc_1', { name: 'New' }));
    expect(await at.store.findAccount('acc_1')).toEqual(account('acc_1', { name: 'New' }));
  });

  each('the name %j comes back unchanged', weirdTexts, async (name) => {
    await at.store.createAccount(account('acc_1', { name }));
    await at.reopen();
    expect((await at.store.findAccount('acc_1'))?.name).toBe(name);
    expect((await at.store.updateAccount(byOperator, 'acc_1', { name: `${name}${name}` }))?.name).toBe(name + name);
  });

  test('pages are sorted newest first, then by account id, whatever the order of creation', async () => {
    const created = [5, 1, 3, 3, 3, 9].map((createdAt, i) => account(`acc_${i}`, { createdAt }));
    for (const each of created) await at.store.createAccount(each);
    const ordered = ['acc_5', 'acc_0', 'acc_4', 'acc_3', 'acc_2', 'acc_1'];
    expect((await allPages(at.store, 2)).map(({ accountId }) => accountId)).toEqual(ordered);
    expect((await allPages(at.store, 6)).map(({ accountId }) => accountId)).toEqual(ordered);
  });

  test('the last page has no next page, even if it is full', async () => {
    for (const id of ['acc_1', 'acc_2']) await at.store.createAccount(account(id));
    expect((await at.store.listAccounts({ after: null, itemsMax: 2 })).next).toBeNull();
    const first = await at.store.listAccounts({ after: null, itemsMax: 1 });
    expect(first.next).toEqual({ createdAt: 1_000, tie: 'acc_2' });
  });
}

async function allPages(store: Store, itemsMax: number): Promise<Account[]> {
  const found: Account[] = [];
  let after: PagePosition | null = null;
  do {
    const page = await store.listAccounts({ after, itemsMax });
    found.push(...page.items);
    after = page.next;
  } while (after !== null);
  return found;
}
