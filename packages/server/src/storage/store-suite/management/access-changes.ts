import { expect, test, vi } from 'vitest';
import { type AccessChange, accountChange, projectChange, scopeOfChange } from '../../caches/access-changes.ts';
import type { Store } from '../../store.ts';
import {
  account,
  apiKey,
  type CreateStoreHarness,
  ensureProject,
  hashOf,
  newState,
  project,
  stateKey,
  version,
  withStore,
  writeNext,
} from '../harness.ts';
import { byOperator } from '../records.fixture.ts';

const idp = 'https://idp.example';
const owner = { role: 'owner', environments: null } as const;
/** The id of the account's member with this subject. */
const memberId = async (store: Store, subject: string) => (await store.findMember('acc_1', idp, subject))?.memberId ?? '';
async function join(store: Store, subject: string): Promise<void> {
  const about = { role: 'owner', environments: null, email: null, inviter: null, makerId: null } as const;
  const invitation = { ...about, invitationId: `inv_${subject}`, accountId: 'acc_1', createdAt: 1, expiresAt: 9 };
  await store.addInvitation(byOperator, hashOf(subject), invitation, 10);
  await store.acceptInvitation(byOperator, hashOf(subject), idp, subject, { email: null, name: null }, 2, 10);
}

const place = { accountId: 'acc_1', slug: 'p' };
const purpose = 'access_token' as const;
const signingKey = { purpose, keyId: 's', publicJwk: '{}', sealedPrivateJwk: Uint8Array.of(1), createdAt: 1 };

type Addition = readonly [string, (store: Store) => Promise<unknown>];
type Change = readonly [...Addition, AccessChange];

/** Verbs that remove no access, in an order in which each has something to do. */
const additions: readonly Addition[] = [
  ['createAccount', (store) => store.createAccount(account())],
  ['updateAccount', (store) => store.updateAccount(byOperator, 'acc_1', { name: 'x' })],
  ['createProject', (store) => store.createProject(byOperator, project())],
  ['updateProject', (store) => store.updateProject(byOperator, place, { name: 'x' })],
  ['createApiKey', (store) => store.createApiKey(byOperator, apiKey('k'), hashOf('k'), 1_000)],
  ['createApiKey', (store) => store.createApiKey(byOperator, apiKey('l'), hashOf('l'), 1_000)],
  ['createDeveloper', (store) => store.createDeveloper(idp, 'dev', account('acc_2'))],
  ['acceptInvitation', (store) => join(store, 'ada')],
  ['acceptInvitation', (store) => join(store, 'bob')],
  ['recordSignIn', (store) => store.recordSignIn('acc_1', idp, 'ada', { email: null, name: 'Ada' }, 5)],
];

const ofAccount = accountChange('acc_1');
const ofProject = projectChange(place);
const ofKey: AccessChange = { kind: 'api_key', ...place, keyId: 'k' };
const ofSigningKeys: AccessChange = { kind: 'signing_keys', purpose };

/** Each way to remove access, after all of the additions, and the reported change. */
const changes: readonly Change[] = [
  [
    'updateProject',
    (store) => store.updateProject(byOperator, place, { protectedEnvironments: ['production'] }),
    ofProject,
  ],
  ['updateProject', (store) => store.updateProject(byOperator, place, { flagsCheck: 'enforce' }), ofProject],
  ['deleteApiKey', (store) => store.deleteApiKey(byOperator, place, 'k'), ofKey],
  ['writePlayerAuth', (store) => store.writePlayerAuth(byOperator, place, '{}'), ofProject],
  ['changePlayerAuth', (store) => store.changePlayerAuth(byOperator, place, '{}', '{"n":1}'), ofProject],
  ['writeOwnLimits', (store) => store.writeOwnLimits(byOperator, 'acc_1', { projects: 5 }), ofAccount],
  ['limitApiKey', (store) => store.limitApiKey(byOperator, 'acc_1', 'l', 5), ofAccount],
  ['addSigningKey', (store) => store.addSigningKey(signingKey, null), ofSigningKeys],
  ['addSigningKey', (store) => store.addSigningKey({ ...signingKey, keyId: 't', createdAt: 2 }, 's'), ofSigningKeys],
  ['deleteSigningKeys', (store) => store.deleteSigningKeys(purpose, 2), ofSigningKeys],
  [
    'changeMember',
    async (store) => store.changeMember(byOperator, 'acc_1', await memberId(store, 'ada'), { role: 'viewer' }, owner),
    ofAccount,
  ],
  [
    'removeMember',
    async (store) => store.removeMember(byOperator, 'acc_1', await memberId(store, 'ada'), owner),
    ofAccount,
  ],
  ['forgetAccess', (store) => store.forgetAccess('acc_1'), ofAccount],
  ['deleteProject', (store) => store.deleteProject(byOperator, place), ofProject],
  ['deleteAccount', (store) => store.deleteAccount('acc_1'), ofAccount],
];

