import { expect } from 'vitest';
import { StoreUnavailable } from '../../store.ts';
import {
  absent,
  account,
  type CreateStoreHarness,
  casesOf,
  ensureProject,
  hashOf,
  type Weight,
  withStore,
} from '../harness.ts';
import { byOperator } from '../records.fixture.ts';
import { codeOf, familyOf, newUserState, nextOf, signIn, tokenOf, userKey } from './sign-in-records.ts';

export function signInSweeps(createHarness: CreateStoreHarness, weight: Weight = 'quick'): void {
  const { sized, test } = casesOf(weight);
  const at = withStore(createHarness);
  const place = userKey();
  const code = codeOf('user-1');

  /** Sweeps until nothing is deleted any more. Returns the numbers of deletions. */
  async function sweep(now: number): Promise<number[]> {
    for (const went: number[] = []; ; ) {
      const count = await at.store.sweepExpiredSignIns(now);
      if (count === 0) return went;
      went.push(count);
    }
  }
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

  test('a sweep deletes nothing that can still be used', async () => {
    expect(await sweep(1e12)).toEqual([]);
    await ensureProject(at.store, place);
    await at.store.addAuthorizationCode(hashOf('c'), code);
    await signIn(at.store, 'f', code);
    expect(await sweep(59_999)).toEqual([]);
    expect(await at.store.findAuthorizationCode(hashOf('c'), 59_999)).toBeDefined();
    await at.store.consumeRefreshToken(tokenOf('f', 'f-0'), nextOf('f-1', 200_000), 100_000, 0);
    expect(await sweep(199_999)).toEqual([1]);
    expect(await at.store.findRefreshFamily('f', 199_999)).toBeDefined();
    const refresh = at.store.consumeRefreshToken(tokenOf('f', 'f-1'), nextOf('f-2', 300_000), 199_999, 0);
    expect((await refresh).kind).toBe('consumed');
    expect(await sweep(299_999)).toEqual([]);
    expect(sum(await sweep(300_000))).toBe(1);
  });

  test('revoked families are deleted once their code has expired', async () => {
    await ensureProject(at.store, place);
    await signIn(at.store, 'f', code);
    await at.store.revokeRefreshFamily('f', 2_000);
    expect(await sweep(59_999)).toEqual([]);
    expect(await at.store.redeemAuthorizationCode(hashOf('code-f'), familyOf('g', code), hashOf('s'), 59_999)).toBe(
      'replayed',
    );
    expect(sum(await sweep(60_000))).toBe(1);
  });

  test('each sweep deletes a limited number, and repeated sweeps delete everything expired', async () => {
    await ensureProject(at.store, place);
    const names = Array.from({ length: 1_200 }, (_, i) => `code ${i} `);
    const hashes = names.map((name) => Uint8Array.from(Buffer.from(name.padEnd(32, '.'))));
    await Promise.all(hashes.map((hash) => at.store.addAuthorizationCode(hash, code)));
    const went = await sweep(60_000);
    expect(sum(went)).toBe(1_200);
    expect(Math.max(...went)).toBeLessThanOrEqual(1_000);
  });

  sized('a sweep finds expired families among many valid ones', { quick: 20, heavy: 600 }, async (count) => {
    await ensureProject(at.store, place);
    for (let i = 0; i < count; i++) await signIn(at.store, `f${i} `, code);
    await Promise.all(
      Array.from({ length: count - 1 }, (_, i) =>
        at.store.consumeRefreshToken(tokenOf(`f${i} `, `f${i} -0`), nextOf('x', 900_000), 100_000, 0),
      ),
    );
    expect(sum(await sweep(101_000))).toBe(1);
    expect(await at.store.findRefreshFamily('f0 ', 101_000)).toBeDefined();
  });

  test('a closed store rejects every call for user state and sign-in', async () => {
    await ensureProject(at.store, place);
    await at.store.writeUserState(place, absent, newUserState());
    await at.store.readUserState(place);
    await at.store.readPlayerAuth(place);
    const { store } = at;
    await store.close();
    const calls: readonly (() => unknown)[] = [
      () => store.readUserState(place),
      () => store.writeUserState(place, absent, newUserState()),
      () => store.listUserStates(place, { after: null, itemsMax: 1 }),
      () => store.deleteUserStates(byOperator, place, 'user-1'),
      () => store.readPlayerAuth(place),
      () => store.writePlayerAuth(byOperator, place, '{}'),
      () => store.findDeveloper('i', 's'),
      () => store.createDeveloper('i', 's', account('acc_2')),
      () => store.addAuthorizationCode(hashOf('c'), code),
      () => store.findAuthorizationCode(hashOf('c'), 1),
      () => store.redeemAuthorizationCode(hashOf('c'), familyOf('f', code), hashOf('s'), 1),
      () => store.findRefreshFamily('f', 1),
      () => store.consumeRefreshToken(tokenOf('f', 's'), nextOf('t'), 1, 0),
      () => store.revokeRefreshFamily('f', 2_000),
      () => store.sweepExpiredSignIns(1),
    ];
    for (const call of calls) await expect((async () => call())(), String(call)).rejects.toBeInstanceOf(StoreUnavailable);
  });
}
