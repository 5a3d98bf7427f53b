import { describe, expect, test } from 'vitest';
import { StoreFault } from '../../store.ts';
import { account, ensureProject, hashOf } from '../../store-suite/harness.ts';
import { codeOf, familyOf, nextOf, signIn, tokenOf, userKey } from '../../store-suite/sign-in/sign-in-records.ts';
import type { Dependencies } from '../dependencies.ts';
import { begin, untilWaiting } from '../fixtures/begun.fixture.ts';
import { withTwoNodes } from '../fixtures/two-nodes.fixture.ts';
import { createSharedVerbs } from '../shared-verbs.ts';
import { createRefreshFamilies } from './refresh-families.ts';
import { refreshInParallel, repeatDuringRefresh, sweepOnTwoNodes } from './sign-in-races.fixture.ts';

const at = withTwoNodes();
const place = userKey();
const code = codeOf('user-1');
const issuer = 'https://issuer.example';

const refreshes = (parts: Omit<Dependencies, 'writes'>) =>
  createRefreshFamilies(parts, createSharedVerbs(parts).revokeRefreshFamily);

describe('refreshes', () => {
  test('of 20 parallel uses on two nodes one succeeds, the next revokes, and the others find nothing', () =>
    refreshInParallel(at, 20));

  test('one that waits for another sees the token as the other left it', async () => {
    await ensureProject(at.store, place);
    await signIn(at.store, 'f', code);
    const first = await begin(at.database, (parts) =>
      refreshes(parts).consumeRefreshToken(tokenOf('f', 'f-0'), nextOf('f-1'), 2_000, 0),
    );
    expect(first.result.kind).toBe('consumed');
    const [graced, replayed] = [1_000, 0].map((grace) =>
      at.beside.consumeRefreshToken(tokenOf('f', 'f-0'), nextOf('x'), 2_000, grace),
    );
    await untilWaiting(at.database);
    await first.commit();
    expect(await graced).toEqual({ kind: expect.stringMatching('replayed|unknown') });
    expect(await replayed).toEqual({ kind: 'replayed' });
    expect(await at.store.findRefreshFamily('f', 2_000)).toBeUndefined();
  });

  test('one that waits within the grace period leaves the family alive', async () => {
    await ensureProject(at.store, place);
    await signIn(at.store, 'f', code);
    const first = await begin(at.database, (parts) =>
      refreshes(parts).consumeRefreshToken(tokenOf('f', 'f-0'), nextOf('f-1'), 2_000, 1_000),
    );
    const second = at.beside.consumeRefreshToken(tokenOf('f', 'f-0'), nextOf('x'), 2_000, 1_000);
    await untilWaiting(at.database);
    await first.commit();
    expect(await second).toEqual({ kind: 'replayed' });
    const third = at.store.consumeRefreshToken(tokenOf('f', 'f-1'), nextOf('f-2'), 2_000, 1_000);
    expect((await third).kind).toBe('consumed');
  });

  test('one that waits for a use that is then undone succeeds', async () => {
    await ensureProject(at.store, place);
    await signIn(at.store, 'f', code);
    const first = await begin(at.database, (parts) =>
      refreshes(parts).consumeRefreshToken(tokenOf('f', 'f-0'), nextOf('f-1'), 2_000, 0),
    );
    const second = at.beside.consumeRefreshToken(tokenOf('f', 'f-0'), nextOf('f-1'), 2_000, 0);
    await untilWaiting(at.database);
    await first.rollBack();
    expect((await second).kind).toBe('consumed');
  });
});

describe('redemptions', () => {
  test('one that waits for another revokes the tokens of the other before it answers', async () => {
    await ensureProject(at.store, place);
    await at.store.addAuthorizationCode(hashOf('c'), code);
    const first = await begin(at.database, (parts) =>
      createSharedVerbs(parts).redeemAuthorizationCode(hashOf('c'), familyOf('f', code), hashOf('s0'), 1_000),
    );
    expect(first.result).toBe('redeemed');
    const second = at.beside.redeemAuthorizationCode(hashOf('c'), familyOf('g', code), hashOf('s0'), 1_000);
    await untilWaiting(at.database);
    await first.commit();
    expect(await second).toBe('replayed');
    const refresh = at.store.consumeRefreshToken(tokenOf('f', 's0'), nextOf('s1'), 1_000, 0);
    expect(await refresh).toEqual({ kind: 'unknown' });
  });

  test('a code that is repeated during a refresh leaves nothing usable', () => repeatDuringRefresh(at, 6));
});

describe('the first sign-in of a developer', () => {
  test('gets the account of another that it waits for, and makes none', async () => {
    const first = await begin(at.database, (parts) => createSharedVerbs(parts).createDeveloper(issuer, 'dev', account()));
    const second = at.beside.createDeveloper(issuer, 'dev', account('acc_2'));
    await untilWaiting(at.database);
    await first.commit();
    expect(await second).toEqual(account());
    expect(await at.count('accounts')).toBe(1);
  });

  test('makes the account if the other that it waits for is undone', async () => {
    const first = await begin(at.database, (parts) => createSharedVerbs(parts).createDeveloper(issuer, 'dev', account()));
    const second = at.beside.createDeveloper(issuer, 'dev', account('acc_2'));
    await untilWaiting(at.database);
    await first.rollBack();
    expect(await second).toEqual(account('acc_2'));
    expect(await at.store.findDeveloper(issuer, 'dev')).toEqual(account('acc_2'));
  });

  test('with a taken account id is a fault, and links nobody', async () => {
    await at.store.createAccount(account());
    await expect(at.store.createDeveloper(issuer, 'dev', account())).rejects.toBeInstanceOf(StoreFault);
    expect(await at.count('developers')).toBe(0);
  });
});

describe('sweeps', () => {
  test('on two nodes together remove each sign-in once', () => sweepOnTwoNodes(at, 20));

  test('keep a family that another node refreshes by a slower clock, and its code', async () => {
    await ensureProject(at.store, place);
    await signIn(at.store, 'f', code);
    const refresh = await begin(at.database, (parts) =>
      refreshes(parts).consumeRefreshToken(tokenOf('f', 'f-0'), nextOf('f-1', 300_000), 100_999, 0),
    );
    const sweep = at.beside.sweepExpiredSignIns(101_001);
    await untilWaiting(at.database);
    await refresh.commit();
    expect(await sweep).toBe(0);
    expect(await at.store.findRefreshFamily('f', 101_001)).toBeDefined();
    expect(await at.store.findAuthorizationCode(hashOf('code-f'), 101_001)).toMatchObject({ spentForFamilyId: 'f' });
  });

  test('keep a code that another node spends by a slower clock', async () => {
    await ensureProject(at.store, place);
    await at.store.addAuthorizationCode(hashOf('c'), code);
    const redemption = await begin(at.database, (parts) =>
      createSharedVerbs(parts).redeemAuthorizationCode(hashOf('c'), familyOf('f', code), hashOf('s0'), 59_999),
    );
    const sweep = at.beside.sweepExpiredSignIns(60_001);
    await untilWaiting(at.database);
    await redemption.commit();
    expect(await sweep).toBe(0);
    expect(await at.store.findAuthorizationCode(hashOf('c'), 60_001)).toMatchObject({ spentForFamilyId: 'f' });
  });
});
