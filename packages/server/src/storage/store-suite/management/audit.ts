import { auditRecordsPerDay } from '@holdfast/contract';
import { expect, test } from 'vitest';
import type { ChangedBy } from '../../contract/audit.ts';
import type { Store } from '../../store.ts';
import {
  account,
  apiKey,
  type CreateStoreHarness,
  ensureProject,
  hashOf,
  project,
  stateKey,
  withStore,
} from '../harness.ts';
import { byOperator } from '../records.fixture.ts';

const by = (change: Partial<ChangedBy> = {}, id = 'mem_1'): ChangedBy => ({
  actor: { kind: 'developer', id, name: 'Ada' },
  requestId: 'r-1',
  at: 10_000,
  ...change,
});
const any = { action: null, actorId: null };
const newest = async (store: Store, itemsMax = 50) =>
  (await store.listAuditRecords('acc_1', any, { before: null, itemsMax })).records;

export function auditTrail(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);

  test('shows who changed what and when, newest first', async () => {
    await at.store.createAccount(account());
    await at.store.createProject(by(), project());
    await at.store.updateProject(by({ at: 11_000, requestId: 'r-2' }), project(), { name: 'Another' });
    await at.store.updateAccount(byOperator, 'acc_1', { name: 'Studio' });
    expect(await newest(at.store)).toEqual([
      {
        position: 3,
        at: 1_000,
        actor: byOperator.actor,
        action: 'account.update',
        target: 'acc_1',
        detailText: '{"name":{"from":"An account","to":"Studio"}}',
        requestId: 'a-request',
      },
      {
        position: 2,
        at: 11_000,
        actor: by().actor,
        action: 'project.update',
        target: 'projects/p',
        detailText: '{"name":{"from":"A project","to":"Another"}}',
        requestId: 'r-2',
      },
      {
        position: 1,
        at: 10_000,
        actor: by().actor,
        action: 'project.create',
        target: 'projects/p',
        detailText: '{"name":{"to":"A project"}}',
        requestId: 'r-1',
      },
    ]);
  });

  test('has no record of a change that failed', async () => {
    await ensureProject(at.store, stateKey());
    const before = await newest(at.store);
    expect(await at.store.createProject(by(), project())).toBe('already_exists');
    expect(await at.store.createProject(by(), project('q', { accountId: 'acc_none' }))).toBe('no_account');
    expect(await at.store.updateProject(by(), project('none'), { name: 'x' })).toBeUndefined();
    expect(await at.store.deleteProject(by(), project('none'))).toBe('absent');
    expect(await at.store.deleteApiKey(by(), project(), 'key_none')).toBe('absent');
    expect(await at.store.createApiKey(by(), apiKey('key_1'), hashOf('key_1'), 0)).toMatchObject({ kind: 'too_many' });
    expect(await at.store.changePlayerAuth(by(), project(), '{}', '{}')).toBe('superseded');
    expect(await at.store.deleteUserStates(by(), project(), 'nobody')).toBe('absent');
    expect(await at.store.deleteUser(by(), 'acc_1', 'nobody')).toBe('absent');
    await expect(at.store.createApiKey(by(), apiKey('key_1'), hashOf('key_1'), 9)).resolves.toBe('created');
    await expect(at.store.createApiKey(by(), apiKey('key_1'), hashOf('key_1'), 9)).rejects.toThrow();
    expect((await newest(at.store)).map(({ action }) => action)).toEqual([
      'api_key.create',
      ...before.map(({ action }) => action),
    ]);
  });

  test('is filtered by action, by actor or by both, in pages', async () => {
    await at.store.createAccount(account());
    for (let i = 0; i < 6; i++) await at.store.createProject(by({}, `mem_${i % 2}`), project(`p${i}`));
    await at.store.deleteProject(by({}, 'mem_0'), project('p0'));
    const positions = async (
      filter: Partial<typeof any> | { action?: 'project.create'; actorId?: string },
      before: number | null = null,
    ) => {
      const page = await at.store.listAuditRecords('acc_1', { ...any, ...filter }, { before, itemsMax: 2 });
      return [page.records.map(({ position }) => position), page.hasMore];
    };
    expect(await positions({})).toEqual([[7, 6], true]);
    expect(await positions({ action: 'project.create' })).toEqual([[6, 5], true]);
    expect(await positions({ actorId: 'mem_0' })).toEqual([[7, 5], true]);
    expect(await positions({ actorId: 'mem_0' }, 5)).toEqual([[3, 1], false]);
    expect(await positions({ actorId: 'mem_0', action: 'project.create' })).toEqual([[5, 3], true]);
    expect(await positions({ actorId: 'mem_9' })).toEqual([[], false]);
  });

  test('records and numbers every parallel change exactly once, on any process', async () => {
    await at.store.createAccount(account());
    const beside = await at.openParallel();
    const slugs = Array.from({ length: 40 }, (_, i) => `p${i}`);
    await Promise.all(slugs.map((slug, i) => (i % 2 ? at.store : beside).createProject(by(), project(slug))));
    const records = await newest(at.store, 100);
    expect(records.map(({ position }) => position)).toEqual(slugs.map((_, i) => 40 - i));
    expect(new Set(records.map(({ target }) => target))).toEqual(new Set(slugs.map((slug) => `projects/${slug}`)));
  });

  test('contains no secrets or images and shortens long values', async () => {
    await ensureProject(at.store, stateKey());
    const settings = (change: object) => JSON.stringify({ enabled: true, redirectUris: [], logoData: null, ...change });
    await at.store.writePlayerAuth(by(), project(), settings({ redirectUris: ['https://a.example/cb'] }));
    await at.store.writePlayerAuth(by(), project(), settings({ logoData: 'A'.repeat(80_000) }));
    const uris = Array.from({ length: 50 }, (_, i) => `https://${'x'.repeat(1_900)}.example/${i}`);
    await at.store.writePlayerAuth(by(), project(), settings({ redirectUris: uris }));
    const provider = { accountId: 'acc_1', providerId: 'oidc.a', writtenAt: 1 };
    const providerSettings = {
      clientId: 'c',
      name: null,
      issuer: 'https://i.example',
      tenant: null,
      teamId: null,
      keyId: null,
    };
    const sealedSecret = Buffer.from('hidden');
    await at.store.writeIdentityProvider(by(), { ...provider, settings: providerSettings, sealedSecret }, 5);
    const [written, long, logo, first] = (await newest(at.store)).map(({ detailText }) => JSON.parse(detailText));
    expect(written).toMatchObject({ clientId: { to: 'c' }, secret: { to: 'another one' } });
    expect(long.redirectUris.to).toHaveLength(21);
    expect(JSON.stringify(long).length).toBeLessThanOrEqual(8_000);
    expect(logo).toEqual({
      redirectUris: { from: ['https://a.example/cb'], to: [] },
      logoData: { from: null, to: expect.stringMatching(/^sha256:/) },
    });
    expect(first).toMatchObject({ enabled: { to: true } });
  });

  test('does not contain the id of an erased player', async () => {
    await ensureProject(at.store, stateKey());
    const state = { stateText: '{}', stateBytes: 2, writtenAt: 1 };
    const write = () =>
      at.store.writeUserState({ ...stateKey(), playerId: 'player@example.com' }, { kind: 'absent' }, state);
    await write();
    expect(await at.store.deleteUserStates(by(), project(), 'player@example.com')).toBe('deleted');
    const [record] = await newest(at.store);
    expect(record).toMatchObject({
      action: 'user_state.delete',
      target: 'projects/p/players/erased-r-1',
      detailText: '{}',
    });
    for (const kind of ['service_account', 'end_user'] as const) {
      await write();
      const actor = { kind, id: 'other', name: null };
      expect(await at.store.deleteUserStates(by({ actor }), project(), 'player@example.com')).toBe('deleted');
      expect(await newest(at.store)).toHaveLength(2);
    }
  });

  test('shows who was invited, joined, changed or removed', async () => {
    await at.store.createAccount(account());
    const invitation = {
      invitationId: 'inv_1',
      accountId: 'acc_1',
      role: 'admin',
      environments: null,
      email: null,
      inviter: null,
      makerId: null,
      createdAt: 1,
      expiresAt: 99_000,
    } as const;
    const owner = { role: 'owner', environments: null } as const;
    const claims = { email: 'ada@example.com', name: 'Ada' };
    const nobody = by({ actor: { kind: 'developer', id: '', name: null }, requestId: 'r-2' });
    await at.store.addInvitation(by(), hashOf('a'), invitation, 9);
    await at.store.addInvitation(by(), hashOf('b'), { ...invitation, invitationId: 'inv_2' }, 9);
    await at.store.withdrawInvitation(by(), 'acc_1', 'inv_2');
    await at.store.acceptInvitation(nobody, hashOf('a'), 'https://idp.example', 'ada', claims, 5, 9);
    await at.store.acceptInvitation(nobody, hashOf('a'), 'https://idp.example', 'bob', claims, 5, 9);
    const [member] = await at.store.listMembers('acc_1');
    const id = member?.memberId ?? '';
    await at.store.changeMember(by(), 'acc_1', id, { role: 'editor', environments: ['staging'] }, owner);
    await at.store.changeMember(by(), 'acc_1', 'mem_none', { role: 'editor' }, owner);
    await at.store.removeMember(by(), 'acc_1', id, owner);
    const recorded = (await newest(at.store)).map(({ action, target, actor, detailText }) => [
      action,
      target,
      actor.id,
      JSON.parse(detailText),
    ]);
    expect(recorded).toEqual([
      [
        'member.remove',
        `members/${id}`,
        'mem_1',
        { name: { from: 'Ada' }, role: { from: 'editor' }, environments: { from: ['staging'] } },
      ],
      [
        'member.update',
        `members/${id}`,
        'mem_1',
        { role: { from: 'admin', to: 'editor' }, environments: { from: null, to: ['staging'] } },
      ],
      [
        'member.join',
        `members/${id}`,
        id,
        { name: { to: 'Ada' }, role: { to: 'admin' }, environments: { to: null }, invitation: { to: 'inv_1' } },
      ],
      ['invitation.withdraw', 'invitations/inv_2', 'mem_1', expect.objectContaining({ role: { from: 'admin' } })],
      ['invitation.create', 'invitations/inv_2', 'mem_1', expect.objectContaining({ role: { to: 'admin' } })],
      ['invitation.create', 'invitations/inv_1', 'mem_1', expect.objectContaining({ email: { to: null } })],
    ]);
  });

  test('is deleted with its account', async () => {
    await ensureProject(at.store, stateKey());
    expect(await newest(at.store)).toHaveLength(1);
    await at.store.deleteAccount('acc_1');
    expect(await newest(at.store)).toEqual([]);
    await at.store.createAccount(account());
    expect(await newest(at.store)).toEqual([]);
  });
}

