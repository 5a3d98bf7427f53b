import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { DeletionScope } from '../../contract/players.ts';
import type {
  NewUserState,
  UserState,
  UserStateAuthor,
  UserStateKey,
  VersionRetention,
} from '../../contract/user-states.ts';
import type { Store } from '../../store.ts';
import { absent, type CreateStoreHarness, ensureProject, version, withStore } from '../harness.ts';
import { byOperator } from '../records.fixture.ts';
import { newUserState, userKey } from '../sign-in/sign-in-records.ts';

const everything: VersionRetention = { versionsMax: 1_000, keptAfter: 0 };
const long = 'x'.repeat(400);
const nthState = (n: number) => `{"gold":${n},"long":"${long}"}`;

export function userStateHistory(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);
  const key = userKey();

  const currentOf = async (of: UserStateKey = key, store: Store = at.store): Promise<UserState | undefined> => {
    const found = await store.readUserState(of);
    return found.kind === 'present' ? found.record : undefined;
  };
  /** Writes on top of the current version, as the service does. */
  const writeNext = async (text: string, change: Partial<NewUserState> = {}, of: UserStateKey = key, store = at.store) => {
    const before = await currentOf(of, store);
    const next = { ...newUserState(text), before, retention: everything, ...change };
    return store.writeUserState(of, before === undefined ? absent : version(before.version), next);
  };
  const writeMany = async (count: number, change: Partial<NewUserState> = {}, of: UserStateKey = key) => {
    const first = ((await currentOf(of))?.version ?? 0) + 1;
    for (let n = first; n < first + count; n++) {
      expect(await writeNext(nthState(n), { writtenAt: 1_000 * n, ...change }, of)).toEqual({
        kind: 'written',
        version: n,
      });
    }
  };
  const listed = async (retention = everything, of: UserStateKey = key, store: Store = at.store) => {
    const outcome = await store.listUserStateHistory(of, { before: null, itemsMax: 2_000, retention });
    return outcome.kind === 'history' ? outcome.items : [];
  };
  const numbers = async (retention = everything, of: UserStateKey = key) =>
    (await listed(retention, of)).map((item) => item.version);
  const textOf = async (number: number, retention = everything, of: UserStateKey = key) => {
    const found = await at.store.readUserStateVersion(of, number, retention);
    return found.kind === 'present' ? found.record.stateText : found.kind;
  };
  const usedBytes = async () => (await at.store.readUsage(key.accountId, 0))?.used.storageBytes;

  test('every version comes back with its time, size, author and comment, newest first', async () => {
    await ensureProject(at.store, key);
    const server: UserStateAuthor = { kind: 'service_account', id: 'sa_1', name: 'Game "server"' };
    await writeNext(nthState(1), { writtenAt: 1_000 });
    await writeNext(nthState(22), { writtenAt: 2_000, author: server, comment: 'gift \u0000 \ud800' });
    await writeNext(nthState(333), { writtenAt: 3_000 });
    await writeNext('{}', { writtenAt: 4_000, author: { kind: 'operator', id: 'operator' } });
    const items = [
      { version: 4, stateBytes: 2, comment: null, writtenAt: 4_000, author: { kind: 'operator', id: 'operator' } },
      { version: 3, stateBytes: 422, comment: null, writtenAt: 3_000, author: null },
      { version: 2, stateBytes: 421, comment: 'gift \u0000 \ud800', writtenAt: 2_000, author: server },
      { version: 1, stateBytes: 420, comment: null, writtenAt: 1_000, author: null },
    ];
    expect(await listed()).toEqual(items);
    await at.reopen();
    expect(await listed()).toEqual(items);
    expect([await textOf(1), await textOf(2), await textOf(3), await textOf(4)]).toEqual([
      nthState(1),
      nthState(22),
      nthState(333),
      '{}',
    ]);
    const second = { version: 2, stateText: nthState(22), stateBytes: 421, updatedAt: 2_000, author: server };
    expect(await at.store.readUserStateVersion(key, 2, everything)).toEqual({
      kind: 'present',
      record: { ...second, comment: 'gift \u0000 \ud800', continues: true },
    });
  });

  test('an unwritten or unknown version is absent', async () => {
    expect(await at.store.listUserStateHistory(key, { before: null, itemsMax: 9, retention: everything })).toEqual({
      kind: 'no_project',
    });
    expect(await at.store.readUserStateVersion(key, 1, everything)).toEqual({ kind: 'no_project' });
    expect(await at.store.listUserStateVersions(key, { before: null, charactersMax: 9, retention: everything })).toEqual({
      kind: 'no_project',
    });
    await ensureProject(at.store, key);
    expect(await listed()).toEqual([]);
    expect(await textOf(1)).toBe('absent');
    await writeMany(3);
    expect([await textOf(0), await textOf(4), await textOf(Number.MAX_SAFE_INTEGER)]).toEqual([
      'absent',
      'absent',
      'absent',
    ]);
  });

  test('a hundred versions can be read singly, in pages and in portions', async () => {
    await ensureProject(at.store, key);
    await writeMany(100);
    for (let n = 1; n <= 100; n++) expect(await textOf(n)).toBe(nthState(n));
    const pages: number[] = [];
    for (let before: number | null = null; ; ) {
      const page = await at.store.listUserStateHistory(key, { before, itemsMax: 7, retention: everything });
      if (page.kind !== 'history') throw new Error(page.kind);
      pages.push(...page.items.map((item) => item.version));
      if (!page.hasMore) break;
      before = page.items.at(-1)?.version ?? 0;
    }
    expect(pages).toEqual(Array.from({ length: 100 }, (_, n) => 100 - n));
    const texts: string[] = [];
    for (let before: number | null = null; ; ) {
      const portion = await at.store.listUserStateVersions(key, { before, charactersMax: 2_000, retention: everything });
      if (portion.kind !== 'versions' || portion.versions.length === 0) break;
      expect(portion.versions.length).toBeLessThan(6);
      texts.push(...portion.versions.map((each) => each.stateText));
      before = portion.versions.at(-1)?.version ?? 0;
    }
    expect(texts).toEqual(Array.from({ length: 100 }, (_, n) => nthState(100 - n)));
  });

  test('a short history contains no versions of neighbouring user states', async () => {
    await ensureProject(at.store, key);
    const neighbours = [userKey('before'), key, userKey('after')];
    for (const one of neighbours) {
      for (let n = 1; n <= 4; n++) await writeNext(`{"${one.playerId}":${n}}`, {}, one);
    }
    for (const one of neighbours) {
      expect(await numbers(everything, one)).toEqual([4, 3, 2, 1]);
      const portion = await at.store.listUserStateVersions(one, { before: 3, charactersMax: 1_000, retention: everything });
      expect(portion.kind === 'versions' && portion.versions.map((each) => each.stateText)).toEqual([
        `{"${one.playerId}":2}`,
        `{"${one.playerId}":1}`,
      ]);
    }
  });

  test('versions over the limits are hidden; a later write deletes those over the number, a sweep those over the age', async () => {
    await ensureProject(at.store, key);
    await writeMany(10);
    expect(await numbers({ versionsMax: 3, keptAfter: 0 })).toEqual([10, 9, 8, 7]);
    expect(await textOf(6, { versionsMax: 3, keptAfter: 0 })).toBe('absent');
    expect(await textOf(7, { versionsMax: 3, keptAfter: 0 })).toBe(nthState(7));
    // Version 7 was replaced at 8,000.
    expect(await numbers({ versionsMax: 100, keptAfter: 7_999 })).toEqual([10, 9, 8, 7]);
    expect(await numbers({ versionsMax: 100, keptAfter: 8_000 })).toEqual([10, 9, 8]);
    expect(await textOf(7, { versionsMax: 100, keptAfter: 8_000 })).toBe('absent');
    expect(await numbers()).toHaveLength(10);
    await writeMany(6, { retention: { versionsMax: 3, keptAfter: 0 } });
    expect(await numbers()).toEqual([16, 15, 14, 13]);
    const retention = { versionsMax: 100, keptAfter: 30_000 };
    await writeMany(16, { retention });
    expect(await numbers()).toHaveLength(20);
    const { userStates } = await at.store.listKeptUserStates(null);
    expect(await at.store.dropUserStateVersions(userStates.map((each) => ({ userState: each, retention })))).toBe(17);
    expect(await numbers()).toEqual([32, 31, 30]);
    for (const n of [30, 31, 32]) expect(await textOf(n)).toBe(nthState(n));
  });

  test('a write that keeps no versions deletes the old ones and begins a new history', async () => {
    await ensureProject(at.store, key);
    await writeMany(5);
    await writeNext(nthState(6), { retention: { versionsMax: 0, keptAfter: 0 } });
    expect(await numbers()).toEqual([6]);
    expect(await usedBytes()).toBe(nthState(6).length);
    await writeMany(2);
    expect(await numbers()).toEqual([8, 7, 6]);
    expect([await textOf(6), await textOf(5)]).toEqual([nthState(6), 'absent']);
    await at.store.writeUserState(key, version(8), newUserState(nthState(9)));
    expect(await numbers()).toEqual([9]);
  });

  test('conflicts and repeats add no versions', async () => {
    await ensureProject(at.store, key);
    await writeMany(3);
    const before = await currentOf();
    const used = await usedBytes();
    const stale = { ...newUserState('{}'), before, retention: everything };
    expect(await at.store.writeUserState(key, version(2), stale)).toEqual({ kind: 'conflict', currentVersion: 3 });
    expect(await at.store.writeUserState(key, absent, stale)).toEqual({ kind: 'conflict', currentVersion: 3 });
    const repeat = { scope: 's', key: new Uint8Array(16).fill(1), request: new Uint8Array(16).fill(2) };
    expect(await writeNext(nthState(4), { repeat })).toEqual({ kind: 'written', version: 4 });
    expect(await writeNext(nthState(4), { repeat })).toEqual({ kind: 'repeated', version: 4, isSame: true });
    expect(await numbers()).toEqual([4, 3, 2, 1]);
    expect(await usedBytes()).toBeGreaterThan(used as number);
  });

  test('stored versions count towards the account until the player is deleted', async () => {
    await ensureProject(at.store, key);
    await writeNext(nthState(1));
    expect(await usedBytes()).toBe(nthState(1).length);
    await writeNext(nthState(2));
    const [state, edits] = [nthState(2).length, '8,1,1:1'.length];
    expect(await usedBytes()).toBe(state + edits);
    await writeNext('{}', { author: { kind: 'developer', id: 'ada' }, comment: 'why' });
    expect(await usedBytes()).toBe(2 + edits + nthState(2).length);
    await writeNext('{"a":1}');
    const noted = JSON.stringify({ kind: 'developer', id: 'ada' }).length + JSON.stringify('why').length;
    expect(await usedBytes()).toBe(7 + edits + nthState(2).length + 2 + noted);
    expect(await at.store.deleteUserStates(byOperator, key, key.playerId)).toBe('deleted');
    expect(await usedBytes()).toBe(0);
    expect(await listed()).toEqual([]);
    await writeNext('{"b":1}');
    expect(await numbers()).toEqual([5]);
    expect(await textOf(4)).toBe('absent');
  });

  test('a long history is shortened from its oldest version until one slice remains', async () => {
    await ensureProject(at.store, key);
    const { accountId, slug } = key;
    const shorten = (of: Partial<DeletionScope> = {}) =>
      at.store.shortenHistories({ accountId, slug, environment: null, ...of }, key.playerId);
    const large = Array.from({ length: 12 }, () => `{"t":"${randomBytes(120_000).toString('hex')}"}`);
    for (const [index, text] of large.entries()) await writeNext(text, { writtenAt: 1_000 * (index + 1) });
    expect(await numbers()).toHaveLength(12);
    const used = (await usedBytes()) as number;
    expect([await shorten({ environment: 'staging' }), await shorten({ slug: 'none' })]).toEqual([0, 0]);
    expect(await shorten({ environment: key.environment })).toBe(8);
    expect(await numbers()).toEqual([12, 11, 10, 9]);
    expect(await usedBytes()).toBe(used - 8 * 240_008);
    expect(await textOf(9)).toBe(large[8]);
    expect(await shorten()).toBe(0);
    expect(await at.store.deleteUserStates(byOperator, key, key.playerId)).toBe('deleted');
    expect(await usedBytes()).toBe(0);
  });

  test('each player and environment has a separate history', async () => {
    const keys = [key, userKey('user-2'), userKey('user-1', { environment: 'staging' }), userKey('user-1', { slug: 'q' })];
    for (const each of keys) await ensureProject(at.store, each);
    for (const [index, each] of keys.entries()) await writeMany(index + 1, {}, each);
    for (const [index, each] of keys.entries()) expect(await numbers(everything, each)).toHaveLength(index + 1);
    await at.store.deleteUserStates(byOperator, keys[0] as UserStateKey, 'user-1');
    expect(await numbers(everything, keys[2])).toEqual([]);
    expect(await numbers(everything, keys[1])).toEqual([2, 1]);
    expect(await numbers(everything, keys[3])).toEqual([4, 3, 2, 1]);
  });

  test('the sweep finds and deletes old versions of user states no longer written', async () => {
    await ensureProject(at.store, key);
    for (let user = 0; user < 5; user++) await writeMany(user + 1, {}, userKey(`user-${user}`));
    const userStates = [];
    for (let after: string | null = null; ; ) {
      const found = await at.store.listKeptUserStates(after);
      userStates.push(...found.userStates);
      if (found.next === null) break;
      after = found.next;
    }
    expect(userStates.map((each) => each.key?.playerId).sort()).toEqual(['user-1', 'user-2', 'user-3', 'user-4']);
    expect(userStates.find((each) => each.key?.playerId === 'user-3')).toMatchObject({
      key: userKey('user-3'),
      currentVersion: 4,
      oldestVersion: 1,
      oldestReplacedAt: 2_000,
    });
    const retention = { versionsMax: 2, keptAfter: 0 };
    expect(await at.store.dropUserStateVersions(userStates.map((each) => ({ userState: each, retention })))).toBe(3);
    expect(await numbers(everything, userKey('user-4'))).toEqual([5, 4, 3]);
    expect(await at.store.dropUserStateVersions(userStates.map((each) => ({ userState: each, retention: null })))).toBe(7);
    expect(await numbers(everything, userKey('user-4'))).toEqual([5]);
    const states = Array.from({ length: 5 }, (_, user) => nthState(user + 1).length);
    expect(await usedBytes()).toBe(states.reduce((sum, each) => sum + each));
  });
}

