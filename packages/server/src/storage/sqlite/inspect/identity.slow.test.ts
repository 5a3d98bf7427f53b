/** How the inspection judges the built-in identity provider, and the usage of accounts. */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Store } from '../../store.ts';
import { absent, account, ensureProject, hashOf, newState, stateKey, version } from '../../store-suite/harness.ts';
import { federatedUser, identity } from '../../store-suite/identity/directory-users.ts';
import { createUser, resetOf, signUpOf } from '../../store-suite/identity/identity-records.ts';
import { aProject, byOperator } from '../../store-suite/records.fixture.ts';
import { databasePath } from '../directory/database.ts';
import { findOrphan, sweepSlice } from '../sweep/sweep.ts';
import { temporary } from '../temporary.fixture.ts';
import { faultsOf, runSql } from './inspect.fixture.ts';

const at = temporary();
const key = stateKey();
const elsewhere = { ...key, accountId: 'acc_2' };
const settings = { clientId: 'c', name: null, issuer: null, tenant: null, teamId: null, keyId: null };
const userState = { stateText: '{"a":1}', stateBytes: 7, writtenAt: 1 };

/** Fills a directory: `count` users with a password and as many who use a provider, with everything that they can have. */
async function fillDirectory(store: Store, accountId: string | null, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const user = await createUser(store, accountId, `${n}@example.com`);
    await store.addPasswordReset(hashOf(`${n} ${accountId} reset`), resetOf(user));
    await store.addSignUp(hashOf(`${n} ${accountId} pending`), signUpOf(accountId, `${n}@new.example`));
    const passkey = {
      accountId,
      userId: user.userId,
      publicKey: Uint8Array.of(1),
      counter: 0,
      transports: [],
      createdAt: 1,
    };
    await store.addPasskey({ ...passkey, credentialId: `c${n}`, lastUsedAt: null }, 10);
    if (accountId !== null) await federatedUser(store, identity(`s${n}`, { accountId }), `usr_${n}`);
  }
}

/** A store without a sweep. Two accounts and the developers, with states in two environments and API requests. */
async function openFilled(dataDir: string, users: number): Promise<Store> {
  const store = await at.open({ dataDir, exclusive: false });
  for (const place of [key, elsewhere]) {
    const { accountId } = place;
    await ensureProject(store, place);
    await store.writeIdentityProvider(
      byOperator,
      { accountId, providerId: 'google.com', settings, sealedSecret: Uint8Array.of(1), writtenAt: 1 },
      10,
    );
    await store.addApiRequests(0, [{ accountId, requests: 3 }]);
    await store.writePublicState(place, absent, newState('{"n":1}'));
    await store.writePublicState(place, version(1), newState('{"n":22}'));
    for (const environment of ['staging', 'production'] as const) {
      await store.writeUserState({ ...place, environment, playerId: 'usr_0' }, absent, userState);
    }
    await store.writeUserState({ ...place, playerId: 'usr_1' }, absent, userState);
  }
  for (const accountId of ['acc_1', 'acc_2', null]) await fillDirectory(store, accountId, users);
  return store;
}

test('directories and counts at any stage of deletions and their sweep have no fault', async () => {
  const dataDir = at.directory();
  const store = await openFilled(dataDir, 70);
  const steps: readonly (() => Promise<unknown>)[] = [
    () => store.writeUserState({ ...key, playerId: 'usr_1' }, version(1), { ...userState, stateText: '{}', stateBytes: 2 }),
    () => store.deleteUser(byOperator, 'acc_1', 'usr_0'),
    () => store.deleteUser(byOperator, 'acc_1', 'usr_acc_1_1@example.com'),
    () => store.redeemPasswordReset(hashOf('2 acc_1 reset'), '$argon2id$2', 3_000),
    () => store.deleteIdentityProvider(byOperator, { accountId: 'acc_1', providerId: 'google.com' }),
    () => store.deleteUserStates(byOperator, key, 'usr_0'),
    () => store.deleteProject(byOperator, key),
    () => store.createProject(byOperator, aProject({ ...key, name: 'again', createdAt: 2 })),
    () => store.writePublicState(key, absent, newState('{"n":333}')),
    () => store.deleteAccount('acc_2'),
    () => store.createAccount(account('acc_3')),
    () => store.sweepExpiredIdentities(1e12),
  ];
  expect(faultsOf(dataDir)).toEqual([]);
  for (const step of steps) {
    expect(await step(), String(step)).not.toSatisfy((outcome) => ['absent', 'no_user', undefined].includes(outcome));
    expect(faultsOf(dataDir), String(step)).toEqual([]);
  }
  const database = new DatabaseSync(databasePath(dataDir), { timeout: 30_000 });
  let slices = 0;
  for (let orphan = findOrphan(database); orphan !== undefined; orphan = findOrphan(database)) {
    sweepSlice(database, orphan);
    slices++;
    expect(faultsOf(dataDir), `after slice ${slices}`).toEqual([]);
  }
  const left = database.prepare('SELECT count(*) AS users, count(DISTINCT directory_id) AS directories FROM users').get();
  database.close();
  expect(slices).toBeGreaterThan(8);
  expect(left).toEqual({ users: 70 + 138, directories: 2 });
});

