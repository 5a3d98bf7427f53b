import type { IdentityProviderSettings } from '@holdfast/contract';
import { expect, test } from 'vitest';
import type { NewIdentityProvider } from '../../contract/federation.ts';
import { account, type CreateStoreHarness, hashOf, project, unusualTexts, withStore } from '../harness.ts';
import { byOperator } from '../records.fixture.ts';
import { codeOf, signIn } from '../sign-in/sign-in-records.ts';
import { federatedUser, identity, passwordUser } from './directory-users.ts';

const settings: IdentityProviderSettings = {
  clientId: 'client',
  name: 'Company',
  issuer: 'https://issuer.example/',
  tenant: null,
  teamId: null,
  keyId: null,
};
const provider = (providerId: string, change: Partial<NewIdentityProvider> = {}): NewIdentityProvider => ({
  accountId: 'acc_1',
  providerId,
  settings,
  sealedSecret: Uint8Array.of(1, 2, 3),
  writtenAt: 2_000,
  ...change,
});
const key = (providerId: string, accountId = 'acc_1') => ({ accountId, providerId });

export function identityProviders(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);

  test('can be written, read, listed by id and deleted', async () => {
    await at.store.createAccount(account());
    const written = {
      accountId: 'acc_1',
      settings,
      sealedSecret: Uint8Array.of(1, 2, 3),
      createdAt: 2_000,
      updatedAt: 2_000,
    };
    expect(await at.store.writeIdentityProvider(byOperator, provider('oidc.b'), 9)).toEqual({
      ...written,
      providerId: 'oidc.b',
    });
    await at.store.writeIdentityProvider(byOperator, provider('google.com', { sealedSecret: null }), 9);
    await at.reopen();
    expect(await at.store.findIdentityProvider(key('oidc.b'))).toEqual({ ...written, providerId: 'oidc.b' });
    const list = await at.store.listIdentityProviders('acc_1');
    expect(list.map(({ providerId, sealedSecret }) => [providerId, sealedSecret?.length])).toEqual([
      ['google.com', undefined],
      ['oidc.b', 3],
    ]);
    expect(await at.store.deleteIdentityProvider(byOperator, key('oidc.b'))).toBe('deleted');
    expect(await at.store.deleteIdentityProvider(byOperator, key('oidc.b'))).toBe('absent');
    expect(await at.store.findIdentityProvider(key('oidc.b'))).toBeUndefined();
  });

  test('a write replaces the settings, and the secret only if it is given', async () => {
    await at.store.createAccount(account());
    const name = unusualTexts.join();
    expect(await at.store.writeIdentityProvider(byOperator, provider('oidc.a', { sealedSecret: 'keep' }), 9)).toMatchObject(
      {
        sealedSecret: null,
      },
    );
    await at.store.writeIdentityProvider(byOperator, provider('oidc.a'), 9);
    const kept = provider('oidc.a', { settings: { ...settings, name }, sealedSecret: 'keep', writtenAt: 3_000 });
    const expected = { settings: { ...settings, name }, createdAt: 2_000, updatedAt: 3_000 };
    expect(await at.store.writeIdentityProvider(byOperator, kept, 9)).toMatchObject({
      ...expected,
      sealedSecret: Uint8Array.of(1, 2, 3),
    });
    await at.store.writeIdentityProvider(byOperator, { ...kept, sealedSecret: Uint8Array.of(4) }, 9);
    expect(await at.store.findIdentityProvider(key('oidc.a'))).toMatchObject({
      ...expected,
      sealedSecret: Uint8Array.of(4),
    });
    await at.store.writeIdentityProvider(byOperator, { ...kept, sealedSecret: null }, 9);
    expect(await at.store.findIdentityProvider(key('oidc.a'))).toMatchObject({ sealedSecret: null });
  });

  test('an account has at most the maximum number of providers and can still change existing ones', async () => {
    await at.store.createAccount(account());
    await at.store.writeIdentityProvider(byOperator, provider('oidc.a'), 2);
    await at.store.writeIdentityProvider(byOperator, provider('oidc.b'), 2);
    expect(await at.store.writeIdentityProvider(byOperator, provider('oidc.c'), 2)).toBe('too_many');
    expect(await at.store.writeIdentityProvider(byOperator, provider('oidc.b'), 2)).toMatchObject({ providerId: 'oidc.b' });
  });

  test('belong to one account and are deleted with it', async () => {
    await at.store.createAccount(account());
    await at.store.createAccount(account('acc_2'));
    expect(await at.store.writeIdentityProvider(byOperator, provider('oidc.a', { accountId: 'acc_9' }), 9)).toBe(
      'no_account',
    );
    await at.store.writeIdentityProvider(byOperator, provider('oidc.a'), 9);
    expect(await at.store.listIdentityProviders('acc_2')).toEqual([]);
    expect(await at.store.findIdentityProvider(key('oidc.a', 'acc_2'))).toBeUndefined();
    expect(await at.store.deleteIdentityProvider(byOperator, key('oidc.a', 'acc_2'))).toBe('absent');
    await at.store.deleteAccount('acc_1');
    expect(await at.store.findIdentityProvider(key('oidc.a'))).toBeUndefined();
    expect(await at.store.listIdentityProviders('acc_1')).toEqual([]);
  });
}

