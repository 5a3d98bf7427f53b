import { expect, vi } from 'vitest';
import type { NewServiceAccount, ServiceAccount } from '../../contract/service-accounts.ts';
import { account, type CreateStoreHarness, casesOf, hashOf, type Weight, weirdTexts, withStore } from '../harness.ts';
import { byOperator as by } from '../records.fixture.ts';

const robot = (serviceAccountId: string, change: Partial<NewServiceAccount> = {}): NewServiceAccount => ({
  accountId: 'acc_1',
  serviceAccountId,
  name: 'A robot',
  role: 'editor',
  environments: ['development', 'production'],
  createdAt: 3_000,
  expiresAt: null,
  ...change,
});
const secret = (secretId: string, createdAt = 3_000) => ({ secretId, secretHash: hashOf(secretId), createdAt });

export function serviceAccounts(createHarness: CreateStoreHarness, weight: Weight = 'quick'): void {
  const { each, test } = casesOf(weight);
  const at = withStore(createHarness);
  const create = (id: string, change: Partial<NewServiceAccount> = {}, accountsMax = 100) =>
    at.store.createServiceAccount(by, robot(id, change), secret(`${id} 1`), accountsMax);
  const stored = (id: string, change: Partial<ServiceAccount> = {}): ServiceAccount => ({
    ...robot(id),
    lastUsedAt: null,
    secrets: [{ secretId: `${id} 1`, createdAt: 3_000, lastUsedAt: null }],
    ...change,
  });

  test('adding a service account requires its account', async () => {
    expect(await create('sa')).toBe('no_account');
    expect(await at.store.findServiceAccount('acc_1', 'sa')).toBeUndefined();
    expect(await at.store.findServiceAccountBySecret(hashOf('sa 1'))).toBeUndefined();
  });

  test('a service account is found by id and by secret and comes back unchanged', async () => {
    await at.store.createAccount(account());
    expect(await create('sa')).toBe('created');
    expect(await create('all', { environments: null, role: 'server', expiresAt: 9_000, createdAt: 4_000 })).toBe('created');
    const all = stored('all', { environments: null, role: 'server', expiresAt: 9_000, createdAt: 4_000 });
    await at.reopen();
    expect(await at.store.findServiceAccount('acc_1', 'sa')).toEqual(stored('sa'));
    expect(await at.store.findServiceAccount('acc_2', 'sa')).toBeUndefined();
    expect(await at.store.findServiceAccountBySecret(hashOf('all 1'))).toEqual({ serviceAccount: all, secretId: 'all 1' });
    expect(await at.store.findServiceAccountBySecret(hashOf('other'))).toBeUndefined();
    expect(await at.store.listServiceAccounts('acc_1')).toEqual([all, stored('sa')]);
    expect(await at.store.listServiceAccounts('acc_2')).toEqual([]);
  });

  each('the name %j comes back unchanged', weirdTexts, async (name) => {
    await at.store.createAccount(account());
    await create('sa', { name });
    expect((await at.store.findServiceAccount('acc_1', 'sa'))?.name).toBe(name);
  });

  test('of parallel creations of the last allowed one, on any process, exactly one succeeds; deleting one makes room', async () => {
    const beside = await at.openParallel();
    await at.store.createAccount(account());
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        (i % 2 === 0 ? at.store : beside).createServiceAccount(by, robot(`sa${i}`), secret(`sa${i} 1`), 3),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(3);
    const [first] = await at.store.listServiceAccounts('acc_1');
    expect(await at.store.deleteServiceAccount(by, 'acc_1', first?.serviceAccountId as string)).toBe('deleted');
    expect(await create('again', {}, 3)).toBe('created');
  });

  test('a service account has at most the maximum number of secrets, even if two are added in parallel', async () => {
    const beside = await at.openParallel();
    await at.store.createAccount(account());
    await create('sa');
    const add = (store: typeof at.store, id: string) =>
      store.addServiceAccountSecret(by, 'acc_1', 'sa', secret(id, 5_000), 2);
    expect((await Promise.all([add(at.store, 'a'), add(beside, 'b')])).sort()).toEqual(['added', 'too_many']);
    const [, second] = (await at.store.findServiceAccount('acc_1', 'sa'))?.secrets ?? [];
    expect(second).toMatchObject({ createdAt: 5_000, lastUsedAt: null });
    expect(await at.store.deleteServiceAccountSecret(by, 'acc_1', 'sa', 'sa 1')).toBe('deleted');
    expect(await at.store.findServiceAccountBySecret(hashOf('sa 1'))).toBeUndefined();
    expect(await add(at.store, 'c')).toBe('added');
    expect(await at.store.addServiceAccountSecret(by, 'acc_1', 'none', secret('d'), 2)).toBe('absent');
    expect(await at.store.findServiceAccountBySecret(hashOf('d'))).toBeUndefined();
  });

  test('a secret can be deleted only through its own service account', async () => {
    for (const id of ['acc_1', 'acc_2']) await at.store.createAccount(account(id));
    await create('sa');
    await create('sb');
    expect(await at.store.deleteServiceAccountSecret(by, 'acc_1', 'sb', 'sa 1')).toBe('absent');
    expect(await at.store.deleteServiceAccountSecret(by, 'acc_2', 'sa', 'sa 1')).toBe('absent');
    expect(await at.store.findServiceAccountBySecret(hashOf('sa 1'))).toBeDefined();
  });

  test('a service account is deleted with its secrets, and with its account', async () => {
    for (const id of ['acc_1', 'acc_2']) await at.store.createAccount(account(id));
    await create('sa');
    await create('sb');
    expect(await at.store.deleteServiceAccount(by, 'acc_2', 'sa')).toBe('absent');
    expect(await at.store.deleteServiceAccount(by, 'acc_1', 'sa')).toBe('deleted');
    expect(await at.store.deleteServiceAccount(by, 'acc_1', 'sa')).toBe('absent');
    expect(await at.store.findServiceAccountBySecret(hashOf('sa 1'))).toBeUndefined();
    expect(await at.store.findServiceAccount('acc_1', 'sb')).toBeDefined();
    await at.store.deleteAccount('acc_1');
    expect(await at.store.findServiceAccount('acc_1', 'sb')).toBeUndefined();
    expect(await at.store.findServiceAccountBySecret(hashOf('sb 1'))).toBeUndefined();
    expect(await at.store.listServiceAccounts('acc_1')).toEqual([]);
    expect(await at.store.addServiceAccountSecret(by, 'acc_1', 'sb', secret('x'), 2)).toBe('absent');
    expect(await at.store.deleteServiceAccountSecret(by, 'acc_1', 'sb', 'sb 1')).toBe('absent');
    expect(await at.store.deleteServiceAccount(by, 'acc_1', 'sb')).toBe('absent');
  });

  test('times of last use only increase, and unknown secrets are ignored', async () => {
    await at.store.createAccount(account());
    await create('sa');
    await at.store.addServiceAccountSecret(by, 'acc_1', 'sa', secret('second', 4_000), 2);
    const use = (secretId: string, usedAt: number, serviceAccountId = 'sa') => ({
      accountId: 'acc_1',
      serviceAccountId,
      secretId,
      usedAt,
    });
    const seen = async () => {
      const found = await at.store.findServiceAccount('acc_1', 'sa');
      return [found?.lastUsedAt, ...(found?.secrets ?? []).map(({ lastUsedAt }) => lastUsedAt)];
    };
    await at.store.recordServiceAccountUse([use('sa 1', 50), use('gone', 40, 'none'), use('second', 60)]);
    expect(await seen()).toEqual([60, 50, 60]);
    await at.store.recordServiceAccountUse([use('sa 1', 49), use('second', 61)]);
    await at.store.recordServiceAccountUse([]);
    expect(await seen()).toEqual([61, 50, 61]);
  });

  test('additions do not affect access; deletions end the account’s tokens', async () => {
    await at.store.createAccount(account());
    const listener = vi.fn();
    at.store.onAccessChange(listener);
    await create('sa');
    await at.store.addServiceAccountSecret(by, 'acc_1', 'sa', secret('second'), 2);
    await at.store.recordServiceAccountUse([{ accountId: 'acc_1', serviceAccountId: 'sa', secretId: 'second', usedAt: 5 }]);
    await at.store.deleteServiceAccountSecret(by, 'acc_1', 'sa', 'none');
    await at.store.deleteServiceAccount(by, 'acc_1', 'none');
    expect(listener).not.toHaveBeenCalled();
    await at.store.deleteServiceAccountSecret(by, 'acc_1', 'sa', 'second');
    await at.store.deleteServiceAccount(by, 'acc_1', 'sa');
    expect(listener.mock.calls).toEqual([
      [{ kind: 'account', accountId: 'acc_1' }],
      [{ kind: 'account', accountId: 'acc_1' }],
    ]);
  });
}
