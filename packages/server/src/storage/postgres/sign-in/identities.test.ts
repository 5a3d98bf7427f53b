import { describe, expect, test } from 'vitest';
import { StoreFault } from '../../store.ts';
import { account, ensureProject, hashOf } from '../../store-suite/harness.ts';
import { federatedUser, identity } from '../../store-suite/identity/directory-users.ts';
import { createUser, passkeyOf, resetOf, signUpOf } from '../../store-suite/identity/identity-records.ts';
import { byOperator } from '../../store-suite/records.fixture.ts';
import { codeOf, developerCodeOf, familyOf, signIn, userKey } from '../../store-suite/sign-in/sign-in-records.ts';
import { begin, untilWaiting } from '../fixtures/begun.fixture.ts';
import { withTwoNodes } from '../fixtures/two-nodes.fixture.ts';
import { createSharedVerbs } from '../shared-verbs.ts';

const at = withTwoNodes();
const place = userKey();

/** Verbs that remove all of a user's sign-in methods, or all earlier ones. */
const takings = [
  ['a reset', (accountId: string | null) => at.beside.redeemPasswordReset(hashOf(`reset ${accountId}`), 'new', 3_000)],
  [
    'a deletion',
    (accountId: string | null) => at.beside.deleteUser(byOperator, accountId as string, `usr_${accountId}_ada@example.com`),
  ],
] as const;

async function userWithReset(accountId: string | null) {
  const user = await createUser(at.store, accountId);
  await at.store.addPasswordReset(hashOf(`reset ${accountId}`), resetOf(user));
  return user;
}

describe.each(takings)('%s of a user', (_name, take) => {
  test('removes the passkey that another node is adding', async () => {
    await ensureProject(at.store, place);
    const user = await userWithReset('acc_1');
    const adding = await begin(at.database, (parts) =>
      createSharedVerbs(parts).addPasskey(passkeyOf(user, 'planted', 2_999), 9),
    );
    expect(adding.result).toBe('added');
    const taken = take('acc_1');
    await untilWaiting(at.database);
    await adding.commit();
    expect(await taken).toBeDefined();
    expect(await at.store.findPasskey({ accountId: 'acc_1', credentialId: 'planted' })).toBeUndefined();
  });

  test('ends the session that another node is opening', async () => {
    await ensureProject(at.store, place);
    const user = await userWithReset('acc_1');
    const code = codeOf(user.userId);
    await at.store.addAuthorizationCode(hashOf('c'), code);
    const redemption = await begin(at.database, (parts) =>
      createSharedVerbs(parts).redeemAuthorizationCode(hashOf('c'), familyOf('f', code), hashOf('s0'), 2_000),
    );
    expect(redemption.result).toBe('redeemed');
    const taken = take('acc_1');
    await untilWaiting(at.database);
    await redemption.commit();
    expect(await taken).toBeDefined();
    expect(await at.store.findRefreshFamily('f', 3_000)).toBeUndefined();
  });
});

test('a reset under way at another node admits no passkey begun before it', async () => {
  const user = await userWithReset(null);
  const reset = await begin(at.database, (parts) =>
    createSharedVerbs(parts).redeemPasswordReset(hashOf('reset null'), 'new', 3_000),
  );
  const adding = at.beside.addPasskey(passkeyOf(user, 'planted', 2_999), 9);
  await untilWaiting(at.database);
  await reset.commit();
  expect(await adding).toBe('no_user');
});

test('the deletion of a user removes the reset that another node is adding', async () => {
  await ensureProject(at.store, place);
  const user = await createUser(at.store, 'acc_1');
  const adding = await begin(at.database, (parts) =>
    createSharedVerbs(parts).addPasswordReset(hashOf('late'), resetOf(user)),
  );
  expect(adding.result).toBe('added');
  const deletion = at.beside.deleteUser(byOperator, 'acc_1', user.userId);
  await untilWaiting(at.database);
  await adding.commit();
  expect(await deletion).toBe('deleted');
  expect(await at.count('password_resets')).toBe(0);
});

test('a deleted user or developer leaves no row', async () => {
  await ensureProject(at.store, place);
  const user = await userWithReset('acc_1');
  await at.store.addPasskey(passkeyOf(user, 'own', 2_999), 9);
  await signIn(at.store, 'f', codeOf(user.userId));
  await at.store.addAuthorizationCode(hashOf('unspent'), codeOf(user.userId));
  await signIn(at.store, 'developer', developerCodeOf(user.userId));
  await at.store.deleteUser(byOperator, 'acc_1', user.userId);
  for (const table of ['users', 'passkeys', 'password_resets']) expect([table, await at.count(table)]).toEqual([table, 0]);
  const ofDeveloper = 'project_id IS NULL';
  for (const table of ['authorization_codes', 'refresh_families']) {
    expect([table, await at.count(table), await at.count(table, ofDeveloper)]).toEqual([table, 1, 1]);
  }
});

test('two nodes that add passkeys together stay within the bound', async () => {
  const user = await userWithReset(null);
  const first = await begin(at.database, (parts) => createSharedVerbs(parts).addPasskey(passkeyOf(user, 'a', 2_000), 1));
  const second = at.beside.addPasskey(passkeyOf(user, 'b', 2_000), 1);
  await untilWaiting(at.database);
  await first.commit();
  expect(await second).toBe('too_many');
});

