import { expect } from 'vitest';
import type { PublicStateKey } from '../../contract/public-states.ts';
import type { Quotas } from '../../contract/usage.ts';
import {
  absent,
  account,
  type CreateStoreHarness,
  casesOf,
  ensureProject,
  newState,
  project,
  stateKey,
  version,
  type Weight,
  withStore,
  writeNext,
} from '../harness.ts';
import { byOperator } from '../records.fixture.ts';
import { newUserState } from '../sign-in/sign-in-records.ts';

const october = Date.UTC(2026, 9);
const november = Date.UTC(2026, 10);

export function usage(createHarness: CreateStoreHarness, weight: Weight = 'quick'): void {
  const { sized, test } = casesOf(weight);
  const at = withStore(createHarness);
  const key = stateKey();
  const used = async (accountId = 'acc_1', month = november): Promise<Quotas<number> | undefined> =>
    (await at.store.readUsage(accountId, month))?.used;
  const writeUser = async (place: PublicStateKey, playerId: string, stateText: string) => {
    const current = await at.store.readUserState({ ...place, playerId });
    const expected = current.kind === 'present' ? version(current.record.version) : absent;
    return at.store.writeUserState({ ...place, playerId }, expected, newUserState(stateText));
  };
  const expectUsed = async (projects: number, endUsers: number, storageBytes: number, accountId?: string) =>
    expect(await used(accountId)).toEqual({ apiRequests: 0, projects, endUsers, storageBytes });

  test('a missing account has no usage, and a new one has used nothing', async () => {
    expect(await used()).toBeUndefined();
    await at.store.createAccount(account());
    await expectUsed(0, 0, 0);
    await at.store.createDeveloper('https://idp.example', 'dev', account('acc_2'));
    await expectUsed(0, 0, 0, 'acc_2');
  });

  test('every version of public state counts with its bytes, and a failed write does not', async () => {
    await ensureProject(at.store, key);
    await expectUsed(1, 0, 0);
    await writeNext(at.store, key, '{"a":"é"}'); // 10 bytes
    await writeNext(at.store, key, '{}');
    await writeNext(at.store, stateKey({ environment: 'staging' }), '{"a":1}'); // 7 bytes
    await expectUsed(1, 0, 19);
    expect((await at.store.writePublicState(key, version(1), newState())).kind).toBe('conflict');
    expect(await at.store.createProject(byOperator, project())).toBe('already_exists');
    await expectUsed(1, 0, 19);
    await at.reopen();
    await expectUsed(1, 0, 19);
    await writeNext(at.store, key, '{}');
    await expectUsed(1, 0, 21);
  });

  test('comments count with their stored bytes, even in parallel writes', async () => {
    await ensureProject(at.store, key);
    expect((await at.store.writePublicState(key, absent, newState('{}', 'é'))).kind).toBe('written'); // 2 and "é", 4 bytes
    await expectUsed(1, 0, 6);
    expect((await at.store.writePublicState(key, version(1), newState('{}', ''))).kind).toBe('written');
    await expectUsed(1, 0, 10);
    const surrogates = '\ud800'.repeat(1_000); // each is stored in 6 bytes
    expect((await at.store.writePublicState(key, version(2), newState('{}', surrogates))).kind).toBe('written');
    await expectUsed(1, 0, 6_014);
    const places = (['staging', 'development'] as const).map((environment) => stateKey({ environment }));
    await Promise.all(places.map((place) => at.store.writePublicState(place, absent, newState('{}', 'ab'))));
    await expectUsed(1, 0, 6_026);
    await at.reopen();
    await expectUsed(1, 0, 6_026);
    await at.store.deleteProject(byOperator, key);
    await expectUsed(0, 0, 0);
  });

  test('of user state only the current bytes count; a player counts once in each project', async () => {
    await ensureProject(at.store, key);
    await ensureProject(at.store, stateKey({ slug: 'q' }));
    await writeUser(key, 'u', '{"a":1}');
    await writeUser(stateKey({ environment: 'staging' }), 'u', '{}');
    await expectUsed(2, 1, 9);
    await writeUser(key, 'u', '{}');
    await expectUsed(2, 1, 4);
    await writeUser(stateKey({ slug: 'q' }), 'u', '{}');
    await writeUser(key, 'v', '{}');
    await expectUsed(2, 3, 8);
    await at.reopen();
    await expectUsed(2, 3, 8);
  });

  test('a deleted player stops counting as soon as the deletion is acknowledged', async () => {
    await ensureProject(at.store, key);
    for (const environment of ['development', 'staging', 'production'] as const) {
      await writeUser(stateKey({ environment }), 'u', '{"a":1}');
    }
    await writeUser(key, 'v', '{}');
    await expectUsed(1, 2, 23);
    await at.store.deleteUserStates(byOperator, key, 'u');
    await expectUsed(1, 1, 2);
    expect(await at.store.deleteUserStates(byOperator, key, 'u')).toBe('absent');
    await expectUsed(1, 1, 2);
    await writeUser(key, 'u', '{}');
    await expectUsed(1, 2, 4);
  });

  sized(
    'a deleted project stops counting, and starts from zero when created again',
    { quick: 5, heavy: 70 },
    async (count) => {
      await ensureProject(at.store, key);
      await ensureProject(at.store, stateKey({ slug: 'q' }));
      for (const slug of ['p', 'q']) {
        for (let n = 0; n < count; n++) await writeNext(at.store, stateKey({ slug }), '{}');
        await writeUser(stateKey({ slug }), 'u', '{}');
      }
      const bytes = 2 * count + 2;
      await expectUsed(2, 2, 2 * bytes);
      await at.store.deleteProject(byOperator, key);
      await expectUsed(1, 1, bytes);
      await at.store.createProject(byOperator, project());
      await expectUsed(2, 1, bytes);
      await writeNext(at.store, key, '{}');
      await writeUser(key, 'u', '{}');
      await expectUsed(2, 2, bytes + 4);
      await at.store.deleteProject(byOperator, key);
      await expectUsed(1, 1, bytes);
    },
  );

  test('a deleted account has no usage, and one of the same name starts from zero', async () => {
    await ensureProject(at.store, key);
    await writeNext(at.store, key);
    await at.store.writeOwnLimits(byOperator, 'acc_1', { projects: 1 });
    await at.store.deleteAccount('acc_1');
    expect(await used()).toBeUndefined();
    await ensureProject(at.store, key);
    await expectUsed(1, 0, 0);
    expect((await at.store.readUsage('acc_1', november))?.limits.projects).toBe(0);
  });

  sized('parallel changes of every kind count the same as changes in sequence', { quick: 8, heavy: 40 }, async (count) => {
    await ensureProject(at.store, key);
    await ensureProject(at.store, stateKey({ accountId: 'acc_2' }));
    const changes: Promise<unknown>[] = [];
    /** Creates a project, writes to it, and deletes or keeps it. */
    const changeProject = async (slug: string, goes: boolean) => {
      await at.store.createProject(byOperator, project(slug));
      await at.store.writePublicState(stateKey({ slug }), absent, newState('{"a":1}'));
      if (goes) await at.store.deleteProject(byOperator, stateKey({ slug }));
    };
    for (let i = 0; i < count; i++) {
      const playerId = `u${i}`;
      changes.push(changeProject(`q${i}`, i % 4 === 0));
      changes.push(at.store.writeUserState({ ...key, playerId }, absent, newUserState('{"a":1}')));
      if (i % 2 === 0) changes.push(at.store.deleteUserStates(byOperator, key, playerId));
      changes.push(at.store.writePublicState(stateKey({ accountId: 'acc_2' }), i === 0 ? absent : version(i), newState()));
    }
    await Promise.all(changes);
    const [kept, players] = [(count / 4) * 3, count / 2];
    await expectUsed(kept + 1, players, (kept + players) * 7);
    await expectUsed(1, 0, 2 * count, 'acc_2');
  });

  test('writes by another process count', async () => {
    const beside = await at.openParallel();
    await ensureProject(at.store, key);
    for (let n = 0; n < 6; n += 2) {
      await at.store.writePublicState(key, n === 0 ? absent : version(n), newState());
      await beside.writePublicState(key, version(n + 1), newState());
    }
    await expectUsed(1, 0, 12);
  });

  test('requests from several processes add up and are returned in order', async () => {
    const beside = await at.openParallel();
    for (const accountId of ['acc_1', 'acc_2']) await at.store.createAccount(account(accountId));
    const count = (accountId: string, requests: number) => ({ accountId, requests });
    expect(await at.store.addApiRequests(november, [count('acc_2', 3), count('acc_none', 1), count('acc_1', 5)])).toEqual([
      { total: 3, limit: 0 },
      undefined,
      { total: 5, limit: 0 },
    ]);
    expect(await beside.addApiRequests(november, [count('acc_1', 2)])).toEqual([{ total: 7, limit: 0 }]);
    expect(await at.store.addApiRequests(november, [])).toEqual([]);
    const parallel = Array.from({ length: 20 }, (_, i) =>
      (i % 2 === 0 ? at.store : beside).addApiRequests(november, [count('acc_1', 1)]),
    );
    const totals = (await Promise.all(parallel)).map(([counted]) => counted?.total as number);
    expect(totals.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 8));
    await at.reopen();
    expect((await used())?.apiRequests).toBe(27);
  });

  test('each day, even the first of a month, is counted separately from its month', async () => {
    for (const accountId of ['acc_1', 'acc_2']) await at.store.createAccount(account(accountId));
    const day = 86_400_000;
    const add = (requests: number, dayStartsAt: number, accountId = 'acc_1') =>
      at.store.addApiRequests(november, [{ accountId, requests }], dayStartsAt);
    await add(2, november);
    await add(3, november + 2 * day);
    await add(7, november + 2 * day, 'acc_2');
    expect(await add(4, november + 2 * day)).toEqual([{ total: 9, limit: 0 }]);
    await at.store.addApiRequests(october, [{ accountId: 'acc_1', requests: 5 }], november - day);
    await at.store.addApiRequests(october, [{ accountId: 'acc_1', requests: 1 }]);
    const days = async (since: number, accountId = 'acc_1') =>
      (await at.store.readDailyRequests(accountId, since)).map(({ dayStartsAt, requests }) => [
        (dayStartsAt - november) / day,
        requests,
      ]);
    expect(await days(0)).toEqual([
      [-1, 5],
      [0, 2],
      [2, 7],
    ]);
    expect(await days(november)).toEqual([
      [0, 2],
      [2, 7],
    ]);
    expect(await days(november + 3 * day)).toEqual([]);
    expect(await days(0, 'acc_2')).toEqual([[2, 7]]);
    expect(await days(0, 'acc_none')).toEqual([]);
    expect([(await used('acc_1', october))?.apiRequests, (await used())?.apiRequests]).toEqual([6, 9]);
    await at.store.deleteAccount('acc_1');
    await at.store.createAccount(account());
    expect(await days(0)).toEqual([]);
  });

  const many = { quick: 20, heavy: 300 };
  sized('old months and days are kept until a sweep, which continues from account to account', many, async (count) => {
    const ids = Array.from({ length: count }, (_, n) => `acc_${n + 100}`);
    for (const accountId of ids) await at.store.createAccount(account(accountId));
    const add = (month: number) =>
      at.store.addApiRequests(
        month,
        ids.map((accountId) => ({ accountId, requests: 1 })),
      );
    await add(october);
    await add(november + 400 * 86_400_000);
    const left = async () => (await Promise.all(ids.map((id) => used(id, october)))).filter((each) => each?.apiRequests);
    expect(await left()).toHaveLength(count);
    const next = await at.store.sweepApiRequests(null, november);
    expect(next).toBe(ids[249] ?? null);
    expect(await left()).toHaveLength(Math.max(0, count - 250));
    expect(await at.store.sweepApiRequests(next, november)).toBeNull();
    expect(await left()).toEqual([]);
    expect((await used('acc_100', november + 400 * 86_400_000))?.apiRequests).toBe(1);
  });

  test('requests with public credentials are also counted separately, across processes', async () => {
    const beside = await at.openParallel();
    for (const accountId of ['acc_1', 'acc_2']) await at.store.createAccount(account(accountId));
    const day = november + 86_400_000;
    const count = (accountId: string, requests: number, publicRequests: number) => ({
      accountId,
      requests,
      publicRequests,
    });
    expect(await at.store.addApiRequests(november, [count('acc_1', 5, 2), count('acc_2', 4, 0)], day)).toEqual([
      { total: 5, publicTotal: 2, limit: 0 },
      { total: 4, publicTotal: undefined, limit: 0 },
    ]);
    expect(await beside.addApiRequests(november, [count('acc_1', 3, 3), count('acc_2', 1, 1)], day)).toEqual([
      { total: 8, publicTotal: 5, limit: 0 },
      { total: 5, publicTotal: 1, limit: 0 },
    ]);
    await at.store.addApiRequests(october, [count('acc_1', 1, 1)]);
    const parts = async (month: number) => {
      const usage = await at.store.readUsage('acc_1', month);
      return [usage?.used.apiRequests, usage?.publicApiRequests];
    };
    expect([await parts(november), await parts(october)]).toEqual([
      [8, 5],
      [1, 1],
    ]);
    expect(await at.store.readDailyRequests('acc_1', 0)).toEqual([{ dayStartsAt: day, requests: 8 }]);
    await at.store.deleteAccount('acc_1');
    await at.store.createAccount(account());
    expect(await parts(november)).toEqual([0, 0]);
  });

  test('each month is counted separately, in any order', async () => {
    await at.store.createAccount(account());
    const count = (requests: number) => [{ accountId: 'acc_1', requests }];
    await at.store.addApiRequests(october, count(9));
    expect([(await used('acc_1', october))?.apiRequests, (await used())?.apiRequests]).toEqual([9, 0]);
    expect(await at.store.addApiRequests(november, count(2))).toEqual([{ total: 2, limit: 0 }]);
    expect(await at.store.addApiRequests(october, count(4))).toEqual([{ total: 13, limit: 0 }]);
    expect([(await used('acc_1', october))?.apiRequests, (await used())?.apiRequests]).toEqual([13, 2]);
    await at.store.deleteAccount('acc_1');
    await at.store.createAccount(account());
    expect((await used())?.apiRequests).toBe(0);
  });
}
