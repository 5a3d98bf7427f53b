import { expect, test } from 'vitest';
import { builtInIssuerName } from '../../contract/identity.ts';
import { account, type CreateStoreHarness, hashOf, unusualTexts, withStore } from '../harness.ts';
import { createUser, passkeyOf, resetOf, signUpOf } from '../identity/identity-records.ts';
import { byOperator } from '../records.fixture.ts';
import { developerCodeOf, signIn } from './sign-in-records.ts';

const issuer = 'https://issuer.example';

export function developers(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);

  test('a developer has an account from the first sign-in on', async () => {
    expect(await at.store.findDeveloper(issuer, 'dev')).toBeUndefined();
    expect(await at.store.createDeveloper(issuer, 'dev', account())).toEqual(account());
    expect(await at.store.findAccount('acc_1')).toEqual(account());
    expect(await at.store.createDeveloper(issuer, 'dev', account('acc_2'))).toEqual(account());
    expect(await at.store.findAccount('acc_2')).toBeUndefined();
    await at.reopen();
    expect(await at.store.findDeveloper(issuer, 'dev')).toEqual(account());
    await at.store.updateAccount(byOperator, 'acc_1', { name: 'Renamed' });
    expect(await at.store.findDeveloper(issuer, 'dev')).toMatchObject({ name: 'Renamed' });
  });

  test('a developer is identified by issuer and subject together, which can be any strings', async () => {
    const known: (readonly [string, string])[] = [
      [issuer, 'dev'],
      [issuer, 'DEV'],
      ['https://other.example', 'dev'],
      [`${issuer}/`, 'dev'],
      ...unusualTexts.map((subject) => [issuer, subject] as const),
    ];
    for (const [i, [iss, sub]] of known.entries()) {
      const name = unusualTexts[i % unusualTexts.length] as string;
      await at.store.createDeveloper(iss, sub, account(`acc_${i}`, { name }));
    }
    for (const [i, [iss, sub]] of known.entries()) {
      const name = unusualTexts[i % unusualTexts.length] as string;
      expect(await at.store.findDeveloper(iss, sub)).toEqual(account(`acc_${i}`, { name }));
    }
    expect(await at.store.findDeveloper('dev', issuer)).toBeUndefined();
  });

  test('the account list shows when a developer of each account was last seen, which only increases', async () => {
    const seenAt = async () =>
      (await at.store.listAccounts({ after: null, itemsMax: 5 })).items.map(({ accountId, lastSeenAt }) => [
        accountId,
        lastSeenAt,
      ]);
    await at.store.createDeveloper(issuer, 'dev', account('acc_1'));
    await at.store.createDeveloper(issuer, 'other', account('acc_2'));
    expect(await seenAt()).toEqual([
      ['acc_2', null],
      ['acc_1', null],
    ]);
    const seen = (subject: string, at: number, accountId = 'acc_1') => ({ accountId, subject, seenAt: at });
    await at.store.recordDevelopersSeen(issuer, [seen('dev', 7_000), seen('nobody', 9_000)]);
    await at.store.recordDevelopersSeen(issuer, [seen('dev', 6_000)]);
    await at.store.recordDevelopersSeen('https://other.example', [seen('other', 8_000, 'acc_2')]);
    await at.store.recordDevelopersSeen(issuer, []);
    await at.reopen();
    expect(await seenAt()).toEqual([
      ['acc_2', null],
      ['acc_1', 7_000],
    ]);
  });

  test('parallel first sign-ins on two processes create one account', async () => {
    const beside = await at.openParallel();
    const accounts = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        (i % 2 === 0 ? at.store : beside).createDeveloper(issuer, 'dev', account(`acc_${i}`)),
      ),
    );
    expect(new Set(accounts.map(({ accountId }) => accountId)).size).toBe(1);
    expect((await at.store.listAccounts({ after: null, itemsMax: 50 })).items).toHaveLength(1);
  });

  test('a developer whose account was deleted is unknown and gets a new account at the next sign-in', async () => {
    await at.store.createDeveloper(issuer, 'dev', account());
    await at.store.createDeveloper(issuer, 'other', account('acc_3'));
    await signIn(at.store, 'f', developerCodeOf('dev'));
    await at.store.deleteAccount('acc_1');
    expect(await at.store.findDeveloper(issuer, 'dev')).toBeUndefined();
    expect(await at.store.findRefreshFamily('f', 2_000)).toBeUndefined();
    expect(await at.store.createDeveloper(issuer, 'dev', account('acc_2'))).toEqual(account('acc_2'));
    expect(await at.store.findDeveloper(issuer, 'dev')).toEqual(account('acc_2'));
    expect(await at.store.findDeveloper(issuer, 'other')).toEqual(account('acc_3'));
  });

  test('deleting an account deletes its built-in developer with all ways to sign in, and no other developer', async () => {
    const ada = await createUser(at.store, null);
    const bob = await createUser(at.store, null, 'bob@example.com');
    for (const [i, { userId }] of [ada, bob].entries()) {
      await at.store.createDeveloper(builtInIssuerName, userId, account(`acc_${i}`));
      await signIn(at.store, `f${i}`, developerCodeOf(userId, { accountId: `acc_${i}` }));
      await at.store.addPasskey(passkeyOf({ accountId: null, userId }, `c${i}`, 1_000), 20);
      await at.store.addPasswordReset(hashOf(`reset ${i}`), resetOf({ accountId: null, userId }));
    }
    await at.store.addSignUp(hashOf('pending'), signUpOf(null, 'ada@example.com'));
    await at.store.deleteAccount('acc_0');
    await at.reopen();
    expect(await at.store.findUser(null, ada.userId)).toBeUndefined();
    expect(await at.store.findUserByEmail(null, 'ada@example.com')).toBeUndefined();
    expect(await at.store.findPasskey({ accountId: null, credentialId: 'c0' })).toBeUndefined();
    expect(await at.store.findPasswordReset(hashOf('reset 0'), 2_000)).toBeUndefined();
    expect(await at.store.findSignUp(hashOf('pending'), 2_000)).toBeUndefined();
    expect(await at.store.findRefreshFamily('f0', 2_000)).toBeUndefined();
    expect(await at.store.findAuthorizationCode(hashOf('code-f0'), 2_000)).toBeUndefined();
    expect(await at.store.findUser(null, bob.userId)).toEqual(bob);
    expect(await at.store.listPasskeys(null, bob.userId)).toHaveLength(1);
    expect(await at.store.findPasswordReset(hashOf('reset 1'), 2_000)).toBeDefined();
    expect(await at.store.findRefreshFamily('f1', 2_000)).toBeDefined();
    expect(await createUser(at.store, null)).toMatchObject({ email: 'ada@example.com' });
  });

  test('deleting a developer of another issuer deletes no built-in user, even with the same subject', async () => {
    const user = await createUser(at.store, null);
    await at.store.createAccount(account('acc_2'));
    const player = await createUser(at.store, 'acc_2');
    await at.store.createDeveloper(issuer, user.userId, account());
    await at.store.deleteAccount('acc_1');
    expect(await at.store.findUser(null, user.userId)).toEqual(user);
    await at.store.createDeveloper(builtInIssuerName, player.userId, account('acc_3'));
    await at.store.deleteAccount('acc_3');
    expect(await at.store.findUser('acc_2', player.userId)).toEqual(player);
  });
}