/** With so little room that a few user states fill it. */
export function fullUserStateHistory(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness, { apiRequests: 0, projects: 0, endUsers: 0, storageBytes: 1_000 });
  const key = userKey();
  const writeOn = async (text: string) => {
    const found = await at.store.readUserState(key);
    const before = found.kind === 'present' ? found.record : undefined;
    const next = { ...newUserState(text), before, retention: everything };
    return at.store.writeUserState(key, before === undefined ? absent : version(before.version), next);
  };
  const state = async () => {
    const outcome = await at.store.listUserStateHistory(key, { before: null, itemsMax: 99, retention: everything });
    const versions = outcome.kind === 'history' ? outcome.items.map((item) => item.version) : [];
    return { versions, used: (await at.store.readUsage(key.accountId, 0))?.used.storageBytes };
  };

  describe('where versions find no room', () => {
    test('without room a longer user state is refused, and a shorter one is written without its versions', async () => {
      await ensureProject(at.store, key);
      await writeOn(`{"a":"${'1'.repeat(392)}"}`);
      expect(await writeOn(`{"a":"${'2'.repeat(392)}"}`)).toEqual({ kind: 'written', version: 2 });
      expect(await state()).toEqual({ versions: [2, 1], used: 800 });
      expect(await writeOn(`{"a":"${'3'.repeat(393)}"}`)).toMatchObject({ kind: 'quota', quota: 'storageBytes' });
      expect(await state()).toEqual({ versions: [2, 1], used: 800 });
      expect(await writeOn(`{"a":"${'3'.repeat(391)}"}`)).toEqual({ kind: 'written', version: 3 });
      expect(await state()).toEqual({ versions: [3], used: 399 });
      expect(await writeOn('{}')).toEqual({ kind: 'written', version: 4 });
      expect(await state()).toEqual({ versions: [4, 3], used: 401 });
    });
  });
}
