import { expect, test } from 'vitest';
import type { QuotaLimits } from '../../contract/usage.ts';
import type { Store } from '../../store.ts';
import {
  absent,
  account,
  type CreateStoreHarness,
  ensureProject,
  newState,
  project,
  stateKey,
  version,
  withStore,
} from '../harness.ts';
import { byOperator } from '../records.fixture.ts';
import { newUserState } from '../sign-in/sign-in-records.ts';

const quotas: QuotaLimits = { apiRequests: 10, projects: 2, endUsers: 2, storageBytes: 20 };
const month = Date.UTC(2026, 10);

export function usageLimits(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness, quotas);
  const key = stateKey();
  const writeUser = (playerId: string, stateText = '{}', environment = key.environment, store: Store = at.store) =>
    store.writeUserState({ ...key, environment, playerId }, absent, newUserState(stateText));
  const used = async () => (await at.store.readUsage('acc_1', month))?.used;

  test('the limits of the store apply unless the account has its own', async () => {
    await at.store.createAccount(account());
    expect(await at.store.readUsage('acc_1', month)).toMatchObject({
      limits: quotas,
      ownLimits: { apiRequests: null, projects: null, endUsers: null, storageBytes: null, requestsPerMinute: null },
    });
    expect(await at.store.writeOwnLimits(byOperator, 'acc_1', { apiRequests: 3, storageBytes: 0 })).toBe('written');
    expect(await at.store.writeOwnLimits(byOperator, 'acc_1', { projects: 7, apiRequests: null })).toBe('written');
    await at.reopen();
    expect(await at.store.readUsage('acc_1', month)).toMatchObject({
      limits: { apiRequests: 10, projects: 7, endUsers: 2, storageBytes: 0 },
      ownLimits: { apiRequests: null, projects: 7, endUsers: null, storageBytes: 0, requestsPerMinute: null },
    });
    expect(await at.store.writeOwnLimits(byOperator, 'acc_none', { projects: 1 })).toBe('no_account');
    await at.store.writeOwnLimits(byOperator, 'acc_1', { apiRequests: 3 });
    expect(await at.store.addApiRequests(month, [{ accountId: 'acc_1', requests: 4 }])).toEqual([{ total: 4, limit: 3 }]);
  });

  test('projects over the limit are refused; a taken slug is reported first; a deletion makes room', async () => {
    await ensureProject(at.store, key);
    await at.store.createProject(byOperator, project('q'));
    const reached = { kind: 'quota', quota: 'projects', limit: 2, used: 2 };
    expect(await at.store.createProject(byOperator, project('r'))).toEqual(reached);
    expect(await at.store.findProject({ accountId: 'acc_1', slug: 'r' })).toBeUndefined();
    expect(await at.store.createProject(byOperator, project('q'))).toBe('already_exists');
    expect(await at.store.createProject(byOperator, project('r', { accountId: 'acc_none' }))).toBe('no_account');
    await at.store.deleteProject(byOperator, key);
    expect(await at.store.createProject(byOperator, project('r'))).toBe('created');
    expect(await at.store.createProject(byOperator, project('s'))).toEqual(reached);
  });

  test('players over the limit are refused; known players can still write anywhere; a deletion makes room', async () => {
    await ensureProject(at.store, key);
    for (const user of ['u', 'v']) expect((await writeUser(user)).kind).toBe('written');
    const reached = { kind: 'quota', quota: 'endUsers', limit: 2, used: 2 };
    expect(await writeUser('w')).toEqual(reached);
    expect(await at.store.readUserState({ ...key, playerId: 'w' })).toEqual({ kind: 'absent' });
    expect((await writeUser('u', '{}', 'staging')).kind).toBe('written');
    expect((await at.store.writeUserState({ ...key, playerId: 'u' }, version(1), newUserState('{"a":1}'))).kind).toBe(
      'written',
    );
    await at.store.deleteUserStates(byOperator, key, 'v');
    expect((await writeUser('w')).kind).toBe('written');
  });

  test('bytes over the limit are refused exactly; a conflict is reported first; a shorter state always fits', async () => {
    await ensureProject(at.store, key);
    const ten = newState('{"a":"12"}');
    expect((await at.store.writePublicState(key, absent, ten)).kind).toBe('written');
    expect((await writeUser('u', '{"a":"123"}')).kind).toBe('quota');
    expect((await writeUser('u', '{"a":"12"}')).kind).toBe('written');
    const reached = { kind: 'quota', quota: 'storageBytes', limit: 20, used: 20 };
    expect(await at.store.writePublicState(key, version(1), newState())).toEqual(reached);
    expect(await at.store.writePublicState(key, absent, newState())).toEqual({ kind: 'conflict', currentVersion: 1 });
    expect(await at.store.readPublicStateVersion(key, 2)).toEqual({ kind: 'absent' });
    const own = { ...key, playerId: 'u' };
    expect(await at.store.writeUserState(own, version(1), newUserState('{"a":"123"}'))).toEqual(reached);
    expect(await used()).toMatchObject({ endUsers: 1, storageBytes: 20 });
    await at.store.writeOwnLimits(byOperator, 'acc_1', { storageBytes: 5 });
    expect(await at.store.writeUserState(own, version(1), newUserState('{"a":"21"}'))).toEqual({
      kind: 'written',
      version: 2,
    });
    expect(await at.store.writeUserState(own, version(2), newUserState('{}'))).toEqual({ kind: 'written', version: 3 });
    expect(await used()).toMatchObject({ storageBytes: 12 });
  });

  test('comments count towards the limit', async () => {
    await ensureProject(at.store, key);
    const reached = (used: number) => ({ kind: 'quota', quota: 'storageBytes', limit: 20, used });
    expect(await at.store.writePublicState(key, absent, newState('{}', 'x'.repeat(17)))).toEqual(reached(0));
    expect((await at.store.writePublicState(key, absent, newState('{}', 'x'.repeat(16)))).kind).toBe('written');
    expect(await at.store.writePublicState(key, version(1), newState('{}'))).toEqual(reached(20));
  });

  test('guests together use at most half of the players and bytes, rounded down; others can use everything', async () => {
    await ensureProject(at.store, key);
    await at.store.writeOwnLimits(byOperator, 'acc_1', { endUsers: 5, storageBytes: 61 });
    const guest = (n: number) => `guest_${String(n).padStart(22, '0')}`;
    const twelve = '{"a":"1234"}';
    for (const n of [1, 2]) expect((await writeUser(guest(n), twelve)).kind).toBe('written');
    const ofGuests = { kind: 'quota', isOfGuests: true };
    expect(await writeUser(guest(3))).toEqual({ ...ofGuests, quota: 'endUsers', limit: 2, used: 2 });
    const bytes = { ...ofGuests, quota: 'storageBytes', limit: 30, used: 24 };
    expect(await writeUser(guest(1), twelve, 'staging')).toEqual(bytes);
    const first = { ...key, playerId: guest(1) };
    expect(await at.store.writeUserState(first, version(1), newUserState('{"a":"12345678901"}'))).toEqual(bytes);
    expect((await at.store.writeUserState(first, version(1), newUserState('{"a":"1234567890"}'))).kind).toBe('written');
    for (const id of ['u', 'guest_', `${guest(3)}0`]) expect((await writeUser(id)).kind).toBe('written');
    expect(await writeUser('w')).toEqual({ kind: 'quota', quota: 'endUsers', limit: 5, used: 5 });
    await at.store.deleteUserStates(byOperator, key, guest(2));
    expect((await writeUser(guest(4), twelve)).kind).toBe('written');
    expect(await writeUser(guest(4), twelve, 'staging')).toMatchObject({ ...ofGuests, quota: 'storageBytes', used: 30 });
    await at.store.deleteUserStates(byOperator, key, 'u');
    await at.store.deleteProject(byOperator, key);
    await at.store.createProject(byOperator, project(key.slug));
    for (const n of [5, 6]) expect((await writeUser(guest(n), twelve)).kind).toBe('written');
    expect(await writeUser(guest(7))).toMatchObject({ ...ofGuests, quota: 'endUsers', used: 2 });
  });

  test('of parallel guests for the last guest place, on any process, exactly one succeeds', async () => {
    const beside = await at.openParallel();
    await ensureProject(at.store, key);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        writeUser(`guest_${String(n).padStart(22, '0')}`, '{}', key.environment, n % 2 === 0 ? at.store : beside),
      ),
    );
    expect(outcomes.filter(({ kind }) => kind === 'written')).toHaveLength(1);
    expect((await writeUser('u')).kind).toBe('written');
  });

  test('of parallel writes for the last free unit, on any process, exactly one succeeds', async () => {
    const beside = await at.openParallel();
    const each = <Outcome>(send: (store: Store, index: number) => Promise<Outcome>) =>
      Promise.all(Array.from({ length: 20 }, (_, i) => send(i % 2 === 0 ? at.store : beside, i)));
    const kinds = (outcomes: readonly { readonly kind: string }[]) => outcomes.map(({ kind }) => kind).sort();
    const oneOf20 = [...Array.from({ length: 19 }, () => 'quota'), 'written'];
    await ensureProject(at.store, key);

    const projects = await each((store, i) => store.createProject(byOperator, project(`q${i}`)));
    expect(projects.filter((outcome) => outcome === 'created')).toHaveLength(1);
    expect(projects.filter((outcome) => typeof outcome === 'object')).toHaveLength(19);

    await writeUser('first');
    expect(kinds(await each((store, i) => writeUser(`u${i}`, '{}', key.environment, store)))).toEqual(oneOf20);

    await at.store.writeOwnLimits(byOperator, 'acc_1', { endUsers: 0 });
    const twelve = '{"a":"1234"}';
    expect(kinds(await each((store, i) => writeUser(`v${i}`, twelve, 'staging', store)))).toEqual(oneOf20);
    expect(await used()).toEqual({ apiRequests: 0, projects: 2, endUsers: 3, storageBytes: 16 });
  });

  test('a limit written by another process applies immediately', async () => {
    const beside = await at.openParallel();
    await ensureProject(at.store, key);
    await at.store.writePublicState(key, absent, newState('{"a":"12"}'));
    await beside.writeOwnLimits(byOperator, 'acc_1', { storageBytes: 11 });
    expect(await at.store.writePublicState(key, version(1), newState())).toMatchObject({ kind: 'quota', limit: 11 });
    await beside.writeOwnLimits(byOperator, 'acc_1', { storageBytes: null });
    expect(await at.store.writePublicState(key, version(1), newState())).toMatchObject({ kind: 'written' });
  });
}
