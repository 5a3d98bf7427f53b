import { expect } from 'vitest';
import { StoreUnavailable } from '../../store.ts';
import {
  account,
  type CreateStoreHarness,
  casesOf,
  ensureProject,
  hashOf,
  unusualTexts,
  type Weight,
  withStore,
} from '../harness.ts';
import { codeOf, developerCodeOf, signIn, userKey } from '../sign-in/sign-in-records.ts';
import { passwordUser } from './directory-users.ts';
import { createUser, passkeyOf, resetOf, signUpOf } from './identity-records.ts';

export function identityResets(createHarness: CreateStoreHarness, weight: Weight = 'quick'): void {
  const { sized, test } = casesOf(weight);
  const at = withStore(createHarness);
  const redeem = (name: string, passwordHash = 'new password', now = 2_000) =>
    at.store.redeemPasswordReset(hashOf(name), passwordHash, now);
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

  test('a reset is found with its user until it expires; adding one requires a user', async () => {
    expect(await at.store.addPasswordReset(hashOf('r'), resetOf({ accountId: null, userId: 'usr_1' }))).toBe('no_user');
    await at.store.createAccount(account());
    for (const accountId of [null, 'acc_1']) {
      const user = await createUser(at.store, accountId);
      for (const [i, returnQuery] of ['', ...unusualTexts].entries()) {
        const reset = { ...resetOf(user), returnQuery };
        expect(await at.store.addPasswordReset(hashOf(`reset ${accountId} ${i}`), reset)).toBe('added');
        expect(await at.store.findPasswordReset(hashOf(`reset ${accountId} ${i}`), 59_999)).toEqual({ reset, user });
        expect(await at.store.findPasswordReset(hashOf(`reset ${accountId} ${i}`), 60_000)).toBeUndefined();
      }
    }
    const other = { accountId: 'acc_1', userId: 'usr_null_ada@example.com' };
    expect(await at.store.addPasswordReset(hashOf('r'), resetOf(other))).toBe('no_user');
    expect(await at.store.findPasswordReset(hashOf('r'), 1)).toBeUndefined();
  });

  test('a reset sets the password once and deletes all other resets and sign-ups of the user', async () => {
    const user = await createUser(at.store, null);
    const bystander = await createUser(at.store, null, 'bob@example.com');
    for (const name of ['r', 's']) await at.store.addPasswordReset(hashOf(name), resetOf(user));
    await at.store.addPasswordReset(hashOf('t'), resetOf(bystander));
    await at.store.addSignUp(hashOf('u'), signUpOf(null));
    const changed = { ...user, passwordHash: 'new password', resetAt: 2_000 };
    expect(await redeem('r')).toEqual(changed);
    for (const name of ['r', 's']) expect(await redeem(name, 'another')).toBeUndefined();
    await at.reopen();
    expect(await at.store.findUser(null, user.userId)).toEqual(changed);
    expect(await at.store.findUser(null, bystander.userId)).toEqual(bystander);
    expect(await at.store.findSignUp(hashOf('u'), 2_000)).toBeUndefined();
    expect(await at.store.findPasswordReset(hashOf('t'), 2_000)).toBeDefined();
  });

  test('a reset deletes only the passkeys of its user and rejects passkeys that were begun before it', async () => {
    await at.store.createAccount(account());
    const user = await createUser(at.store, 'acc_1');
    const bystander = await createUser(at.store, 'acc_1', 'bob@example.com');
    const namesake = { ...user, accountId: null };
    await passwordUser(at.store, null, user.userId);
    for (const [credentialId, owner] of [
      ['planted', user],
      ['own', user],
      ['other', bystander],
      ['elsewhere', namesake],
    ] as const) {
      expect(await at.store.addPasskey(passkeyOf(owner, credentialId, 1_999), 20)).toBe('added');
    }
    await at.store.addPasswordReset(hashOf('r'), resetOf(user));
    expect(await redeem('r')).toBeDefined();
    await at.reopen();
    expect(await at.store.listPasskeys('acc_1', user.userId)).toEqual([]);
    for (const credentialId of ['planted', 'own']) {
      const key = { accountId: 'acc_1', credentialId };
      expect(await at.store.findPasskey(key)).toBeUndefined();
      expect(await at.store.usePasskey(key, 1, 3_000)).toBe('absent');
    }
    expect(await at.store.listPasskeys('acc_1', bystander.userId)).toHaveLength(1);
    expect(await at.store.listPasskeys(null, user.userId)).toHaveLength(1);
    for (const begunAt of [1_999, 2_000]) {
      expect(await at.store.addPasskey(passkeyOf(user, 'planted', begunAt), 20)).toBe('no_user');
    }
    expect(await at.store.addPasskey(passkeyOf(user, 'own', 2_001), 20)).toBe('added');
  });

  test('a reset that is not redeemed leaves passkeys unchanged', async () => {
    const user = await createUser(at.store, null);
    await at.store.addPasskey(passkeyOf(user, 'own', 1_999), 20);
    await at.store.addPasswordReset(hashOf('r'), resetOf(user));
    expect(await redeem('another')).toBeUndefined();
    expect(await redeem('r', 'late', 60_000)).toBeUndefined();
    expect(await at.store.listPasskeys(null, user.userId)).toHaveLength(1);
  });

  test('an expired reset, or a reset in a deleted account, sets no password', async () => {
    await at.store.createAccount(account());
    const user = await createUser(at.store, 'acc_1');
    await at.store.addPasswordReset(hashOf('r'), resetOf(user));
    expect(await redeem('r', 'late', 60_000)).toBeUndefined();
    expect(await at.store.findUser('acc_1', user.userId)).toEqual(user);
    await at.store.deleteAccount('acc_1');
    await at.store.createAccount(account());
    expect(await at.store.findPasswordReset(hashOf('r'), 2_000)).toBeUndefined();
    expect(await redeem('r')).toBeUndefined();
    expect(await at.store.findUser('acc_1', user.userId)).toBeUndefined();
    expect(await at.store.findUserByEmail('acc_1', 'ada@example.com')).toBeUndefined();
  });

  test('of 20 parallel uses of a reset, exactly one sets the password', async () => {
    const beside = await at.openParallel();
    const user = await createUser(at.store, null);
    await at.store.addPasswordReset(hashOf('r'), resetOf(user));
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 === 0 ? at.store : beside).redeemPasswordReset(hashOf('r'), `password ${i}`, 2_000),
      ),
    );
    const winners = outcomes.filter((outcome) => outcome !== undefined);
    expect(winners).toEqual([await at.store.findUser(null, user.userId)]);
  });

  test('a reset ends the sessions of its user in every project of the account, and no others', async () => {
    const place = userKey();
    await ensureProject(at.store, place);
    await ensureProject(at.store, { ...place, slug: 'q' });
    await ensureProject(at.store, { ...place, accountId: 'acc_2' });
    const user = await createUser(at.store, 'acc_1');
    const subject = user.userId;
    await signIn(at.store, 'mine', codeOf(subject));
    await signIn(at.store, 'mine too', codeOf(subject, { slug: 'q', environment: 'staging' }));
    await signIn(at.store, 'other user', codeOf('someone else'));
    await signIn(at.store, 'other account', codeOf(subject, { accountId: 'acc_2' }));
    await signIn(at.store, 'developer', developerCodeOf(subject));
    await at.store.addAuthorizationCode(hashOf('unspent'), codeOf(subject));
    await at.store.addPasswordReset(hashOf('r'), resetOf(user));
    await redeem('r');
    const alive = async (familyId: string) => (await at.store.findRefreshFamily(familyId, 2_000)) !== undefined;
    expect(await Promise.all(['mine', 'mine too'].map(alive))).toEqual([false, false]);
    expect(await Promise.all(['other user', 'other account', 'developer'].map(alive))).toEqual([true, true, true]);
    expect(await at.store.findAuthorizationCode(hashOf('unspent'), 2_000)).toBeUndefined();
    expect(await at.store.findAuthorizationCode(hashOf('code-mine'), 2_000)).toMatchObject({ spentForFamilyId: 'mine' });
  });

  test('a reset for a developer ends the developer sessions and no player sessions', async () => {
    await ensureProject(at.store, userKey());
    const user = await createUser(at.store, null);
    await signIn(at.store, 'mine', developerCodeOf(user.userId));
    await signIn(at.store, 'other developer', developerCodeOf('someone else'));
    await signIn(at.store, 'player', codeOf(user.userId));
    await at.store.addPasswordReset(hashOf('r'), resetOf(user));
    await redeem('r');
    expect(await at.store.findRefreshFamily('mine', 2_000)).toBeUndefined();
    expect(await at.store.findRefreshFamily('other developer', 2_000)).toBeDefined();
    expect(await at.store.findRefreshFamily('player', 2_000)).toBeDefined();
  });

  test('a password hash is replaced only if it is the expected one', async () => {
    const user = await createUser(at.store, null);
    expect(await at.store.replacePasswordHash(user, 'other', 'next')).toBe('superseded');
    expect(await at.store.replacePasswordHash({ ...user, accountId: 'acc_1' }, user.passwordHash ?? '', 'x')).toBe(
      'superseded',
    );
    expect(await at.store.replacePasswordHash(user, user.passwordHash ?? '', 'next')).toBe('replaced');
    expect(await at.store.findUser(null, user.userId)).toEqual({ ...user, passwordHash: 'next' });
  });

  sized('a sweep deletes only expired records, a limited number at a time', { quick: 20, heavy: 600 }, async (count) => {
    const user = await createUser(at.store, null);
    await Promise.all(
      Array.from({ length: count }, (_, i) => at.store.addSignUp(hashFor(i), signUpOf(null, `${i}@example.com`))),
    );
    await at.store.addSignUp(hashOf('alive'), signUpOf(null, 'alive@example.com', { expiresAt: 60_001 }));
    await at.store.addPasswordReset(hashOf('r'), resetOf(user));
    await at.store.addPasswordReset(hashOf('s'), { ...resetOf(user), expiresAt: 60_001 });
    expect(await at.store.sweepExpiredIdentities(59_999)).toBe(0);
    const went: number[] = [];
    do went.push(await at.store.sweepExpiredIdentities(60_000));
    while (went.at(-1) !== 0);
    expect(sum(went)).toBe(count + 1);
    expect(Math.max(...went)).toBeLessThanOrEqual(500);
    expect(await at.store.findSignUp(hashOf('alive'), 60_000)).toBeDefined();
    expect(await at.store.findPasswordReset(hashOf('s'), 60_000)).toBeDefined();
    expect(await at.store.findUser(null, user.userId)).toEqual(user);
  });

  test('a closed store rejects every identity call', async () => {
    const { store } = at;
    await store.close();
    const calls: readonly (() => unknown)[] = [
      () => store.findUser(null, 'u'),
      () => store.findUserByEmail(null, 'e'),
      () => store.replacePasswordHash({ accountId: null, userId: 'u' }, 'a', 'b'),
      () => store.addSignUp(hashOf('s'), signUpOf(null)),
      () => store.findSignUp(hashOf('s'), 1),
      () => store.findSignUpByEmail(null, 'e', 1),
      () => store.renewSignUp(hashOf('s'), signUpOf(null), 1),
      () => store.confirmSignUp(hashOf('s'), hashOf('c'), { userId: 'u', createdAt: 1 }, 1),
      () => store.addPasswordReset(hashOf('r'), resetOf({ accountId: null, userId: 'u' })),
      () => store.findPasswordReset(hashOf('r'), 1),
      () => redeem('r'),
      () => store.sweepExpiredIdentities(1),
    ];
    for (const call of calls) await expect((async () => call())(), String(call)).rejects.toBeInstanceOf(StoreUnavailable);
  });
}

/** A different hash for each number. */
const hashFor = (i: number) => Uint8Array.from(Buffer.from(String(i).padStart(32, '.')));
