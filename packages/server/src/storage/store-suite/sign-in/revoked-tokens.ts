import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { sessionIdOf } from '../../../common/ids/session-id.ts';
import type { RevokedToken } from '../../contract/sign-ins.ts';
import type { Store } from '../../store.ts';
import { account, type CreateStoreHarness, ensureProject, hashOf, withStore } from '../harness.ts';
import { createUser, resetOf } from '../identity/identity-records.ts';
import { byOperator } from '../records.fixture.ts';
import { codeOf, developerCodeOf, familyOf, nextOf, signIn, tokenOf, userKey } from './sign-in-records.ts';

const place = userKey();
const user = 'usr_acc_1_ada@example.com';

/** Each way to end the session `f` of a user of the account's directory, with its access tokens. */
const ends: readonly (readonly [string, (store: Store) => Promise<unknown>])[] = [
  ['a revocation', (store) => store.revokeRefreshFamily('f', 2_000)],
  ['a replay', (store) => store.consumeRefreshToken(tokenOf('f', 'stolen'), nextOf('x'), 2_000, 0)],
  [
    'a code used twice',
    (store) => store.redeemAuthorizationCode(hashOf('code-f'), familyOf('g', codeOf(user)), hashOf('s'), 2_000),
  ],
  ['the end of all sessions', (store) => store.endSessions('acc_1', user, 2_000)],
  ['a new password', (store) => store.changePassword('acc_1', user, 'new', 2_000)],
  ['a reset', (store) => store.redeemPasswordReset(hashOf('reset'), 'new', 2_000)],
  ['deleting the user', (store) => store.deleteUser({ ...byOperator, at: 2_000 }, 'acc_1', user)],
];

export function revokedTokens(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);
  let reported: RevokedToken[];
  beforeEach(async () => {
    reported = [];
    at.store.onTokensRevoked((ended) => reported.push(...ended));
    await ensureProject(at.store, place);
    const created = await createUser(at.store, 'acc_1');
    expect(created.userId).toBe(user);
    await at.store.addPasswordReset(hashOf('reset'), resetOf(created));
    await signIn(at.store, 'f', codeOf(user));
    await signIn(at.store, 'other', codeOf('somebody else'));
  });

  const ofSession = (familyId: string, accountId = 'acc_1') => ({
    tokenId: sessionIdOf(familyId),
    accountId,
    endedAt: 2_000,
    expiresAt: null,
  });

  test.each(ends)('%s ends the tokens of the session before it returns', async (_name, end) => {
    await end(at.store);
    expect(reported).toEqual([ofSession('f')]);
    expect(await at.store.isTokenRevoked('acc_1', ['x', sessionIdOf('f')])).toBe(true);
    expect(await at.store.isTokenRevoked('acc_1', [sessionIdOf('other')])).toBe(false);
    expect(await at.store.listRevokedTokens(null, 9)).toEqual([ofSession('f')]);
    await end(at.store);
    expect(await at.store.listRevokedTokens(null, 9)).toHaveLength(1);
  });

  test('a call that ends no session ends no token', async () => {
    await at.store.consumeRefreshToken(tokenOf('f', 'f-0'), nextOf('f-1'), 2_000, 0);
    await at.store.consumeRefreshToken(tokenOf('f', 'f-0'), nextOf('x'), 2_500, 1_000);
    await at.store.revokeRefreshFamily('unknown', 2_000);
    expect(reported).toEqual([]);
    expect(await at.store.listRevokedTokens(null, 9)).toEqual([]);
  });

  test('a revoked developer session is reported in its own account', async () => {
    await at.store.createDeveloper('built-in', 'dev', account('acc_2'));
    await signIn(at.store, 'd', developerCodeOf('dev', { accountId: 'acc_2' }));
    await at.store.revokeRefreshFamily('d', 2_000);
    expect(reported).toEqual([ofSession('d', 'acc_2')]);
  });

  test('another process learns of an ended token within a second', async () => {
    const beside = await at.openParallel();
    await beside.revokeRefreshFamily('f', 2_000);
    const token = { tokenId: 'jti', accountId: 'acc_1', endedAt: 2_000, expiresAt: 9_000 };
    await beside.revokeAccessToken(token);
    for (let waited = 0; reported.length < 2 && waited < 40; waited++) await sleep(50);
    expect(reported).toEqual([ofSession('f'), token]);
  });

  test('pages list every ended token, and a sweep deletes those no longer needed', async () => {
    for (let i = 0; i < 7; i++) {
      await at.store.revokeAccessToken({
        tokenId: `t${i}`,
        accountId: 'acc_1',
        endedAt: 1_000,
        expiresAt: i < 3 ? 5_000 : 50_000,
      });
    }
    await at.store.revokeRefreshFamily('f', 2_000);
    const first = await at.store.listRevokedTokens(null, 5);
    const rest = await at.store.listRevokedTokens(first.at(-1) ?? null, 5);
    expect([...first, ...rest].map(({ tokenId }) => tokenId)).toEqual(
      [sessionIdOf('f'), ...Array.from({ length: 7 }, (_, i) => `t${i}`)].sort(),
    );
    expect(await at.store.sweepRevokedTokens(4_999, 2_000)).toBe(0);
    expect(await at.store.sweepRevokedTokens(5_000, 2_001)).toBe(4);
    expect(await at.store.listRevokedTokens(null, 9)).toHaveLength(4);
  });
}