test('a credential that fits no row is unknown', async () => {
  const key = { accountId: null, credentialId: 'nul \0 within' };
  expect(await at.store.findPasskey(key)).toBeUndefined();
  expect(await at.store.usePasskey(key, 1, 1_000)).toBe('absent');
});

test("the empty account id names no directory, whatever the name of the developers' directory", async () => {
  const user = await createUser(at.store, null);
  await at.store.addPasskey(passkeyOf(user, 'own', 2_000), 9);
  expect(await at.store.findUser('', user.userId)).toBeUndefined();
  expect(await at.store.findUserByEmail('', 'ada@example.com')).toBeUndefined();
  expect(await at.store.findPasskey({ accountId: '', credentialId: 'own' })).toBeUndefined();
  expect((await at.store.listUsers('', { after: null, itemsMax: 9 })).items).toEqual([]);
  expect(await at.store.deleteUser(byOperator, '', user.userId)).toBe('absent');
  expect(await at.store.addSignUp(hashOf('s'), signUpOf(''))).toBe('no_account');
});

describe('confirmations', () => {
  test('behind a wrong guess have one attempt fewer', async () => {
    await at.store.addSignUp(hashOf('s'), signUpOf(null, 'a@b.c', { attemptsLeft: 1 }));
    const guess = await begin(at.database, (parts) =>
      createSharedVerbs(parts).confirmSignUp(hashOf('s'), hashOf('other'), { userId: 'usr_1', createdAt: 1 }, 2_000),
    );
    const right = at.beside.confirmSignUp(hashOf('s'), hashOf('code'), { userId: 'usr_1', createdAt: 1 }, 2_000);
    await untilWaiting(at.database);
    await guess.commit();
    expect(await right).toEqual({ kind: 'unknown' });
  });

  test('of two sign-ups with one address make one user', async () => {
    for (const name of ['s', 't']) await at.store.addSignUp(hashOf(name), signUpOf(null));
    const outcomes = await Promise.all(
      [at.store, at.beside].map((store, i) =>
        store.confirmSignUp(hashOf(i === 0 ? 's' : 't'), hashOf('code'), { userId: `usr_${i}`, createdAt: 1 }, 2_000),
      ),
    );
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['confirmed', 'unknown']);
    expect(await at.count('users')).toBe(1);
    expect(await at.count('pending_sign_ups')).toBe(0);
  });
});

describe('the first sign-in through a provider', () => {
  const person = (userId: string) => ({ userId, email: null, name: null, isEmailProven: false });
  const created = { userId: 'usr_1', createdAt: 1_000 };

  test('gets the user of another that it waits for, and makes none', async () => {
    await at.store.createAccount(account());
    const first = await begin(at.database, (parts) =>
      createSharedVerbs(parts).signInFederatedUser(identity('s'), { email: null, name: null }, created),
    );
    const second = federatedUser(at.beside, identity('s'), 'usr_2');
    await untilWaiting(at.database);
    await first.commit();
    expect(await second).toEqual(person('usr_1'));
    expect(await at.count('users')).toBe(1);
  });

  test('makes the user if the other that it waits for is undone', async () => {
    await at.store.createAccount(account());
    const first = await begin(at.database, (parts) =>
      createSharedVerbs(parts).signInFederatedUser(identity('s'), { email: null, name: null }, created),
    );
    const second = federatedUser(at.beside, identity('s'), 'usr_2');
    await untilWaiting(at.database);
    await first.rollBack();
    expect(await second).toEqual(person('usr_2'));
  });

  test('makes a new user if it meets the deletion', async () => {
    await at.store.createAccount(account());
    await federatedUser(at.store, identity('s'), 'usr_1');
    const deletion = await begin(at.database, (parts) => createSharedVerbs(parts).deleteUser(byOperator, 'acc_1', 'usr_1'));
    expect(deletion.result).toBe('deleted');
    const again = federatedUser(at.beside, identity('s'), 'usr_2');
    await untilWaiting(at.database);
    await deletion.commit();
    expect(await again).toEqual(person('usr_2'));
  });

  test('with a taken user id is a fault, and links nobody', async () => {
    await at.store.createAccount(account());
    await federatedUser(at.store, identity('s'), 'usr_1');
    await expect(federatedUser(at.store, identity('t'), 'usr_1')).rejects.toBeInstanceOf(StoreFault);
    expect(await at.count('federated_identities')).toBe(1);
  });
});

test('two nodes that add the last allowed provider of an account add one', async () => {
  await at.store.createAccount(account());
  const settings = { clientId: 'c', name: null, issuer: null, tenant: null, teamId: null, keyId: null };
  const provider = { accountId: 'acc_1', settings, sealedSecret: null, writtenAt: 1 };
  const first = await begin(at.database, (parts) =>
    createSharedVerbs(parts).writeIdentityProvider(byOperator, { ...provider, providerId: 'oidc.a' }, 1),
  );
  const second = at.beside.writeIdentityProvider(byOperator, { ...provider, providerId: 'oidc.b' }, 1);
  await untilWaiting(at.database);
  await first.commit();
  expect(await second).toBe('too_many');
});
