/** Second factors and recovery codes: each step and each code works once, and they are deleted with their user. */
import { expect, it } from 'vitest';
import type { SecondFactor } from '../../contract/own-methods.ts';
import { account, type CreateStoreHarness, hashOf, withStore } from '../harness.ts';
import { byOperator } from '../records.fixture.ts';
import { createUser, resetOf } from './identity-records.ts';

const factorOf = (userId: string, change: Partial<SecondFactor> = {}): SecondFactor => ({
  accountId: null,
  userId,
  sealedSecret: Uint8Array.of(1, 2, 3),
  createdAt: 3_000,
  lastStep: 7,
  ...change,
});
const codes = [hashOf('one'), hashOf('two')];

export function secondFactors(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);
  it('is added once with its recovery codes, unless all sessions have ended since it was begun', async () => {
    const { userId } = await createUser(at.store, null);
    expect(await at.store.addSecondFactor(factorOf('usr_unknown'), codes)).toBe('no_user');
    expect(await at.store.addSecondFactor(factorOf(userId), codes)).toBe('added');
    expect(await at.store.addSecondFactor(factorOf(userId, { lastStep: 1 }), [])).toBe('already_exists');
    expect(await at.store.findSecondFactor(null, userId)).toEqual({ ...factorOf(userId), recoveryCodes: 2 });
    expect(await at.store.findSecondFactor('acc_1', userId)).toBeUndefined();
    const other = await createUser(at.store, null, 'bob@example.com');
    expect(await at.store.endSessions(null, other.userId, 3_000)).toBe('ended');
    expect(await at.store.addSecondFactor(factorOf(other.userId), codes)).toBe('no_user');
    expect(await at.store.addSecondFactor(factorOf(other.userId, { createdAt: 3_001 }), codes)).toBe('added');
  });

  it('accepts each step once, in order, even in parallel', async () => {
    const { userId } = await createUser(at.store, null);
    await at.store.addSecondFactor(factorOf(userId), codes);
    const use = (step: number) => at.store.useSecondFactorStep(null, userId, step);
    expect([await use(6), await use(7)]).toEqual(['stale', 'stale']);
    const outcomes = await Promise.all([8, 8, 8, 8].map(use));
    expect(outcomes.filter((outcome) => outcome === 'used')).toHaveLength(1);
    expect([await use(9), await use(8)]).toEqual(['used', 'stale']);
    expect(await at.store.useSecondFactorStep(null, 'usr_unknown', 9)).toBe('stale');
  });

  it('accepts each recovery code once, even in parallel, until the codes are replaced', async () => {
    const { userId } = await createUser(at.store, null);
    await at.store.addSecondFactor(factorOf(userId), codes);
    const use = (name: string) => at.store.useRecoveryCode(null, userId, hashOf(name));
    const outcomes = await Promise.all(['one', 'one', 'one'].map(use));
    expect(outcomes.filter((outcome) => outcome === 'used')).toHaveLength(1);
    expect(await use('unknown')).toBe('unknown');
    expect(await at.store.replaceRecoveryCodes(null, userId, [hashOf('new')])).toBe('replaced');
    expect([await use('two'), await use('new')]).toEqual(['unknown', 'used']);
    expect(await at.store.replaceRecoveryCodes(null, 'usr_unknown', codes)).toBe('absent');
  });

  it('is removed on request, with the other factors of a lost device, and with its user', async () => {
    const { userId } = await createUser(at.store, null);
    await at.store.addSecondFactor(factorOf(userId), codes);
    expect(await at.store.removeSecondFactor(null, userId)).toBe('removed');
    expect(await at.store.removeSecondFactor(null, userId)).toBe('absent');
    await at.store.addSecondFactor(factorOf(userId), codes);
    expect(await at.store.forgetFactors(null, userId, 4_000)).toBe('forgotten');
    expect(await at.store.forgetFactors(null, 'usr_unknown', 4_000)).toBe('no_user');
    expect(await at.store.findSecondFactor(null, userId)).toBeUndefined();
    expect(await at.store.findUser(null, userId)).toMatchObject({ resetAt: 4_000 });

    await at.store.createDeveloper('built-in', userId, account('acc_1'));
    await at.store.addSecondFactor(factorOf(userId, { createdAt: 5_000 }), codes);
    await at.store.deleteAccount('acc_1');
    expect(await at.store.findSecondFactor(null, userId)).toBeUndefined();
  });

  it('is kept when the password is reset', async () => {
    const user = await createUser(at.store, null);
    await at.store.addSecondFactor(factorOf(user.userId), codes);
    expect(await at.store.addPasswordReset(hashOf('reset'), resetOf(user))).toBe('added');
    expect(await at.store.redeemPasswordReset(hashOf('reset'), '$new', 5_000)).toBeDefined();
    expect(await at.store.findSecondFactor(null, user.userId)).toMatchObject({ lastStep: 7, recoveryCodes: 2 });
  });

  it('is required of developers in an account that requires one', async () => {
    await at.store.createDeveloper('built-in', 'usr_1', account('acc_1'));
    expect(await at.store.mustHaveSecondFactor('built-in', 'usr_1')).toBe(false);
    await at.store.updateAccount(byOperator, 'acc_1', { requireSecondFactor: true });
    expect(await at.store.mustHaveSecondFactor('built-in', 'usr_1')).toBe(true);
    expect(await at.store.mustHaveSecondFactor('https://idp.example', 'usr_1')).toBe(false);
    expect(await at.store.mustHaveSecondFactor('built-in', 'usr_2')).toBe(false);
  });
}