/** Declares the test of a day with as many changes as are recorded one by one. It is heavy on PostgreSQL alone. */
export function auditedDay(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);

  test('counts the remaining changes of a day in one record, by action', async () => {
    await at.store.createAccount(account());
    const rename = (i: number, change = by()) => at.store.updateAccount(change, 'acc_1', { name: `Name ${i}` });
    for (let begun = 0; begun < auditRecordsPerDay; begun += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, i) => rename(begun + i)));
    }
    for (const slug of ['a', 'b']) await at.store.createProject(by(), project(slug));
    await at.store.deleteProject(by({ at: 12_000 }), project('a'));
    const [rest, last] = await newest(at.store, 2);
    expect(last?.position).toBe(auditRecordsPerDay);
    expect(rest).toMatchObject({ position: auditRecordsPerDay + 1, action: 'audit.summarize', target: 'audit' });
    expect(JSON.parse(rest?.detailText ?? '')).toEqual({
      'project.create': { to: { count: 2, last: 'projects/b', lastAt: '1970-01-01T00:00:10.000Z' } },
      'project.delete': { to: { count: 1, last: 'projects/a', lastAt: '1970-01-01T00:00:12.000Z' } },
    });
    await rename(1, by({}, 'mem_2'));
    await rename(2, by({ at: 100_000_000 }));
    expect((await newest(at.store, 3)).map(({ action, actor: { id } }) => [action, id])).toEqual([
      ['account.update', 'mem_1'],
      ['account.update', 'mem_2'],
      ['audit.summarize', 'mem_1'],
    ]);
    const usage = async () => (await at.store.readUsage('acc_1', 0))?.used.storageBytes ?? 0;
    const counted = await usage();
    expect(counted).toBeGreaterThan(50_000);
    const swept: number[] = [];
    while (swept.at(-1) !== 0) swept.push(await at.store.sweepAuditRecords(50_000_000));
    expect(Math.max(...swept)).toBeLessThanOrEqual(250);
    expect((await newest(at.store)).map(({ position }) => position)).toEqual([auditRecordsPerDay + 3]);
    expect(await usage()).toBe(0);
    await rename(3);
    expect((await newest(at.store))[0]?.position).toBe(auditRecordsPerDay + 4);
  });
}
