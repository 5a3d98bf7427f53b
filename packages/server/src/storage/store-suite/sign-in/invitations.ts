import { expect, test } from 'vitest';
import type { Invitation } from '../../contract/invitations.ts';
import { account, type CreateStoreHarness, hashOf, unusualTexts, withStore } from '../harness.ts';
import { byOperator } from '../records.fixture.ts';

const issuer = 'https://issuer.example';
const openMax = 3;
const membersMax = 50;
const nobody = { email: null, name: null };

const invitation = (changes: Partial<Invitation> = {}): Invitation => ({
  invitationId: 'inv_1',
  accountId: 'acc_1',
  role: 'owner',
  environments: null,
  email: null,
  inviter: null,
  makerId: null,
  createdAt: 1_000,
  expiresAt: 9_000,
  ...changes,
});

export function invitations(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);
  const add = (name: string, changes: Partial<Invitation> = {}) =>
    at.store.addInvitation(byOperator, hashOf(name), invitation({ invitationId: `inv_${name}`, ...changes }), openMax);

  test('an invitation is found by its hash, with its account, until it expires', async () => {
    await at.store.createAccount(account('acc_1', { name: unusualTexts[0] ?? '' }));
    for (const inviter of unusualTexts.slice(0, openMax)) {
      expect(await add(inviter, { inviter })).toBe('added');
      await at.reopen();
      expect(await at.store.findInvitation(hashOf(inviter), 8_999)).toEqual({
        invitation: invitation({ invitationId: `inv_${inviter}`, inviter }),
        account: account('acc_1', { name: unusualTexts[0] ?? '' }),
      });
      expect(await at.store.findInvitation(hashOf(inviter), 9_000)).toBeUndefined();
    }
    expect(await at.store.findInvitation(hashOf('other'), 2_000)).toBeUndefined();
  });

  test('adding an invitation requires an account, and the number of open invitations is limited', async () => {
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

  test('an invitation makes one developer a member, once', async () => {
    await at.store.createAccount(account());
    await add('a');
    expect(await at.store.acceptInvitation(byOperator, hashOf('a'), issuer, 'dev', nobody, 9_000, membersMax)).toEqual({
      kind: 'unknown',
    });
    expect(await at.store.acceptInvitation(byOperator, hashOf('a'), issuer, 'dev', nobody, 2_000, membersMax)).toEqual({
      kind: 'joined',
      account: account(),
    });
    await at.reopen();
    expect(await at.store.findDeveloper(issuer, 'dev')).toEqual(account());
    expect(await at.store.findInvitation(hashOf('a'), 2_000)).toBeUndefined();
    expect(await at.store.acceptInvitation(byOperator, hashOf('a'), issuer, 'other', nobody, 2_000, membersMax)).toEqual({
      kind: 'unknown',
    });
    expect(await at.store.findDeveloper(issuer, 'other')).toBeUndefined();
  });

  test('an invitation is for one address, with any form of its domain and without look-alike letters', async () => {
    await at.store.createAccount(account());
    await add('a', { email: 'Ken@b\u00fccher.example' });
    const accept = (email: string) =>
      at.store.acceptInvitation(byOperator, hashOf('a'), issuer, 'ken', { email, name: null }, 2_000, membersMax);
    expect(await accept('\u212aen@b\u00fccher.example')).toEqual({ kind: 'other_email' });
    expect(await accept('ken@xn--bcher-kva.example')).toMatchObject({ kind: 'joined' });
  });

  test('an invitation accepts every domain form that UTS 46 maps, and an exact address from an older release', async () => {
    await at.store.createAccount(account());
    const accept = (name: string, email: string) =>
      at.store.acceptInvitation(byOperator, hashOf(name), issuer, name, { email, name: null }, 2_000, membersMax);
    await add('kurt', { email: 'kurt@mail.example' });
    expect(await accept('kurt', 'Kurt@\uff4dail\u3002example')).toMatchObject({ kind: 'joined' });
    await add('old', { email: 'Gro\u00df@mail.example' });
    expect(await accept('old', 'gross@mail.example')).toEqual({ kind: 'other_email' });
    expect(await accept('old', 'gro\u00df@mail.example')).toMatchObject({ kind: 'joined' });
  });

  test('an invitation stays open if it is opened by a member, with another address, or in a full account', async () => {
    await at.store.createDeveloper(issuer, 'member', account());
    await at.store.createDeveloper(issuer, 'elsewhere', account('acc_2'));
    await add('a', { email: 'Ada@Example.com' });
    const accept = (subject: string, email: string | null, most = membersMax) =>
      at.store.acceptInvitation(byOperator, hashOf('a'), issuer, subject, { email, name: null }, 2_000, most);
    expect(await accept('member', 'ada@example.com')).toEqual({ kind: 'member' });
    for (const email of ['eve@example.com', 'ada@exam\u212aple.com', null])
      expect(await accept('elsewhere', email)).toEqual({ kind: 'other_email' });
    expect(await accept('elsewhere', 'ada@example.com', 1)).toEqual({ kind: 'too_many' });
    expect(await at.store.listMembers('acc_1')).toHaveLength(1);
    expect(await accept('elsewhere', 'ada@example.com')).toMatchObject({ kind: 'joined' });
    expect(await at.store.findDeveloper(issuer, 'elsewhere')).toEqual(account('acc_2'));
    expect((await at.store.listMemberships(issuer, 'elsewhere')).map((one) => one.account.accountId).sort()).toEqual([
      'acc_1',
      'acc_2',
    ]);
  });

  test('open invitations of an account are listed newest first', async () => {
    await at.store.createAccount(account());
    await add('a', { createdAt: 1_000, expiresAt: 5_000, role: 'editor', environments: ['staging'], email: 'a@b.example' });
    await add('b', { createdAt: 2_000 });
    const ids = async (now: number) => (await at.store.listInvitations('acc_1', now)).map((one) => one.invitationId);
    expect(await ids(3_000)).toEqual(['inv_b', 'inv_a']);
    expect((await at.store.listInvitations('acc_1', 3_000))[1]).toEqual(
      invitation({
        invitationId: 'inv_a',
        expiresAt: 5_000,
        role: 'editor',
        environments: ['staging'],
        email: 'a@b.example',
      }),
    );
    expect(await ids(5_000)).toEqual(['inv_b']);
    expect(await at.store.listInvitations('acc_2', 3_000)).toEqual([]);
  });

  test('of parallel acceptances on two processes one joins; one person can join two accounts in parallel', async () => {
    await at.store.createAccount(account());
    await at.store.createAccount(account('acc_2'));
    const beside = await at.openParallel();
    const store = (i: number) => (i % 2 === 0 ? at.store : beside);
    await add('a');
    const people = Array.from({ length: 20 }, (_, i) =>
      store(i).acceptInvitation(byOperator, hashOf('a'), issuer, `dev ${i}`, nobody, 2_000, membersMax),
    );
    const kinds = (await Promise.all(people)).map(({ kind }) => kind).sort();
    expect(kinds).toEqual(['joined', ...Array.from({ length: 19 }, () => 'unknown')]);
    await add('b');
    await add('c', { accountId: 'acc_2' });
    const links = ['b', 'c'].map((name, i) =>
      store(i).acceptInvitation(byOperator, hashOf(name), issuer, 'one', nobody, 2_000, membersMax),
    );
    expect((await Promise.all(links)).map(({ kind }) => kind).sort()).toEqual(['joined', 'joined']);
    const left = await Promise.all(['b', 'c'].map(async (name) => at.store.findInvitation(hashOf(name), 2_000)));
    expect(left).toEqual([undefined, undefined]);
  });

  test('an invitation can be withdrawn by its account, expires, and is deleted with its account', async () => {
    await at.store.createAccount(account());
    await at.store.createAccount(account('acc_2'));
    await add('a');
    expect(await at.store.withdrawInvitation(byOperator, 'acc_2', 'inv_a')).toBe('unknown');
    expect(await at.store.withdrawInvitation(byOperator, 'acc_1', 'inv_a')).toBe('withdrawn');
    expect(await at.store.withdrawInvitation(byOperator, 'acc_1', 'inv_a')).toBe('unknown');
    expect(await at.store.acceptInvitation(byOperator, hashOf('a'), issuer, 'dev', nobody, 2_000, membersMax)).toEqual({
      kind: 'unknown',
    });
    await add('b');
    await add('c', { accountId: 'acc_2' });
    expect(await at.store.sweepExpiredIdentities(8_999)).toBe(0);
    expect(await at.store.sweepExpiredIdentities(9_000)).toBe(2);
    await add('d');
    await at.store.deleteAccount('acc_1');
    expect(await at.store.findInvitation(hashOf('d'), 2_000)).toBeUndefined();
    expect(await at.store.acceptInvitation(byOperator, hashOf('d'), issuer, 'dev', nobody, 2_000, membersMax)).toEqual({
      kind: 'unknown',
    });
    expect(await at.store.findDeveloper(issuer, 'dev')).toBeUndefined();
  });
}
