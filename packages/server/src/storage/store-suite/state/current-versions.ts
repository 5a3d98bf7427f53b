import { expect, test } from 'vitest';
import type { CurrentVersion, ReadOutcome } from '../../contract/public-states.ts';
import type { UserStateKey } from '../../contract/user-states.ts';
import {
  absent,
  type CreateStoreHarness,
  ensureProject,
  newState,
  stateKey,
  unusualTexts,
  version,
  withStore,
  writeNext,
} from '../harness.ts';
import { byOperator } from '../records.fixture.ts';

const numbers = (found: readonly ReadOutcome<CurrentVersion>[]) =>
  found.map((each) => (each.kind === 'present' ? each.record.version : each.kind));
const recordIds = (found: readonly ReadOutcome<CurrentVersion>[]) =>
  found.map((each) => (each.kind === 'present' ? each.record.recordId : each.kind));

export function currentVersions(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);
  const key = stateKey();
  const userKey = (playerId: string, change: Partial<UserStateKey> = {}): UserStateKey => ({
    ...key,
    ...change,
    playerId,
  });
  const userState = { stateText: '{}', stateBytes: 2, writtenAt: 1 };
  const current = async () => numbers(await at.store.currentPublicVersions([key]))[0];

  test('of public state come in the order requested, across accounts', async () => {
    const elsewhere = stateKey({ accountId: 'acc_2', slug: 'q' });
    const staging = stateKey({ environment: 'staging' });
    await ensureProject(at.store, key);
    await ensureProject(at.store, elsewhere);
    for (let n = 1; n <= 3; n++) await writeNext(at.store, key);
    await writeNext(at.store, elsewhere);
    const keys = [elsewhere, stateKey({ slug: 'none' }), key, staging, stateKey({ accountId: 'acc_none' }), key];
    expect(numbers(await at.store.currentPublicVersions(keys))).toEqual([1, 'no_project', 3, 'absent', 'no_project', 3]);
    expect(await at.store.currentPublicVersions([])).toEqual([]);
  });

  test('of user state come in the order requested, across projects', async () => {
    const elsewhere = stateKey({ accountId: 'acc_2', slug: 'q' });
    await ensureProject(at.store, key);
    await ensureProject(at.store, elsewhere);
    for (const playerId of unusualTexts) await at.store.writeUserState(userKey(playerId), absent, userState);
    await at.store.writeUserState(userKey(unusualTexts[1] as string), version(1), userState);
    await at.store.writeUserState(userKey('ada', elsewhere), absent, userState);
    const keys = [
      userKey('ada', elsewhere),
      userKey('ada'),
      ...unusualTexts.map((id) => userKey(id)),
      userKey(unusualTexts[1] as string, { environment: 'staging' }),
      userKey('ada', { slug: 'none' }),
    ];
    const expected = [1, 'absent', ...unusualTexts.map((_, n) => (n === 1 ? 2 : 1)), 'absent', 'no_project'];
    expect(numbers(await at.store.currentUserVersions(keys))).toEqual(expected);
    expect(await at.store.currentUserVersions([])).toEqual([]);
  });

  test('include every acknowledged write of this process and of others', async () => {
    const beside = await at.openParallel();
    await ensureProject(at.store, key);
    for (let n = 1; n <= 20; n++) {
      await (n % 2 === 0 ? at.store : beside).writePublicState(key, n === 1 ? absent : version(n - 1), newState());
      expect(await current()).toBe(n);
      expect(numbers(await beside.currentPublicVersions([key]))).toEqual([n]);
    }
  });

  test('distinguish a record created after a deletion from the previous one', async () => {
    const keys = [userKey('ada'), userKey('bob')];
    await ensureProject(at.store, key);
    await writeNext(at.store, key);
    for (const each of keys) await at.store.writeUserState(each, absent, userState);
    const [before] = recordIds(await at.store.currentPublicVersions([key]));
    const [ada, bob] = recordIds(await at.store.currentUserVersions(keys));
    expect(ada).not.toBe(bob);
    await writeNext(at.store, key);
    for (const each of keys) await at.store.writeUserState(each, version(1), userState);
    expect(recordIds(await at.store.currentPublicVersions([key]))).toEqual([before]);
    expect(recordIds(await at.store.currentUserVersions(keys))).toEqual([ada, bob]);

    await at.store.deleteUserStates(byOperator, key, 'ada');
    expect(numbers(await at.store.currentUserVersions(keys))).toEqual(['absent', 2]);
    await at.store.writeUserState(userKey('ada'), absent, userState);
    const [again, same] = recordIds(await at.store.currentUserVersions(keys));
    expect(same).toBe(bob);
    expect([ada, bob]).not.toContain(again);

    await at.store.deleteProject(byOperator, key);
    expect(await current()).toBe('no_project');
    await ensureProject(at.store, key);
    expect(await current()).toBe('absent');
    await writeNext(at.store, key);
    expect(await current()).toBe(3);
    expect(recordIds(await at.store.currentPublicVersions([key]))).not.toEqual([before]);
  });

  test('of two thousand documents are found in one call', async () => {
    await ensureProject(at.store, key);
    await writeNext(at.store, key);
    const keys = Array.from({ length: 2_000 }, (_, n) => (n % 2 === 0 ? key : stateKey({ slug: `p${n}` })));
    const expected = keys.map((each) => (each === key ? 1 : 'no_project'));
    expect(numbers(await at.store.currentPublicVersions(keys))).toEqual(expected);
  });
}
