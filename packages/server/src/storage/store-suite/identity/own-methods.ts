/** Sign-in methods that people add and remove themselves. */
import { expect, test } from 'vitest';
import type { ProviderLink } from '../../contract/sessions.ts';
import { account, type CreateStoreHarness, hashOf, unusualTexts, withStore } from '../harness.ts';
import { federatedUser, identity } from './directory-users.ts';
import { createUser, passkeyOf, resetOf, signUpOf } from './identity-records.ts';

const linkOf = (subject: string, change: Partial<ProviderLink> = {}): ProviderLink => ({
  providerId: 'google.com',
  issuer: 'https://accounts.google.com',
  subject,
  ...change,
});

export function ownMethods(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);
  const link = (userId: string, subject: string, accountId: string | null = 'acc_1', linksMax = 20) =>
    at.store.addProviderLink(accountId, userId, linkOf(subject), linksMax);
  const confirm = (userId: string, name: string, code = 'code', accountId: string | null = 'acc_1') =>
    at.store.confirmPassword(accountId, userId, hashOf(name), hashOf(code), 2_000);

  test('a user can add an unused identity, in one directory', async () => {
    await at.store.createAccount(account());
    const [ada, bob] = [await createUser(at.store, 'acc_1'), await createUser(at.store, 'acc_1', 'bob@example.com')];
    const developer = await createUser(at.store, null);
    expect(await link('usr_nobody', 's')).toBe('no_user');
    expect(await link(ada.userId, 's', 'acc_9')).toBe('no_user');
    expect(await link(ada.userId, 's')).toBe('added');
    expect(await link(ada.userId, 's')).toBe('known');
    expect(await link(bob.userId, 's')).toBe('taken');
    expect(await link(developer.userId, 's', null)).toBe('added');
    for (const subject of unusualTexts) expect(await link(bob.userId, subject)).toBe('added');
    await at.reopen();
    expect(await at.store.listProviderLinks('acc_1', ada.userId)).toEqual([linkOf('s')]);
    expect(await at.store.listProviderLinks(null, developer.userId)).toEqual([linkOf('s')]);
    const subjects = (await at.store.listProviderLinks('acc_1', bob.userId)).map(({ subject }) => subject);
    expect(subjects.sort()).toEqual([...unusualTexts].sort());
    expect(await link(bob.userId, 'more', 'acc_1', unusualTexts.length)).toBe('too_many');
  });

  test('if several users add the same identity in parallel, one succeeds', async () => {
    await at.store.createAccount(account());
    const users = await Promise.all([0, 1, 2, 3].map((n) => createUser(at.store, 'acc_1', `${n}@example.com`)));
    const outcomes = await Promise.all(users.map(({ userId }) => link(userId, 's')));
    expect(outcomes.sort()).toEqual(['added', 'taken', 'taken', 'taken']);
  });

  test('the provider’s address and name do not replace those of a user with a proven address', async () => {
    await at.store.createAccount(account());
    const { userId, email, name } = await createUser(at.store, 'acc_1');
    await link(userId, 's');
    const said = { email: 'other@example.com', name: 'Other' };
    expect(await federatedUser(at.store, identity('s'), 'usr_x', said)).toEqual({
      userId,
      email,
      name,
      isEmailProven: true,
    });
    expect(await at.store.findUser('acc_1', userId)).toMatchObject({ email, emailKey: email, name });
  });

  test('the last sign-in method cannot be removed, whatever its kind', async () => {
    await at.store.createAccount(account());
    const { userId } = await createUser(at.store, 'acc_1');
    expect(await at.store.removePassword('acc_1', userId, 3_000)).toBe('last_method');
    await link(userId, 's');
    expect(await at.store.removePassword('acc_1', userId, 3_000)).toBe('removed');
    expect(await at.store.removePassword('acc_1', userId, 3_000)).toBe('absent');
    expect(await at.store.findUser('acc_1', userId)).toMatchObject({
      passwordHash: null,
      emailKey: 'ada@example.com',
      resetAt: 3_000,
    });
    expect(await at.store.removeProviderLink('acc_1', userId, linkOf('s'))).toBe('last_method');
    // The address stays proven, which passkeys, a new password and a mailed reset require.
    expect(await at.store.addPasskey(passkeyOf({ accountId: 'acc_1', userId }, 'key', 4_000), 9)).toBe('added');
    expect(await at.store.removeProviderLink('acc_1', userId, linkOf('other'))).toBe('absent');
    expect(await at.store.removeProviderLink('acc_1', userId, linkOf('s'))).toBe('removed');
    expect(await at.store.removePasskey('acc_1', userId, 'key')).toBe('last_method');
    expect(await at.store.removePasskey('acc_1', userId, 'other')).toBe('absent');
    expect(await at.store.addPasswordReset(hashOf('r'), resetOf({ accountId: 'acc_1', userId }))).toBe('added');
    expect(await at.store.changePassword('acc_1', userId, '$new', 5_000)).toBe('changed');
    expect(await at.store.removePasskey('acc_1', userId, 'key')).toBe('removed');
    expect(await at.store.removePasskey('acc_1', userId, 'key')).toBe('absent');
  });

  test('parallel removals leave one sign-in method', async () => {
    await at.store.createAccount(account());
    const { userId } = await createUser(at.store, 'acc_1');
    await link(userId, 's');
    const outcomes = await Promise.all([
      at.store.removePassword('acc_1', userId, 3_000),
      at.store.removeProviderLink('acc_1', userId, linkOf('s')),
    ]);
    expect(outcomes.sort()).toEqual(['last_method', 'removed']);
  });

  test('a sign-up gives its address and password once to a user without a proven address', async () => {
    await at.store.createAccount(account());
    await federatedUser(at.store, identity('s'), 'usr_1', { email: 'old@example.com', name: 'Old' });
    for (const name of ['one', 'two']) await at.store.addSignUp(hashOf(name), signUpOf('acc_1', 'Ada@example.com'));
    expect(await confirm('usr_1', 'one', 'wrong')).toEqual({ kind: 'wrong_code', attemptsLeft: 4 });
    const address = { email: 'Ada@example.com', emailKey: 'ada@example.com', name: 'Old' };
    expect(await confirm('usr_1', 'one')).toMatchObject({ kind: 'confirmed', user: { userId: 'usr_1', ...address } });
    for (const name of ['one', 'two']) expect(await confirm('usr_1', name)).toEqual({ kind: 'unknown' });
    const found = await at.store.findUserByEmail('acc_1', 'ada@example.com');
    expect(found).toMatchObject({ ...address, passwordHash: signUpOf('acc_1', 'Ada@example.com').passwordHash });
  });

  test('a sign-up changes no unknown user, no user with a proven address and no user of another directory', async () => {
    await at.store.createAccount(account());
    const holder = await createUser(at.store, 'acc_1', 'held@example.com');
    await federatedUser(at.store, identity('s'), 'usr_1');
    await at.store.addSignUp(hashOf('held'), signUpOf('acc_1', 'held@example.com'));
    expect(await confirm('usr_1', 'held')).toEqual({ kind: 'unknown' });
    await at.store.addSignUp(hashOf('developers'), signUpOf(null, 'new@example.com'));
    expect(await confirm('usr_1', 'developers')).toEqual({ kind: 'unknown' });
    await at.store.addSignUp(hashOf('second'), signUpOf('acc_1', 'second@example.com'));
    expect(await confirm(holder.userId, 'second')).toEqual({ kind: 'unknown' });
    await at.store.addSignUp(hashOf('nobody'), signUpOf('acc_1', 'nobody@example.com'));
    expect(await confirm('usr_9', 'nobody')).toEqual({ kind: 'unknown' });
    expect(await at.store.findUser('acc_1', 'usr_1')).toMatchObject({ emailKey: null, passwordHash: null });
  });

  test('if a user and a sign-up claim the same address in parallel, one succeeds', async () => {
    await at.store.createAccount(account());
    await federatedUser(at.store, identity('s'), 'usr_1');
    for (const name of ['mine', 'theirs']) await at.store.addSignUp(hashOf(name), signUpOf('acc_1'));
    const outcomes = await Promise.all([
      confirm('usr_1', 'mine'),
      at.store.confirmSignUp(hashOf('theirs'), hashOf('code'), { userId: 'usr_2', createdAt: 2_000 }, 2_000),
    ]);
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['confirmed', 'unknown']);
  });
}