export function federatedUsers(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);
  const profile = { email: 'ada@example.com', name: 'Ada' };

  test('an identity creates its user once and finds that user afterwards', async () => {
    await at.store.createAccount(account());
    expect(await federatedUser(at.store, identity('s'), 'usr_1', profile)).toEqual({
      userId: 'usr_1',
      ...profile,
      isEmailProven: false,
    });
    const later = { email: 'ada@new.example', name: 'Ada L.' };
    expect(await federatedUser(at.store, identity('s'), 'usr_2', later)).toEqual({
      userId: 'usr_1',
      ...later,
      isEmailProven: false,
    });
    expect(await federatedUser(at.store, identity('s'), 'usr_2')).toEqual({
      userId: 'usr_1',
      ...later,
      isEmailProven: false,
    });
    expect(await at.store.findUser('acc_1', 'usr_1')).toMatchObject({ ...later, emailKey: null, passwordHash: null });
    expect(await at.store.findUser('acc_1', 'usr_2')).toBeUndefined();
  });

  test('account, provider, issuer and subject identify a user; the address does not', async () => {
    await at.store.createAccount(account());
    await at.store.createAccount(account('acc_2'));
    await passwordUser(at.store, 'acc_1', 'ada@example.com');
    const identities = [
      identity('s'),
      identity('S'),
      identity('s', { providerId: 'oidc.a' }),
      identity('s', { issuer: 'https://accounts.google.com/' }),
      identity('s', { accountId: 'acc_2' }),
      ...unusualTexts.map((subject) => identity(subject)),
    ];
    for (const [i, one] of identities.entries()) await federatedUser(at.store, one, `usr_${i}`, profile);
    for (const [i, one] of identities.entries()) {
      expect(await federatedUser(at.store, one, 'usr_x', profile)).toEqual({
        userId: `usr_${i}`,
        ...profile,
        isEmailProven: false,
      });
    }
    expect((await at.store.findUserByEmail('acc_1', 'ada@example.com'))?.userId).toBe('ada@example.com');
  });

  test('parallel first sign-ins on two processes create one user', async () => {
    await at.store.createAccount(account());
    const beside = await at.openParallel();
    const users = await Promise.all(
      Array.from({ length: 40 }, (_, i) => federatedUser(i % 2 === 0 ? at.store : beside, identity('s'), `usr_${i}`)),
    );
    expect(new Set(users.map((user) => typeof user === 'object' && user.userId)).size).toBe(1);
    expect((await at.store.listUsers('acc_1', { after: null, itemsMax: 50 })).items).toHaveLength(1);
  });

  test('no user is created in a deleted account', async () => {
    await at.store.createAccount(account());
    await federatedUser(at.store, identity('s'), 'usr_1');
    await at.store.deleteAccount('acc_1');
    expect(await federatedUser(at.store, identity('s'), 'usr_2')).toBe('no_account');
    await at.store.createAccount(account());
    expect(await federatedUser(at.store, identity('s'), 'usr_2')).toMatchObject({ userId: 'usr_2' });
  });
}

