import { expect, test } from 'vitest';
import type { Passkey } from '../../contract/own-methods.ts';
import { account, type CreateStoreHarness, hashOf, withStore } from '../harness.ts';
import { federatedUser, identity, passwordUser } from './directory-users.ts';

const passkey = (credentialId: string, change: Partial<Passkey> = {}): Passkey => ({
  accountId: 'acc_1',
  credentialId,
  userId: 'usr_1',
  publicKey: Uint8Array.of(0, 1, 255),
  counter: 0,
  transports: ['internal', 'hybrid'],
  createdAt: 2_000,
  lastUsedAt: null,
  ...change,
});
const key = (credentialId: string, accountId: string | null = 'acc_1') => ({ accountId, credentialId });

export function passkeys(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);

  async function createUsers() {
    await at.store.createAccount(account('acc_1'));
    await at.store.createAccount(account('acc_2'));
    for (const accountId of ['acc_1', 'acc_2', null]) await passwordUser(at.store, accountId, 'usr_1');
  }

  test('a user can have several passkeys, found by credential and by user, oldest first', async () => {
    await createUsers();
    expect(await at.store.addPasskey(passkey('b'), 20)).toBe('added');
    expect(await at.store.addPasskey(passkey('a', { createdAt: 3_000, counter: 7, transports: [] }), 20)).toBe('added');
    await at.reopen();
    expect(await at.store.findPasskey(key('b'))).toEqual(passkey('b'));
    const ids = (await at.store.listPasskeys('acc_1', 'usr_1')).map(({ credentialId }) => credentialId);
    expect(ids).toEqual(['b', 'a']);
    expect(await at.store.listPasskeys('acc_1', 'usr_2')).toEqual([]);
  });

  test('a credential is known only in its own directory and can be in several directories', async () => {
    await createUsers();
    await at.store.addPasskey(passkey('c', { accountId: null }), 20);
    expect(await at.store.findPasskey(key('c'))).toBeUndefined();
    expect(await at.store.usePasskey(key('c'), 1, 3_000)).toBe('absent');
    await at.store.addPasskey(passkey('c', { counter: 5 }), 20);
    expect(await at.store.findPasskey(key('c', null))).toEqual(passkey('c', { accountId: null }));
    expect(await at.store.findPasskey(key('c', 'acc_2'))).toBeUndefined();
    expect(await at.store.listPasskeys('acc_2', 'usr_1')).toEqual([]);
  });

  test('a directory has each credential once, whoever adds it', async () => {
    await createUsers();
    await passwordUser(at.store, 'acc_1', 'usr_2');
    await at.store.addPasskey(passkey('c'), 20);
    expect(await at.store.addPasskey(passkey('c', { userId: 'usr_2', counter: 9 }), 20)).toBe('already_exists');
    expect(await at.store.findPasskey(key('c'))).toEqual(passkey('c'));
  });

  test('a user has at most the maximum number of passkeys, even if they are added in parallel', async () => {
    await createUsers();
    const outcomes = await Promise.all(Array.from({ length: 10 }, (_, i) => at.store.addPasskey(passkey(`c${i}`), 3)));
    expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === 'too_many')).toHaveLength(7);
  });

  test('only a user with a password can have a passkey', async () => {
    await createUsers();
    await federatedUser(at.store, identity('s'), 'usr_f');
    expect(await at.store.addPasskey(passkey('c', { userId: 'usr_f' }), 20)).toBe('no_user');
    expect(await at.store.addPasskey(passkey('c', { userId: 'usr_9' }), 20)).toBe('no_user');
    expect(await at.store.addPasskey(passkey('c', { accountId: 'acc_9' }), 20)).toBe('no_user');
  });

  test('the counter only increases', async () => {
    await createUsers();
    await at.store.addPasskey(passkey('c', { counter: 5 }), 20);
    expect(await at.store.usePasskey(key('c'), 5, 3_000)).toBe('stale');
    expect(await at.store.usePasskey(key('c'), 4, 3_000)).toBe('stale');
    expect(await at.store.usePasskey(key('c'), 0, 3_000)).toBe('stale');
    expect(await at.store.usePasskey(key('c'), 6, 4_000)).toBe('used');
    expect(await at.store.findPasskey(key('c'))).toEqual(passkey('c', { counter: 6, lastUsedAt: 4_000 }));
    const race = await Promise.all(Array.from({ length: 20 }, () => at.store.usePasskey(key('c'), 7, 5_000)));
    expect(race.filter((outcome) => outcome === 'used')).toHaveLength(1);
  });

  test('a passkey without a counter stays at 0', async () => {
    await createUsers();
    await at.store.addPasskey(passkey('c'), 20);
    expect(await at.store.usePasskey(key('c'), 0, 3_000)).toBe('used');
    expect(await at.store.usePasskey(key('c'), 0, 4_000)).toBe('used');
    expect(await at.store.usePasskey(key('c'), 1, 5_000)).toBe('used');
    expect(await at.store.usePasskey(key('c'), 0, 6_000)).toBe('stale');
  });

  test('are deleted with their account', async () => {
    await createUsers();
    await at.store.addPasskey(passkey('c'), 20);
    await at.store.deleteAccount('acc_1');
    expect(await at.store.findPasskey(key('c'))).toBeUndefined();
    expect(await at.store.listPasskeys('acc_1', 'usr_1')).toEqual([]);
    await at.store.createAccount(account('acc_1'));
    expect(await at.store.findPasskey(key('c'))).toBeUndefined();
    expect(await at.store.usePasskey(key('c'), 1, 3_000)).toBe('absent');
  });
}

export function tickets(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);

  test('of parallel uses on two processes, exactly one spends the ticket', async () => {
    const beside = await at.openParallel();
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? at.store : beside).spendTicket(hashOf('t'), 9_000)),
    );
    expect(outcomes.filter((outcome) => outcome === 'spent')).toHaveLength(1);
    expect(await at.store.spendTicket(hashOf('u'), 9_000)).toBe('spent');
    await at.reopen();
    expect(await at.store.spendTicket(hashOf('t'), 9_000)).toBe('replayed');
  });

  test('a ticket is remembered until it has expired and been swept', async () => {
    await at.store.spendTicket(hashOf('old'), 2_000);
    await at.store.spendTicket(hashOf('new'), 9_000);
    expect(await at.store.sweepExpiredIdentities(1_999)).toBe(0);
    expect(await at.store.spendTicket(hashOf('old'), 2_000)).toBe('replayed');
    expect(await at.store.sweepExpiredIdentities(2_000)).toBe(1);
    expect(await at.store.spendTicket(hashOf('new'), 9_000)).toBe('replayed');
    expect(await at.store.spendTicket(hashOf('old'), 2_000)).toBe('spent');
  });
}
