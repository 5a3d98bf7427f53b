/** Sessions as their owners see them, and what ends weak ones. */
import { expect, it } from 'vitest';
import { account, type CreateStoreHarness, hashOf, project, withStore } from '../harness.ts';
import { createUser } from '../identity/identity-records.ts';
import { byOperator } from '../records.fixture.ts';
import { codeOf, developerCodeOf, familyOf, nextOf, signIn, strengths, tokenOf } from './sign-in-records.ts';

export function sessions(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);
  it('are listed for their user, last used first, with the sign-in methods and the place', async () => {
    await at.store.createAccount(account('acc_1'));
    await at.store.createProject(byOperator, project());
    await signIn(at.store, 'first', codeOf('user-1', { amr: 'pwd' }));
    await signIn(at.store, 'second', codeOf('user-1'));
    await signIn(at.store, 'other', codeOf('user-2'));
    await at.store.consumeRefreshToken(
      tokenOf('first', 'first-0'),
      { ...nextOf('first-1'), sessionLabel: 'Here' },
      2_000,
      0,
    );
    const sessions = await at.store.listSessions('acc_1', 'user-1', 3_000);
    expect(sessions).toMatchObject([
      { familyId: 'first', environment: 'production', createdAt: 1_000, usedAt: 2_000, label: 'Here', amr: 'pwd' },
      { familyId: 'second', createdAt: 1_000, usedAt: 1_000, label: null, amr: null },
    ]);
    expect(sessions[0]?.projectName).toBe(project().name);
    // A refresh without a label keeps the last one.
    await at.store.consumeRefreshToken(tokenOf('first', 'first-1'), nextOf('first-2'), 2_500, 0);
    expect((await at.store.listSessions('acc_1', 'user-1', 3_000))[0]?.label).toBe('Here');
    await at.store.revokeRefreshFamily('second', 2_000);
    expect(await at.store.listSessions('acc_1', 'user-1', 3_000)).toHaveLength(1);
    expect(await at.store.listSessions('acc_1', 'user-1', 900_000)).toEqual([]);
    expect(await at.store.listSessions(null, 'user-1', 3_000)).toEqual([]);
  });

  it('all end together for one person, who must sign in again', async () => {
    await at.store.createAccount(account('acc_1'));
    await at.store.createProject(byOperator, project());
    const user = await createUser(at.store, 'acc_1');
    const family = await signIn(at.store, 'theirs', codeOf(user.userId));
    await signIn(at.store, 'other', codeOf('user-2'));
    await at.store.addAuthorizationCode(hashOf('unspent'), codeOf(user.userId));
    expect(await at.store.endSessions('acc_1', 'unknown', 3_000)).toBe('no_user');
    expect(await at.store.endSessions('acc_1', user.userId, 3_000)).toBe('ended');
    expect(await at.store.findRefreshFamily(family.familyId, 3_000)).toBeUndefined();
    expect(await at.store.findAuthorizationCode(hashOf('unspent'), 3_000)).toBeUndefined();
    expect(await at.store.findRefreshFamily('other', 3_000)).toBeDefined();
    expect(await at.store.findUser('acc_1', user.userId)).toMatchObject({ resetAt: 3_000 });
    expect(await at.store.changePassword('acc_1', user.userId, '$new', 4_000)).toBe('changed');
    expect(await at.store.findUser('acc_1', user.userId)).toMatchObject({ passwordHash: '$new', resetAt: 4_000 });
    expect(await at.store.changePassword(null, user.userId, '$new', 4_000)).toBe('no_user');
  });

  it('end, and cannot begin, without a second factor in an account that requires one', async () => {
    await at.store.createAccount(account('acc_1'));
    await at.store.createProject(byOperator, project());
    const [weak, strong] = [developerCodeOf('dev', { amr: 'pwd' }), developerCodeOf('dev', { amr: 'pwd otp mfa' })];
    await signIn(at.store, 'weak', weak);
    await signIn(at.store, 'unknown', developerCodeOf('dev'));
    await signIn(at.store, 'strong', strong);
    await signIn(at.store, 'player', codeOf('user-1'));
    await at.store.addAuthorizationCode(hashOf('early'), weak);
    expect(await at.store.updateAccount(byOperator, 'acc_1', { requireSecondFactor: true })).toMatchObject({
      requireSecondFactor: true,
    });
    for (const familyId of ['weak', 'unknown']) {
      expect(await at.store.findRefreshFamily(familyId, 2_000)).toBeUndefined();
      const used = await at.store.consumeRefreshToken(tokenOf(familyId, `${familyId}-0`), nextOf('next'), 2_000, 0);
      expect(used).toEqual({ kind: 'unknown' });
    }
    for (const familyId of ['strong', 'player']) {
      const used = await at.store.consumeRefreshToken(tokenOf(familyId, `${familyId}-0`), nextOf('next'), 2_000, 0);
      expect(used).toMatchObject({ kind: 'consumed' });
    }
    expect(await at.store.findAuthorizationCode(hashOf('early'), 2_000)).toBeUndefined();
    // A late one, begun before, is worth nothing either.
    await at.store.addAuthorizationCode(hashOf('late'), weak);
    expect(await at.store.redeemAuthorizationCode(hashOf('late'), familyOf('late', weak), hashOf('l'), 2_000)).toBe(
      'unknown',
    );
    await at.store.updateAccount(byOperator, 'acc_1', { requireSecondFactor: false });
    expect(await at.store.findRefreshFamily('weak', 2_000)).toBeUndefined();
  });

  it('are as strong for the store as for the rooms that ask', async () => {
    await at.store.createAccount(account('acc_1'));
    for (const [n, { amr }] of strengths.entries())
      await signIn(at.store, `family-${n}`, developerCodeOf(`dev-${n}`, { amr }));
    await at.store.updateAccount(byOperator, 'acc_1', { requireSecondFactor: true });
    for (const [n, { amr, isStrong }] of strengths.entries()) {
      await at.store.addAuthorizationCode(hashOf(`late-${n}`), developerCodeOf(`dev-${n}`, { amr }));
      const family = await at.store.findRefreshFamily(`family-${n}`, 2_000);
      const code = await at.store.findAuthorizationCode(hashOf(`late-${n}`), 2_000);
      expect([amr, family !== undefined, code !== undefined]).toEqual([amr, isStrong, isStrong]);
    }
  });
}
