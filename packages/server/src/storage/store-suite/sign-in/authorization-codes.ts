import { expect } from 'vitest';
import { StoreFault } from '../../store.ts';
import {
  account,
  type CreateStoreHarness,
  casesOf,
  ensureProject,
  hashOf,
  unusualTexts,
  type Weight,
  withStore,
} from '../harness.ts';
import { byOperator } from '../records.fixture.ts';
import { codeOf, developerCodeOf, familyOf, nextOf, signIn, tokenOf, userKey } from './sign-in-records.ts';

export function authorizationCodes(createHarness: CreateStoreHarness, weight: Weight = 'quick'): void {
  const { sized, test } = casesOf(weight);
  const at = withStore(createHarness);
  const place = userKey();
  const code = codeOf('user-1');
  const family = familyOf('f', code);
  const redeem = (change: Partial<typeof family> = {}, now = 1_000, codeName = 'c') =>
    at.store.redeemAuthorizationCode(hashOf(codeName), { ...family, ...change }, hashOf('s0'), now);

  test('adding a code requires its account and project', async () => {
    expect(await at.store.addAuthorizationCode(hashOf('c'), code)).toBe('no_project');
    expect(await at.store.addAuthorizationCode(hashOf('c'), developerCodeOf('dev'))).toBe('no_project');
    await at.store.createAccount(account());
    expect(await at.store.addAuthorizationCode(hashOf('c'), code)).toBe('no_project');
    expect(await at.store.findAuthorizationCode(hashOf('c'), 1_000)).toBeUndefined();
  });

  test('a code comes back unchanged on every read', async () => {
    await ensureProject(at.store, place);
    const found = [code, developerCodeOf('dev', { email: null, name: null }), codeOf('u', { environment: 'staging' })];
    for (const [i, each] of found.entries()) {
      expect(await at.store.addAuthorizationCode(hashOf(`code ${i}`), each)).toBe('added');
    }
    for (const text of unusualTexts) {
      const unusual = codeOf(text, { email: text, name: text, redirectUri: `app.x:/${text}`, clientId: text, scope: text });
      found.push(unusual);
      await at.store.addAuthorizationCode(hashOf(`code ${found.length - 1}`), unusual);
    }
    await at.reopen();
    for (const [i, each] of [...found, ...found].entries()) {
      const outcome = await at.store.findAuthorizationCode(hashOf(`code ${i % found.length}`), 1_000);
      expect(outcome).toEqual({ code: each, spentForFamilyId: null });
    }
    expect(await at.store.findAuthorizationCode(hashOf('other'), 1_000)).toBeUndefined();
  });

  test('an expired code is unknown', async () => {
    await ensureProject(at.store, place);
    await at.store.addAuthorizationCode(hashOf('c'), code);
    expect(await at.store.findAuthorizationCode(hashOf('c'), 59_999)).toBeDefined();
    expect(await at.store.findAuthorizationCode(hashOf('c'), 60_000)).toBeUndefined();
    expect(await redeem({}, 60_000)).toBe('unknown');
    expect(await redeem({}, 59_999, 'other')).toBe('unknown');
    expect(await at.store.findRefreshFamily('f', 59_999)).toBeUndefined();
    expect(await redeem({}, 59_999)).toBe('redeemed');
  });

  test('a redeemed code creates one family for the subject of the code', async () => {
    await ensureProject(at.store, place);
    await at.store.addAuthorizationCode(hashOf('c'), code);
    expect(await redeem()).toBe('redeemed');
    await at.reopen();
    expect(await at.store.findRefreshFamily('f', 1_000)).toEqual(family);
    expect(await at.store.findAuthorizationCode(hashOf('c'), 1_000)).toMatchObject({
      code: { subject: 'user-1', redirectUri: code.redirectUri, email: null, name: null },
      spentForFamilyId: 'f',
    });
    await at.store.addAuthorizationCode(hashOf('d'), developerCodeOf('dev'));
    await redeem({ ...familyOf('g', developerCodeOf('dev')) }, 1_000, 'd');
    expect(await at.store.findRefreshFamily('g', 1_000)).toEqual(familyOf('g', developerCodeOf('dev')));
  });

  test('using a code again revokes its family and creates no other', async () => {
    await ensureProject(at.store, place);
    await at.store.addAuthorizationCode(hashOf('c'), code);
    expect(await redeem()).toBe('redeemed');
    expect(await redeem({ familyId: 'g' })).toBe('replayed');
    expect(await at.store.findRefreshFamily('f', 1_000)).toBeUndefined();
    expect(await at.store.findRefreshFamily('g', 1_000)).toBeUndefined();
    expect(await at.store.consumeRefreshToken(tokenOf('f', 's0'), nextOf('s1'), 1_000, 0)).toEqual({ kind: 'unknown' });
    expect(await redeem({ familyId: 'h' })).toBe('replayed');
  });

  test('using a code again revokes its family, even long after the code has expired', async () => {
    await ensureProject(at.store, place);
    await at.store.addAuthorizationCode(hashOf('c'), code);
    await redeem();
    await at.store.consumeRefreshToken(tokenOf('f', 's0'), nextOf('s1'), 90_000, 0);
    await at.store.sweepExpiredSignIns(100_000);
    expect(await at.store.findAuthorizationCode(hashOf('c'), 150_000)).toMatchObject({ spentForFamilyId: 'f' });
    expect(await redeem({ familyId: 'g' }, 150_000)).toBe('replayed');
    expect(await at.store.findRefreshFamily('f', 150_000)).toBeUndefined();
  });

  const rounds = { quick: 2, heavy: 20 };
  sized('of 100 parallel uses exactly one is redeemed, and the others revoke its family', rounds, async (rounds) => {
    const beside = await at.openParallel();
    await ensureProject(at.store, place);
    for (let round = 0; round < rounds; round++) {
      await at.store.addAuthorizationCode(hashOf(`c${round} `), code);
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, (_, i) =>
          (i % 2 === 0 ? at.store : beside).redeemAuthorizationCode(
            hashOf(`c${round} `),
            { ...family, familyId: `f${round}-${i}` },
            hashOf('s0'),
            1_000,
          ),
        ),
      );
      expect(outcomes.filter((outcome) => outcome === 'redeemed')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'replayed')).toHaveLength(99);
      const found = await at.store.findRefreshFamily(`f${round}-${outcomes.indexOf('redeemed')}`, 1_000);
      expect(found).toBeUndefined();
    }
  });

  test('codes in a deleted project or account are unknown', async () => {
    for (const remove of [() => at.store.deleteProject(byOperator, place), () => at.store.deleteAccount('acc_1')]) {
      await ensureProject(at.store, place);
      const name = `code ${remove}`;
      await at.store.addAuthorizationCode(hashOf(name), code);
      await remove();
      await ensureProject(at.store, place);
      expect(await at.store.findAuthorizationCode(hashOf(name), 1_000)).toBeUndefined();
      expect(await redeem({}, 1_000, name)).toBe('unknown');
    }
  });

  test('two codes with the same hash, or two families with the same id, are a fault', async () => {
    await ensureProject(at.store, place);
    await signIn(at.store, 'f', code);
    await at.store.addAuthorizationCode(hashOf('c'), code);
    await expect(at.store.addAuthorizationCode(hashOf('c'), code)).rejects.toBeInstanceOf(StoreFault);
    await expect(redeem()).rejects.toBeInstanceOf(StoreFault);
    expect(await at.store.findAuthorizationCode(hashOf('c'), 1_000)).toMatchObject({ spentForFamilyId: null });
  });
}
