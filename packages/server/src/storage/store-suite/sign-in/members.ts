import type { Authority } from '@holdfast/contract';
import { expect, test } from 'vitest';
import type { Invitation } from '../../contract/invitations.ts';
import { account, type CreateStoreHarness, hashOf, unusualTexts, withStore } from '../harness.ts';
import { byOperator } from '../records.fixture.ts';
import { developerCodeOf, signIn } from './sign-in-records.ts';

const issuer = 'https://issuer.example';
const owner: Authority = { role: 'owner', environments: null };
const admin: Authority = { role: 'admin', environments: null };

const invitation = (name: string, changes: Partial<Invitation>): Invitation => ({
  invitationId: `inv_${name}`,
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

export function members(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);

  /** Adds a member by an invitation, and returns its id. */
  async function join(subject: string, changes: Partial<Invitation> = {}, now = 2_000): Promise<string> {
    await at.store.addInvitation(byOperator, hashOf(`of ${subject}`), invitation(subject, changes), 100);
    const claims = { email: `${subject}@example.com`, name: subject };
    const outcome = await at.store.acceptInvitation(byOperator, hashOf(`of ${subject}`), issuer, subject, claims, now, 100);
    expect(outcome.kind).toBe('joined');
    return idOf(subject);
  }
  const idOf = async (subject: string, accountId = 'acc_1') =>
    (await at.store.findMember(accountId, issuer, subject))?.memberId as string;
  const roles = async () =>
    (await at.store.listMembers('acc_1')).map(({ subject, role, environments }) => [subject, role, environments]);

  test('the creator of an account owns it, others join as invited, and members are listed in order of joining', async () => {
    const name = unusualTexts[0] ?? '';
    await at.store.createDeveloper(issuer, 'ada', account(), { email: 'ada@example.com', name });
    await join('bob', { role: 'editor', environments: ['staging', 'production'] });
    await at.reopen();
    expect(await at.store.listMembers('acc_1')).toEqual([
      {
        accountId: 'acc_1',
        memberId: expect.stringMatching(/^mem_[0-9A-Za-z]{22}$/),
        subject: 'ada',
        ...owner,
        email: 'ada@example.com',
        name,
        joinedAt: 1_000,
        lastSeenAt: null,
      },
      {
        accountId: 'acc_1',
        memberId: expect.stringMatching(/^mem_[0-9A-Za-z]{22}$/),
        subject: 'bob',
        role: 'editor',
        environments: ['staging', 'production'],
        email: 'bob@example.com',
        name: 'bob',
        joinedAt: 2_000,
        lastSeenAt: 2_000,
      },
    ]);
    expect(await at.store.findMember('acc_1', issuer, 'bob')).toEqual((await at.store.listMembers('acc_1'))[1]);
    const strangers = [
      ['acc_1', issuer, 'eve'],
      ['acc_1', 'https://other.example', 'ada'],
      ['acc_2', issuer, 'ada'],
    ] as const;
    for (const [accountId, iss, subject] of strangers) {
      expect(await at.store.findMember(accountId, iss, subject)).toBeUndefined();
    }
  });

  test('names are found for members by subject or id, and for service accounts, within one account', async () => {
    const name = unusualTexts[0] ?? '';
    await at.store.createDeveloper(issuer, 'ada', account(), { email: 'ada@example.com', name });
    const [ada, bob] = [await idOf('ada'), await join('bob')];
    const robot = { accountId: 'acc_1', serviceAccountId: 'sa_1', name, role: 'viewer', environments: null } as const;
    const secret = { secretId: 'sec_1', secretHash: hashOf('sec_1'), createdAt: 1_000 };
    await at.store.createServiceAccount(byOperator, { ...robot, createdAt: 1_000, expiresAt: null }, secret, 100);
    const nameless = {
      subjects: ['bob', 'ada', 'eve'],
      memberIds: ['mem_none', ada, bob],
      serviceAccountIds: ['sa_none', 'sa_1'],
    };
    const known = async (accountId: string, issuedBy = issuer) =>
      (await at.store.findNames(accountId, issuedBy, nameless)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const ofMembers = [
      { by: 'memberIds', id: ada, name, email: 'ada@example.com' },
      { by: 'memberIds', id: bob, name: 'bob', email: 'bob@example.com' },
    ].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const ofRobot = { by: 'serviceAccountIds', id: 'sa_1', name, email: null };
    expect(await known('acc_1')).toEqual([
      { by: 'subjects', id: 'ada', name, email: 'ada@example.com' },
      { by: 'subjects', id: 'bob', name: 'bob', email: 'bob@example.com' },
      ...ofMembers,
      ofRobot,
    ]);
    expect(await known('acc_1', 'https://other.example')).toEqual([...ofMembers, ofRobot]);
    expect(await known('acc_2')).toEqual([]);
    expect(await at.store.findNames('acc_1', issuer, { subjects: [], memberIds: [], serviceAccountIds: [] })).toEqual([]);
  });

  test('a sign-in stores the claims of the provider and the time', async () => {
    await at.store.createDeveloper(issuer, 'ada', account());
    const record = (claims: { email: string | null; name: string | null }, now: number) =>
      at.store.recordSignIn('acc_1', issuer, 'ada', claims, now);
    expect(await record({ email: 'ada@example.com', name: 'Ada' }, 5_000)).toBe('recorded');
    expect(await record({ email: null, name: 'Ada L.' }, 6_000)).toBe('recorded');
    expect(await at.store.findMember('acc_1', issuer, 'ada')).toMatchObject({
      email: 'ada@example.com',
      name: 'Ada L.',
      lastSeenAt: 6_000,
    });
    expect(await at.store.recordSignIn('acc_1', issuer, 'eve', { email: null, name: null }, 7_000)).toBe('unknown');
    expect(await at.store.recordSignIn('acc_9', issuer, 'ada', { email: null, name: null }, 7_000)).toBe('unknown');
  });

  test('a member can be changed only within the authority of the person who makes the change', async () => {
    await at.store.createDeveloper(issuer, 'ada', account());
    const [ada, bob] = [await idOf('ada'), await join('bob', { role: 'viewer' })];
    const change = at.store.changeMember.bind(at.store, byOperator, 'acc_1');
    expect(await change('mem_none', { role: 'viewer' }, owner)).toEqual({ kind: 'unknown' });
    expect(await at.store.changeMember(byOperator, 'acc_2', bob, { role: 'viewer' }, owner)).toEqual({ kind: 'unknown' });
    expect(await change(bob, { role: 'owner' }, admin)).toEqual({ kind: 'beyond' });
    expect(await change(ada, { role: 'viewer' }, admin)).toEqual({ kind: 'beyond' });
    const narrow: Authority = { role: 'admin', environments: ['staging'] };
    expect(await change(bob, { role: 'editor' }, narrow)).toEqual({ kind: 'beyond' });
    expect(await change(bob, { role: 'editor', environments: ['staging'] }, narrow)).toMatchObject({
      kind: 'changed',
      member: { subject: 'bob', role: 'editor', environments: ['staging'] },
    });
    expect(await change(bob, { role: 'support' }, admin)).toMatchObject({ member: { environments: ['staging'] } });
    expect(await change(bob, { environments: null }, admin)).toMatchObject({
      member: { role: 'support', environments: null },
    });
    await change(bob, { environments: ['staging'] }, admin);
    expect(await change(bob, { role: 'owner' }, owner)).toMatchObject({ member: { role: 'owner', environments: null } });
    expect(await change(ada, { role: 'admin' }, owner)).toMatchObject({ kind: 'changed' });
    await at.reopen();
    expect(await roles()).toEqual([
      ['ada', 'admin', null],
      ['bob', 'owner', null],
    ]);
  });

  test('the last owner cannot step down or leave, even if owners demote or remove each other in parallel', async () => {
    await at.store.createDeveloper(issuer, 'ada', account());
    const ada = await idOf('ada');
    expect(await at.store.changeMember(byOperator, 'acc_1', ada, { role: 'admin' }, owner)).toEqual({ kind: 'last_owner' });
    expect(await at.store.removeMember(byOperator, 'acc_1', ada, owner)).toEqual({ kind: 'last_owner' });
    const beside = await at.openParallel();
    const others = await Promise.all(Array.from({ length: 9 }, (_, i) => join(`owner-${i}`)));
    const outcomes = await Promise.all(
      [ada, ...others].map((id, i) => {
        const store = i % 2 === 0 ? at.store : beside;
        return i % 3 === 0
          ? store.removeMember(byOperator, 'acc_1', id, owner)
          : store.changeMember(byOperator, 'acc_1', id, { role: 'viewer' }, owner);
      }),
    );
    expect(outcomes.filter(({ kind }) => kind === 'last_owner')).toHaveLength(1);
    expect((await roles()).filter(([, role]) => role === 'owner')).toHaveLength(1);
  });

  test('removing a member ends only that member’s sign-ins and open invitations in the account', async () => {
    await at.store.createDeveloper(issuer, 'ada', account());
    await at.store.createDeveloper(issuer, 'bob', account('acc_2'));
    const bob = await join('bob', { role: 'admin' });
    await signIn(at.store, 'here', developerCodeOf('bob'));
    await signIn(at.store, 'there', developerCodeOf('bob', { accountId: 'acc_2' }));
    await signIn(at.store, 'other', developerCodeOf('ada'));
    await at.store.addInvitation(byOperator, hashOf('his'), invitation('his', { makerId: bob, role: 'viewer' }), 100);
    await at.store.addInvitation(byOperator, hashOf('hers'), invitation('hers', { makerId: await idOf('ada') }), 100);
    expect(await at.store.removeMember(byOperator, 'acc_1', await idOf('ada'), admin)).toEqual({ kind: 'beyond' });
    expect(await at.store.removeMember(byOperator, 'acc_1', bob, owner)).toMatchObject({
      kind: 'removed',
      member: { subject: 'bob' },
    });
    expect(await at.store.removeMember(byOperator, 'acc_1', bob, owner)).toEqual({ kind: 'unknown' });
    await at.reopen();
    expect(await at.store.findMember('acc_1', issuer, 'bob')).toBeUndefined();
    expect(await at.store.findRefreshFamily('here', 2_000)).toBeUndefined();
    expect(await at.store.findRefreshFamily('there', 2_000)).toBeDefined();
    expect(await at.store.findRefreshFamily('other', 2_000)).toBeDefined();
    expect(await at.store.findInvitation(hashOf('his'), 2_000)).toBeUndefined();
    expect(await at.store.findInvitation(hashOf('hers'), 2_000)).toBeDefined();
    expect((await at.store.listMemberships(issuer, 'bob')).map((one) => one.account.accountId)).toEqual(['acc_2']);
    expect(await at.store.findDeveloper(issuer, 'bob')).toEqual(account('acc_2'));
  });

  test('an invitation cannot exceed the authority of its maker, and ends when that authority is reduced', async () => {
    await at.store.createDeveloper(issuer, 'ada', account());
    const bob = await join('bob', { role: 'admin' });
    const add = (name: string, changes: Partial<Invitation>) =>
      at.store.addInvitation(byOperator, hashOf(name), invitation(name, { makerId: bob, ...changes }), 100);
    const left = async () => (await at.store.listInvitations('acc_1', 2_000)).map((one) => one.invitationId).sort();
    expect(await add('a', { role: 'owner' })).toBe('no_authority');
    expect(await add('b', { role: 'editor' })).toBe('added');
    expect(await add('c', { role: 'editor', environments: ['staging'] })).toBe('added');
    expect(await add('d', { role: 'editor', makerId: 'mem_none' })).toBe('no_authority');
    await at.store.changeMember(byOperator, 'acc_1', bob, { environments: ['staging'] }, owner);
    expect(await left()).toEqual(['inv_c']);
    await at.store.changeMember(byOperator, 'acc_1', bob, { role: 'editor' }, owner);
    expect(await left()).toEqual([]);
  });

  test('a developer’s accounts are listed in order of joining, and memberships are deleted with the account', async () => {
    await at.store.createDeveloper(issuer, 'ada', account('acc_1', { createdAt: 5_000 }));
    await at.store.createDeveloper(issuer, 'bob', account('acc_2', { createdAt: 1_000 }));
    await at.store.addInvitation(byOperator, hashOf('x'), invitation('x', { accountId: 'acc_2', role: 'viewer' }), 100);
    await at.store.acceptInvitation(byOperator, hashOf('x'), issuer, 'ada', { email: null, name: null }, 6_000, 100);
    const ids = async () =>
      (await at.store.listMemberships(issuer, 'ada')).map((one) => [one.account.accountId, one.member.role]);
    expect(await ids()).toEqual([
      ['acc_1', 'owner'],
      ['acc_2', 'viewer'],
    ]);
    expect(await at.store.createDeveloper(issuer, 'ada', account('acc_3'))).toMatchObject({ accountId: 'acc_1' });
    await at.store.deleteAccount('acc_1');
    expect(await ids()).toEqual([['acc_2', 'viewer']]);
    expect(await at.store.findDeveloper(issuer, 'ada')).toMatchObject({ accountId: 'acc_2' });
    expect(await at.store.listMembers('acc_1')).toEqual([]);
    await at.store.deleteAccount('acc_2');
    expect(await ids()).toEqual([]);
  });
}