test.each([
  ["UPDATE users SET directory_id = 'x' WHERE directory_id = 'acc_1'", '2 users belong to no account'],
  ["UPDATE pending_sign_ups SET directory_id = 'x'", '3 pending sign-ups belong to no account'],
  [
    "UPDATE identity_providers SET directory_id = 'x' WHERE directory_id = 'acc_2'",
    '1 identity providers belong to no account',
  ],
  [
    "UPDATE api_requests SET account_id = 'none' WHERE account_id = 'acc_1'",
    '1 counts of API requests belong to no account',
  ],
  ["DELETE FROM users WHERE password_hash IS NOT NULL AND directory_id = ''", '1 password resets belong to no user'],
  ["DELETE FROM users WHERE password_hash IS NOT NULL AND directory_id = ''", '1 passkeys belong to no user'],
  [
    "UPDATE users SET user_id = 'x' WHERE user_id = 'usr_0' AND directory_id = 'acc_1'",
    '1 links to identity providers belong to no user',
  ],
  [
    'DELETE FROM federated_identities',
    '2 users have no way to sign in: no password, no passkey and no link to an identity provider',
  ],
  [
    "DELETE FROM passkeys; UPDATE users SET password_hash = NULL WHERE directory_id = ''",
    '1 users have no way to sign in: no password',
  ],
  [
    "UPDATE identity_providers SET settings = '{' WHERE directory_id = 'acc_1'",
    '1 identity providers have settings that are not JSON',
  ],
  ["UPDATE passkeys SET transports = '' WHERE directory_id = ''", '1 passkeys have transports that are not JSON'],
])('%s is found as a misplaced record', async (sql, expected) => {
  expect(await faultsAfter(sql)).toContainEqual(expect.stringContaining(`references: ${expected}`));
});

test('a user with a passkey and no password is no fault', async () => {
  expect(await faultsAfter("UPDATE users SET password_hash = NULL WHERE directory_id = ''")).toEqual([]);
});

test.each([
  ["UPDATE accounts SET projects = 2 WHERE account_id = 'acc_1'", 'acc_1 is counted with 2 projects, but has 1'],
  [
    "DELETE FROM audit_records; UPDATE accounts SET audit_bytes = 7 WHERE account_id = 'acc_2'",
    'acc_2 is counted with 7 bytes of audit records, but has 0',
  ],
  ["UPDATE account_usage SET end_users = 0 WHERE account_id = 'acc_2'", 'acc_2 is counted with 0 end users, but has 2'],
  ["UPDATE account_usage SET storage_bytes = 37 WHERE account_id = 'acc_1'", 'acc_1 is counted with 37 bytes, but has 36'],
  ["UPDATE account_usage SET guests = 1 WHERE account_id = 'acc_2'", 'acc_2 is counted with 1 guests, but has 0'],
  [
    'UPDATE project_usage SET end_users = 3, user_state_bytes = 21 WHERE project_id = 1',
    'acc_1/p is counted with 3 end users, but has 2',
  ],
  [
    "UPDATE user_states SET state = '{}', state_bytes = 2 WHERE sequence = 1",
    'acc_1/p is counted with 21 bytes of user state, but has 16',
  ],
  [
    'UPDATE public_state_heads SET kept_bytes = 14 WHERE head_key = 6',
    'acc_1/p/production is counted with 14 bytes of public state, but has 15',
  ],
])('%s is found as a wrong count', async (sql, expected) => {
  expect(await faultsAfter(sql)).toContain(`usage: ${expected}`);
});

test('a damaged database is reported without its counts', async () => {
  expect(await faultsAfter('DELETE FROM public_state_versions WHERE version = 2')).toEqual([
    expect.stringMatching(/^history: the current version of acc_1/),
    expect.stringMatching(/^history: the current version of acc_2/),
  ]);
});

async function faultsAfter(sql: string): Promise<string[]> {
  const dataDir = at.directory();
  const store = await openFilled(dataDir, 1);
  await store.close();
  runSql(dataDir, sql);
  return faultsOf(dataDir);
}
