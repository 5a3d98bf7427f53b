import { expect } from 'vitest';
import type { RefreshFamily, RefreshTerms } from '../../contract/sign-ins.ts';
import { type CreateStoreHarness, casesOf, ensureProject, project, type Weight, withStore } from '../harness.ts';
import { byOperator } from '../records.fixture.ts';
import { codeOf, developerCodeOf, nextOf, signIn, tokenOf, userKey } from './sign-in-records.ts';

export function refreshFamilies(createHarness: CreateStoreHarness, weight: Weight = 'quick'): void {
  const { sized, test } = casesOf(weight);
  const at = withStore(createHarness);
  const place = userKey();
  const code = codeOf('user-1');
  const replayed = { kind: 'replayed' };
  const unknown = { kind: 'unknown' };

  /** The use of a secret, which another one replaces. */
  const use = (secret: string, next: string, now = 2_000, grace = 0, store = at.store) =>
    store.consumeRefreshToken(tokenOf('f', secret), nextOf(next), now, grace);
  async function begin(): Promise<RefreshFamily> {
    await ensureProject(at.store, place);
    return signIn(at.store, 'f', code);
  }

  test('each token is consumed once and replaced by the next one, across restarts', async () => {
    const family = await begin();
    for (let n = 0; n < 10; n++) {
      expect(await use(`f-${n}`, `f-${n + 1}`)).toEqual({
        kind: 'consumed',
        family: { ...family, idleExpiresAt: 200_000 },
      });
      if (n === 5) await at.reopen();
    }
    expect(await at.store.findRefreshFamily('f', 2_000)).toEqual({ ...family, idleExpiresAt: 200_000 });
  });

  test('an unknown family cannot be used or revoked', async () => {
    await begin();
    expect(await at.store.findRefreshFamily('other', 2_000)).toBeUndefined();
    const refresh = at.store.consumeRefreshToken(tokenOf('other', 'f-0'), nextOf('x'), 2_000, 0);
    expect(await refresh).toEqual(unknown);
    await expect(at.store.revokeRefreshFamily('other', 2_000)).resolves.toBe(false);
    expect((await use('f-0', 'f-1')).kind).toBe('consumed');
  });

  for (const secret of ['f-1', 'never issued']) {
    test(`a use of ${secret}, which is not current, revokes the family`, async () => {
      await begin();
      await use('f-0', 'f-1');
      await use('f-1', 'f-2');
      expect(await use(secret, 'x')).toEqual(replayed);
      expect(await at.store.findRefreshFamily('f', 2_000)).toBeUndefined();
      expect(await use('f-2', 'x')).toEqual(unknown);
      expect(await use(secret, 'x')).toEqual(unknown);
    });
  }

  test('parallel uses of several families each get their own outcome', async () => {
    await ensureProject(at.store, place);
    for (const family of ['f', 'g', 'h']) await signIn(at.store, family, code);
    const useOf = async (family: string, secret: string, terms: RefreshTerms = {}) => {
      const token = tokenOf(family, secret);
      const outcome = await at.store.consumeRefreshToken(token, nextOf(`${family}-1`), 2_000, 0, terms);
      return 'family' in outcome ? `${outcome.kind} ${outcome.family.familyId}` : outcome.kind;
    };
    const uses = [useOf('h', 'h-0', { scope: 'another' }), useOf('g', 'g-0'), useOf('f', 'wrong'), useOf('x', 'x-0')];
    expect(await Promise.all(uses)).toEqual(['mismatched h', 'consumed g', 'replayed', 'unknown']);
    expect(await Promise.all([useOf('g', 'g-1'), useOf('h', 'h-0')])).toEqual(['consumed g', 'consumed h']);
    expect(await at.store.findRefreshFamily('f', 2_000)).toBeUndefined();
  });

  test('the previous token is a replay within the grace period and does not revoke the family', async () => {
    await begin();
    await use('f-0', 'f-1', 2_000);
    for (const now of [2_000, 2_500, 3_000]) expect(await use('f-0', 'x', now, 1_000)).toEqual(replayed);
    expect(await at.store.findRefreshFamily('f', 3_000)).toBeDefined();
    expect((await use('f-1', 'f-2', 3_000, 1_000)).kind).toBe('consumed');
    expect(await use('f-1', 'x', 4_001, 1_000)).toEqual(replayed);
    expect(await use('f-2', 'x', 4_001, 1_000)).toEqual(unknown);
  });

  test('a use with the terms of another family changes nothing, whatever the token', async () => {
    const family = await begin();
    const mismatched = { kind: 'mismatched', family };
    const useFor = (terms: RefreshTerms, secret = 'f-0') =>
      at.store.consumeRefreshToken(tokenOf('f', secret), nextOf('x'), 2_000, 0, terms);
    for (const terms of [
      { accountId: 'acc_2' },
      { slug: 'q' },
      { environment: 'staging' },
      { clientId: 'svc-developer' },
      { subject: 'user-2' },
      { scope: 'env:staging' },
      { clientId: family.clientId, subject: 'USER-1' },
    ] as const satisfies RefreshTerms[]) {
      expect(await useFor(terms)).toEqual(mismatched);
      expect(await useFor(terms, 'never issued')).toEqual(mismatched);
    }
    const { accountId, slug, environment, clientId, subject, scope } = family;
    const all = { accountId, slug, environment, clientId, subject, scope } as RefreshTerms;
    expect((await useFor(all)).kind).toBe('consumed');
    expect(await useFor(all)).toEqual(replayed);
    expect(await useFor({ slug: 'q' })).toEqual(unknown);
  });

  test('the terms of a project do not match a developer family', async () => {
    await begin();
    const family = await signIn(at.store, 'd', developerCodeOf('dev'));
    const use = (terms: RefreshTerms) => at.store.consumeRefreshToken(tokenOf('d', 'd-0'), nextOf('x'), 2_000, 0, terms);
    expect(await use({ slug: 'p' })).toEqual({ kind: 'mismatched', family });
    expect(await use({ environment: 'development' })).toEqual({ kind: 'mismatched', family });
    expect((await use({ clientId: 'svc-developer', scope: 'developer' })).kind).toBe('consumed');
  });

  test('no use extends a family past its maximum lifetime', async () => {
    const family = await begin();
    const late = at.store.consumeRefreshToken(tokenOf('f', 'f-0'), nextOf('f-1', 2_000_000), 2_000, 0);
    expect(await late).toEqual({ kind: 'consumed', family: { ...family, idleExpiresAt: 1_000_000 } });
    expect(await at.store.findRefreshFamily('f', 2_000)).toEqual({ ...family, idleExpiresAt: 1_000_000 });
  });

  test('a token issued too long ago is unknown, even in a family with time left, and nothing changes', async () => {
    await begin();
    const useOfAge = (secret: string, next: string, issuedAfter: number) =>
      at.store.consumeRefreshToken(tokenOf('f', secret), { ...nextOf(next), issuedAfter }, 3_000, 0);
    expect(await useOfAge('f-0', 'x', 1_000)).toEqual(unknown); // when the family began
    expect((await useOfAge('f-0', 'f-1', 999)).kind).toBe('consumed');
    expect(await useOfAge('f-1', 'x', 3_000)).toEqual(unknown);
    expect((await useOfAge('f-1', 'f-2', 2_999)).kind).toBe('consumed');
  });

  test('the grace period applies only to the previous token', async () => {
    await begin();
    await use('f-0', 'f-1');
    await use('f-1', 'f-2');
    expect(await use('f-0', 'x', 2_000, 60_000)).toEqual(replayed);
    expect(await use('f-2', 'x', 2_000, 60_000)).toEqual(unknown);
  });

  test('a grace period of zero allows no reuse, even within the same millisecond', async () => {
    await begin();
    await use('f-0', 'f-1', 2_000, 0);
    expect(await use('f-0', 'x', 2_000, 0)).toEqual(replayed);
    expect(await use('f-1', 'x', 2_000, 0)).toEqual(unknown);
  });

  sized('of 100 parallel uses on two processes, exactly one succeeds', { quick: 2, heavy: 20 }, async (rounds) => {
    const beside = await at.openParallel();
    await begin();
    for (let round = 0; round < rounds; round++) {
      const current = `f-${round}`;
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, (_, i) =>
          use(current, `f-${round + 1}`, 2_000 + round, 1_000, i % 2 === 0 ? at.store : beside),
        ),
      );
      expect(outcomes.filter(({ kind }) => kind === 'consumed')).toHaveLength(1);
      expect(outcomes.filter(({ kind }) => kind === 'replayed')).toHaveLength(99);
    }
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => use(`f-${rounds}`, 'last', 3_000, 0)));
    expect(outcomes.filter(({ kind }) => kind === 'consumed')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'replayed')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'unknown')).toHaveLength(98);
    expect(await use('last', 'x')).toEqual(unknown);
  });

  sized('a refresh in parallel with a logout leaves no usable token', { quick: 6, heavy: 50 }, async (rounds) => {
    await ensureProject(at.store, place);
    const beside = await at.openParallel();
    for (let round = 0; round < rounds; round++) {
      const familyId = `f${round}`;
      await signIn(at.store, familyId, codeOf('user-1'));
      const token = tokenOf(familyId, `${familyId}-0`);
      const work = [
        () => at.store.consumeRefreshToken(token, nextOf('next'), 2_000, 0),
        () => beside.revokeRefreshFamily(familyId, 2_000),
      ];
      await Promise.all((round % 2 === 0 ? work : work.toReversed()).map((each) => each()));
      expect(await at.store.findRefreshFamily(familyId, 2_000)).toBeUndefined();
      const refresh = at.store.consumeRefreshToken(tokenOf(familyId, 'next'), nextOf('x'), 2_000, 0);
      expect(await refresh).toEqual(unknown);
    }
  });

  test('a family expires after too long without use, and at its maximum lifetime', async () => {
    await begin();
    expect(await at.store.findRefreshFamily('f', 100_999)).toBeDefined();
    expect(await at.store.findRefreshFamily('f', 101_000)).toBeUndefined();
    expect(await use('f-0', 'x', 101_000)).toEqual(unknown);
    const later = at.store.consumeRefreshToken(tokenOf('f', 'f-0'), nextOf('f-1', 5_000_000), 100_999, 0);
    expect((await later).kind).toBe('consumed');
    expect((await use('f-1', 'f-2', 101_000)).kind).toBe('consumed');
    await at.store.consumeRefreshToken(tokenOf('f', 'f-2'), nextOf('f-3', 5_000_000), 199_999, 0);
    expect(await at.store.findRefreshFamily('f', 999_999)).toBeDefined();
    expect(await at.store.findRefreshFamily('f', 1_000_000)).toBeUndefined();
    expect(await use('f-3', 'x', 1_000_000)).toEqual(unknown);
  });

  test('families in a deleted project or account are unknown, even if one of the same name is created', async () => {
    await begin();
    await signIn(at.store, 'developer', developerCodeOf('dev'));
    await at.store.deleteProject(byOperator, place);
    await at.store.createProject(byOperator, project());
    expect(await at.store.findRefreshFamily('f', 2_000)).toBeUndefined();
    expect(await use('f-0', 'x')).toEqual(unknown);
    expect(await at.store.findRefreshFamily('developer', 2_000)).toBeDefined();
    await signIn(at.store, 'second', code);
    await at.store.deleteAccount('acc_1');
    for (const familyId of ['second', 'developer']) {
      expect(await at.store.findRefreshFamily(familyId, 2_000)).toBeUndefined();
      const refresh = at.store.consumeRefreshToken(tokenOf(familyId, `${familyId}-0`), nextOf('x'), 2_000, 0);
      expect(await refresh).toEqual(unknown);
    }
  });
}
