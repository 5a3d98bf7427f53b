/** Races of two nodes over sign-ins, at any size. */
import { expect } from 'vitest';
import type { Store } from '../../store.ts';
import { ensureProject, hashOf } from '../../store-suite/harness.ts';
import { codeOf, familyOf, nextOf, signIn, tokenOf, userKey } from '../../store-suite/sign-in/sign-in-records.ts';
import type { TwoNodes } from '../fixtures/two-nodes.fixture.ts';

const place = userKey();
const code = codeOf('user-1');

/** Uses one refresh token this often in parallel, at least three times. */
export async function refreshInParallel(at: TwoNodes, uses: number): Promise<void> {
  await ensureProject(at.store, place);
  await signIn(at.store, 'f', code);
  const outcomes = await Promise.all(
    Array.from({ length: uses }, (_, i) =>
      (i % 2 === 0 ? at.store : at.beside).consumeRefreshToken(tokenOf('f', 'f-0'), nextOf(`next ${i}`), 2_000, 0),
    ),
  );
  const countOf = (wanted: string) => outcomes.filter(({ kind }) => kind === wanted).length;
  expect(['consumed', 'replayed', 'unknown'].map(countOf)).toEqual([1, 1, uses - 2]);
  expect(await at.store.findRefreshFamily('f', 2_000)).toBeUndefined();
}

/** Refreshes a token on one node while its code is redeemed again on the other, in each round. */
export async function repeatDuringRefresh(at: TwoNodes, rounds: number): Promise<void> {
  await ensureProject(at.store, place);
  for (let round = 0; round < rounds; round++) {
    await signIn(at.store, `f${round} `, code);
    const work = [
      () => at.store.consumeRefreshToken(tokenOf(`f${round} `, `f${round} -0`), nextOf('next'), 2_000, 0),
      () => at.beside.redeemAuthorizationCode(hashOf(`code-f${round} `), familyOf('g', code), hashOf('s'), 2_000),
    ];
    await Promise.all((round % 2 === 0 ? work : work.toReversed()).map((each) => each()));
    const refresh = at.store.consumeRefreshToken(tokenOf(`f${round} `, 'next'), nextOf('x'), 2_000, 0);
    expect(await refresh).toEqual({ kind: 'unknown' });
  }
}

/** Sweeps this many families, and as many unspent codes, on both nodes at the same time. */
export async function sweepOnTwoNodes(at: TwoNodes, count: number): Promise<void> {
  await ensureProject(at.store, place);
  for (let i = 0; i < count; i++) await signIn(at.store, `f${i} `, code);
  const hashes = Array.from({ length: count }, (_, i) => Uint8Array.from(Buffer.from(`unspent ${i}`.padEnd(32, '.'))));
  await Promise.all(hashes.map((hash) => at.store.addAuthorizationCode(hash, code)));
  const sweep = async (store: Store) => {
    for (let sum = 0; ; ) {
      const went = await store.sweepExpiredSignIns(200_000);
      if (went === 0) return sum;
      sum += went;
    }
  };
  const sums = await Promise.all([sweep(at.store), sweep(at.beside)]);
  expect(sums[0] + sums[1]).toBe(2 * count);
  expect(await at.count('authorization_codes')).toBe(0);
  expect(await at.count('refresh_families')).toBe(0);
}
