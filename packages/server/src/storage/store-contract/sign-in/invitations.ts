import { expect, test } from 'vitest';
import type { Invitation } from '../../invitation-store.ts';
import { account, type CreateStoreHarness, hashOf, weirdStrings, withStore } from '../harness.ts';

const issuer = 'https://issuer.example';
const openMax = 3;

const invitation = (changes: Partial<Invitation> = {}): Invitation => ({
  invitationId: 'inv_1',
  accountId: 'acc_1',
  role: 'owner',
  inviter: null,
  createdAt: 1_000,
  expiresAt: 9_000,
  ...changes,
});

export function invitations(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);
  const add = (name: string, changes: Partial<Invitation> = {}) =>
    at.store.addInvitation(hashOf(name), invitation({ invitationId: `inv_${name}`, ...changes }), openMax);

  test('an invitation is found by its hash with its account, until it expires', async () => {
    await at.store.createAccount(account('acc_1', { name: weirdStrings[0] ?? '' }));
    for (const inviter of weirdStrings.slice(0, openMax)) {
      expect(await add(inviter, { inviter })).toBe('added');
      await at.reopen();
      expect(await at.store.findInvitation(hashOf(inviter), 8_999)).toEqual({
        invitation: invitation({ invitationId: `inv_${inviter}`, inviter }),
        account: account('acc_1', { name: weirdStrings[0] ?? '' }),
      });
      expect(await at.store.findInvitation(hashOf(inviter), 9_000)).toBeUndefined();
    }
    expect(await at.store.findInvitation(hashOf('other'), 2_000)).toBeUndefined();
  });

  test('there is none without an account, and no more open ones than were said', async () => {
    expect(await add('a')).toBe('no_account');
    await at.store.createAccount(account());
    expect([await add('a'), await add('b'), await add('c'), await add('d')]).toEqual([
      'added',
      'added',
      'added',
      'too_many',
    ]);
    expect(await add('e', { createdAt: 9_000, expiresAt: 10_000 })).toBe('added');
  });

  test('it makes one developer a member, once', async () => {
    await at.store.createAccount(account());
    await add('a');
    expect(await at.store.acceptInvitation(hashOf('a'), issuer, 'dev', 9_000)).toEqual({ kind: 'unknown' });
    expect(await at.store.acceptInvitation(hashOf('a'), issuer, 'dev', 2_000)).toEqual({
      kind: 'joined',
      account: account(),
    });
    await at.reopen();
    expect(await at.store.findDeveloper(issuer, 'dev')).toEqual(account());
    expect(await at.store.findInvitation(hashOf('a'), 2_000)).toBeUndefined();
    expect(await at.store.acceptInvitation(hashOf('a'), issuer, 'other', 2_000)).toEqual({ kind: 'unknown' });
    expect(await at.store.findDeveloper(issuer, 'other')).toBeUndefined();
  });

  test('it stays good when a developer opens it who has an account, this one or another', async () => {
    await at.store.createDeveloper(issuer, 'member', account());
    await at.store.createDeveloper(issuer, 'elsewhere', account('acc_2'));
    await add('a');
    expect(await at.store.acceptInvitation(hashOf('a'), issuer, 'member', 2_000)).toEqual({ kind: 'member' });
    expect(await at.store.acceptInvitation(hashOf('a'), issuer, 'elsewhere', 2_000)).toEqual({ kind: 'elsewhere' });
    expect(await at.store.findDeveloper(issuer, 'elsewhere')).toEqual(account('acc_2'));
    expect(await at.store.acceptInvitation(hashOf('a'), 'https://other.example', 'member', 2_000)).toMatchObject({
      kind: 'joined',
    });
  });

  test('of people who open it at once, at two processes as well, one joins; of links that one person opens at once, too', async () => {
    await at.store.createAccount(account());
    await at.store.createAccount(account('acc_2'));
    const beside = await at.openBeside();
    const store = (i: number) => (i % 2 === 0 ? at.store : beside);
    await add('a');
    const people = Array.from({ length: 20 }, (_, i) => store(i).acceptInvitation(hashOf('a'), issuer, `dev ${i}`, 2_000));
    const kinds = (await Promise.all(people)).map(({ kind }) => kind).sort();
    expect(kinds).toEqual(['joined', ...Array.from({ length: 19 }, () => 'unknown')]);
    await add('b');
    await add('c', { accountId: 'acc_2' });
    const links = ['b', 'c'].map((name, i) => store(i).acceptInvitation(hashOf(name), issuer, 'one', 2_000));
    expect((await Promise.all(links)).map(({ kind }) => kind).sort()).toEqual(['elsewhere', 'joined']);
    const left = await Promise.all(['b', 'c'].map(async (name) => at.store.findInvitation(hashOf(name), 2_000)));
    expect(left.filter((found) => found !== undefined)).toHaveLength(1);
  });

  test('it can be withdrawn by its account, expires, and goes with its account', async () => {
    await at.store.createAccount(account());
    await at.store.createAccount(account('acc_2'));
    await add('a');
    expect(await at.store.withdrawInvitation('acc_2', 'inv_a')).toBe('unknown');
    expect(await at.store.withdrawInvitation('acc_1', 'inv_a')).toBe('withdrawn');
    expect(await at.store.withdrawInvitation('acc_1', 'inv_a')).toBe('unknown');
    expect(await at.store.acceptInvitation(hashOf('a'), issuer, 'dev', 2_000)).toEqual({ kind: 'unknown' });
    await add('b');
    await add('c', { accountId: 'acc_2' });
    expect(await at.store.sweepExpiredIdentities(8_999)).toBe(0);
    expect(await at.store.sweepExpiredIdentities(9_000)).toBe(2);
    await add('d');
    await at.store.deleteAccount('acc_1');
    expect(await at.store.findInvitation(hashOf('d'), 2_000)).toBeUndefined();
    expect(await at.store.acceptInvitation(hashOf('d'), issuer, 'dev', 2_000)).toEqual({ kind: 'unknown' });
    expect(await at.store.findDeveloper(issuer, 'dev')).toBeUndefined();
  });
}