export function accessChanges(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);

  test('every listener hears of a change that removes access before its promise resolves', async () => {
    for (const [, add] of additions) await add(at.store);
    const listeners = [vi.fn(), vi.fn()];
    for (const listener of listeners) at.store.onAccessChange(listener);
    for (const [name, change] of changes) {
      for (const listener of listeners) listener.mockClear();
      const calls = await change(at.store).then(() => listeners.map((listener) => listener.mock.calls.length));
      expect(
        calls.every((count) => count > 0),
        `${name} called its listeners ${calls} times`,
      ).toBe(true);
    }
  });

  // A store that was briefly unreachable may report a change to be safe, but not every time.
  const mayBeSlow = { retry: 2 };

  test('each change is reported once, with its subject and nothing else', mayBeSlow, async () => {
    for (const [, add] of additions) await add(at.store);
    const reported: AccessChange[] = [];
    at.store.onAccessChange((change) => reported.push(change));
    for (const [name, change, about] of changes) {
      await change(at.store);
      expect(reported.splice(0), name).toEqual([about]);
    }
  });

  test('deleting something that does not exist is not reported', mayBeSlow, async () => {
    await ensureProject(at.store, place);
    const listener = vi.fn();
    at.store.onAccessChange(listener);
    expect(await at.store.deleteApiKey(byOperator, place, 'none')).toBe('absent');
    expect(await at.store.deleteProject(byOperator, { ...place, slug: 'none' })).toBe('absent');
    expect(await at.store.deleteAccount('acc_none')).toBe('absent');
    expect(await at.store.writePlayerAuth(byOperator, { ...place, slug: 'none' }, '{}')).toBe('no_project');
    expect(await at.store.deleteSigningKeys(purpose, 5)).toBe(0);
    expect(await at.store.removeMember(byOperator, 'acc_1', 'mem_none', owner)).toEqual({ kind: 'unknown' });
    expect(listener).not.toHaveBeenCalled();
  });

  test('creating and renaming are not reported', mayBeSlow, async () => {
    const listener = vi.fn();
    at.store.onAccessChange(listener);
    for (const [, add] of additions) await add(at.store);
    expect(listener).not.toHaveBeenCalled();
  });

  test('state writes and times of last use are not reported', mayBeSlow, async () => {
    await ensureProject(at.store, place);
    await at.store.createApiKey(byOperator, apiKey('k'), hashOf('k'), 1_000);
    const listener = vi.fn();
    at.store.onAccessChange(listener);
    await writeNext(at.store, stateKey());
    await at.store.recordApiKeyUse([{ accountId: place.accountId, keyId: 'k', usedAt: 5 }]);
    expect(listener).not.toHaveBeenCalled();
  });

  test('changes by another process are reported and can be read', async () => {
    const beside = await at.openParallel();
    await ensureProject(at.store, place);
    await at.store.createApiKey(byOperator, apiKey('k'), hashOf('k'), 1_000);
    await writeNext(at.store, stateKey(), '{"old":1}');
    expect(await at.store.readPublicState(stateKey())).toMatchObject({ record: { version: 1 } });
    let reported = 0;
    at.store.onAccessChange(() => reported++);

    const becomes = async (what: () => boolean | Promise<boolean>) => expect.poll(what, { interval: 10 }).toBe(true);
    await beside.deleteApiKey(byOperator, place, 'k');
    await becomes(() => reported > 0);
    expect(await at.store.findApiKey(hashOf('k'))).toBeUndefined();

    await beside.writePublicState(stateKey(), version(1), newState('{"new":1}'));
    await becomes(async () => {
      const found = await at.store.readPublicState(stateKey());
      return found.kind === 'present' && found.record.version === 2;
    });

    expect((await at.store.findAccount('acc_1'))?.name).not.toBe('Renamed');
    await beside.updateAccount(byOperator, 'acc_1', { name: 'Renamed' });
    await becomes(async () => (await at.store.findAccount('acc_1'))?.name === 'Renamed');

    await beside.deleteProject(byOperator, place);
    await becomes(async () => (await at.store.readPublicState(stateKey())).kind === 'no_project');
    expect(await at.store.findProject(place)).toBeUndefined();
  });

  test('a write sees the latest change by another process without waiting', async () => {
    const beside = await at.openParallel();
    await ensureProject(at.store, place);
    for (let n = 1; n < 20; n += 2) {
      expect(await writeNextFrom(at.store, n - 1)).toEqual({ kind: 'written', version: n });
      expect(await writeNextFrom(beside, n)).toEqual({ kind: 'written', version: n + 1 });
      expect(await writeNextFrom(at.store, n)).toEqual({ kind: 'conflict', currentVersion: n + 1 });
    }
    await beside.deleteProject(byOperator, place);
    expect(await writeNextFrom(at.store, 20)).toEqual({ kind: 'no_project' });
    await beside.createProject(byOperator, project());
    expect(await writeNextFrom(at.store, 0)).toEqual({ kind: 'written', version: 21 });
  });
}

/** Declares the test of each kind of change by another process, all of which it has to wait for. */
export function accessChangesOfOthers(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);

  test('a change by another process is reported as that change, or as unknown', async () => {
    const beside = await at.openParallel();
    for (const [, add] of additions) await add(at.store);
    const reported: AccessChange[] = [];
    at.store.onAccessChange((change) => reported.push(change));
    for (const [name, change, about] of changes) {
      reported.splice(0);
      await change(beside);
      await expect.poll(() => reported.some((one) => covers(one, about)), { interval: 10, message: name }).toBe(true);
    }
  });
}

/** Whether forgetting what the first change is about includes what the second one is about. */
function covers(reported: AccessChange, change: AccessChange): boolean {
  const [outer, inner] = [scopeOfChange(reported), scopeOfChange(change)];
  if (reported.kind === 'everything' || outer === undefined || inner === undefined) {
    return reported.kind === 'everything' || (reported.kind === 'signing_keys' && change.kind === 'signing_keys');
  }
  return outer.every((name, depth) => inner[depth] === name);
}

const writeNextFrom = (store: Store, current: number) =>
  store.writePublicState(stateKey(), current === 0 ? { kind: 'absent' } : version(current), newState(`{"n":${current}}`));