export function listedUsers(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);

  test('are listed newest first, one directory at a time', async () => {
    await at.store.createAccount(account());
    await at.store.createAccount(account('acc_2'));
    for (let i = 0; i < 5; i++) {
      await federatedUser(at.store, identity(`s${i}`), `usr_${i}`, { createdAt: i < 3 ? 5_000 : 6_000 });
    }
    await federatedUser(at.store, identity('s', { accountId: 'acc_2' }), 'usr_other');
    await passwordUser(at.store, null, 'usr_developer');
    const seen: string[] = [];
    for (let after = null as { createdAt: number; tie: string } | null, more = true; more; ) {
      const page = await at.store.listUsers('acc_1', { after, itemsMax: 2 });
      seen.push(...page.items.map(({ userId }) => userId));
      after = page.next;
      more = after !== null;
    }
    expect(seen).toEqual(['usr_4', 'usr_3', 'usr_2', 'usr_1', 'usr_0']);
    expect((await at.store.listUsers('acc_9', { after: null, itemsMax: 2 })).items).toEqual([]);
  });

  test('show how each user signs in', async () => {
    await at.store.createAccount(account());
    await passwordUser(at.store, 'acc_1', 'usr_p');
    const email = unusualTexts[4] as string;
    await federatedUser(at.store, identity('s', { providerId: 'oidc.a' }), 'usr_f', { createdAt: 2_000, email });
    expect((await at.store.listUsers('acc_1', { after: null, itemsMax: 9 })).items).toEqual([
      { userId: 'usr_f', email, name: null, providers: ['oidc.a'], createdAt: 2_000 },
      { userId: 'usr_p', email: 'usr_p', name: null, providers: ['password'], createdAt: 1_000 },
    ]);
  });

  test('deleting a user deletes every sign-in of that user and no other', async () => {
    for (const accountId of ['acc_1', 'acc_2']) {
      await at.store.createAccount(account(accountId));
      for (const slug of ['p', 'q']) await at.store.createProject(byOperator, project(slug, { accountId }));
      for (const user of ['usr_1', 'usr_2']) {
        await passwordUser(at.store, accountId, user);
        const passkey = { accountId, userId: user, publicKey: Uint8Array.of(1), counter: 0, transports: [] };
        await at.store.addPasskey({ ...passkey, credentialId: user, createdAt: 1, lastUsedAt: null }, 9);
        const reset = { accountId, userId: user, returnQuery: '', expiresAt: 90_000 };
        await at.store.addPasswordReset(hashOf(`reset ${accountId} ${user}`), reset);
        for (const slug of ['p', 'q'])
          await signIn(at.store, `${accountId} ${slug} ${user}`, codeOf(user, { accountId, slug }));
      }
    }
    expect(await at.store.deleteUser(byOperator, 'acc_1', 'usr_1')).toBe('deleted');
    expect(await at.store.deleteUser(byOperator, 'acc_1', 'usr_1')).toBe('absent');
    expect(await at.store.deleteUser(byOperator, 'acc_9', 'usr_1')).toBe('absent');

    const left = async (accountId: string, user: string) => [
      (await at.store.findUser(accountId, user)) !== undefined,
      (await at.store.findUserByEmail(accountId, user)) !== undefined,
      (await at.store.findPasskey({ accountId, credentialId: user })) !== undefined,
      (await at.store.findPasswordReset(hashOf(`reset ${accountId} ${user}`), 2_000)) !== undefined,
      (await at.store.findRefreshFamily(`${accountId} p ${user}`, 2_000)) !== undefined,
      (await at.store.findRefreshFamily(`${accountId} q ${user}`, 2_000)) !== undefined,
    ];
    expect(await left('acc_1', 'usr_1')).toEqual(Array(6).fill(false));
    for (const [accountId, user] of [
      ['acc_1', 'usr_2'],
      ['acc_2', 'usr_1'],
    ] as const) {
      expect(await left(accountId, user)).toEqual(Array(6).fill(true));
    }
  });

  test('a deleted user who signs in through a provider again is a new user', async () => {
    await at.store.createAccount(account());
    await federatedUser(at.store, identity('s'), 'usr_1');
    await at.store.deleteUser(byOperator, 'acc_1', 'usr_1');
    expect(await federatedUser(at.store, identity('s'), 'usr_2')).toMatchObject({ userId: 'usr_2' });
  });

  test('deleting a user deletes pending sign-ups for the same address', async () => {
    await at.store.createAccount(account());
    await passwordUser(at.store, 'acc_1', 'usr_1');
    const waiting = hashOf('waiting');
    const address = { email: 'usr_1', emailKey: 'usr_1', name: null, passwordHash: '$' };
    const times = { createdAt: 1_000, expiresAt: 90_000 };
    await at.store.addSignUp(waiting, { accountId: 'acc_1', ...address, codeHash: waiting, attemptsLeft: 5, ...times });
    await at.store.deleteUser(byOperator, 'acc_1', 'usr_1');
    expect(await at.store.findSignUp(waiting, 2_000)).toBeUndefined();
  });
}
