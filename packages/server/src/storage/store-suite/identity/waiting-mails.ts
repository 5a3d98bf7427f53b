import { expect, test } from 'vitest';
import type { AddMailOutcome, NewMail } from '../../contract/mails.ts';
import { account, type CreateStoreHarness, hashOf, withStore } from '../harness.ts';
import { byOperator } from '../records.fixture.ts';
import { createUser, resetOf, signUpOf } from './identity-records.ts';

const roomy = { waitingMax: 1_000, waitingInDirectoryMax: 500 };
const mailOf = (name: string, change: Partial<NewMail> = {}): NewMail => ({
  mailHash: hashOf(name),
  accountId: null,
  emailKey: 'ada@example.com',
  sealedMail: hashOf(`text of ${name}`),
  expiresAt: 60_000,
  ...change,
});

export function waitingMails(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);
  const add = (name: string, change: Partial<NewMail> = {}, claimedUntil = 2_000) =>
    at.store.addMail(mailOf(name, change), claimedUntil, roomy);
  const dueAtOf = (outcome: AddMailOutcome) => (outcome.kind === 'added' ? outcome.dueAt : -1);
  /** Adds a mail that was refused once, and is due at the given time. */
  const addRefused = async (name: string, dueAt: number, change: Partial<NewMail> = {}) => {
    const claimed = { mailHash: hashOf(name), dueAt: dueAtOf(await add(name, change)) };
    expect(await at.store.settleMail(claimed, { kind: 'postponed', dueAt })).toBe('settled');
  };
  const names = ['a', 'b', 'c', 'd', 'e', 's', 't'];
  const nameOf = (hash: Uint8Array) => names.find((name) => Buffer.compare(hash, hashOf(name)) === 0);
  const dueAt = async (now: number, limit = 10) => {
    const { due, nextAt, waiting } = await at.store.listDueMails(now, limit);
    return { due: due.map(({ mailHash }) => nameOf(mailHash)), nextAt, waiting };
  };

  test('one sender at a time can claim a mail, after the first claim has expired, even after a restart', async () => {
    expect(await add('s')).toEqual({ kind: 'added', dueAt: 2_000, replaced: undefined });
    expect(await at.store.findMail(hashOf('s'), 1_000)).toEqual({ kind: 'waiting', failures: 0, expiresAt: 60_000 });
    expect(await dueAt(1_999)).toEqual({ due: [], nextAt: 2_000, waiting: 1 });
    expect(await at.store.claimMail(hashOf('s'), 1_999, 9_000)).toBeUndefined();
    await at.reopen();
    expect(await dueAt(2_000)).toEqual({ due: ['s'], nextAt: 2_000, waiting: 1 });
    const claims = await Promise.all([3_000, 3_001].map((until) => at.store.claimMail(hashOf('s'), 2_000, until)));
    expect(claims.filter((claim) => claim !== undefined)).toEqual([
      {
        mailHash: hashOf('s'),
        dueAt: expect.any(Number),
        sealedMail: hashOf('text of s'),
        failures: 0,
        expiresAt: 60_000,
      },
    ]);
  });

  test('only the sender that claimed a mail can record the result', async () => {
    const first = { mailHash: hashOf('s'), dueAt: dueAtOf(await add('s')) };
    expect(await at.store.settleMail({ ...first, dueAt: 1_999 }, { kind: 'sent' })).toBe('lost');
    expect(await at.store.settleMail(first, { kind: 'postponed', dueAt: 5_000 })).toBe('settled');
    expect(await at.store.settleMail(first, { kind: 'sent' })).toBe('lost');
    expect(await at.store.settleMail({ ...first, dueAt: 5_000 }, { kind: 'sent' })).toBe('lost');
    expect(await at.store.findMail(hashOf('s'), 4_999)).toEqual({ kind: 'waiting', failures: 1, expiresAt: 60_000 });
    expect(await dueAt(4_999)).toEqual({ due: [], nextAt: 5_000, waiting: 1 });
    const again = await at.store.claimMail(hashOf('s'), 5_000, 7_000);
    expect(again).toMatchObject({ dueAt: 7_000, failures: 1 });
    expect(await at.store.settleMail(again as never, { kind: 'sent' })).toBe('settled');
    expect(await at.store.findMail(hashOf('s'), 5_000)).toBeUndefined();
    expect(await dueAt(99_999)).toEqual({ due: [], nextAt: undefined, waiting: 0 });
  });

  test('a mail that failed permanently has no text, is never due, and is deleted when it expires', async () => {
    const claimed = { mailHash: hashOf('s'), dueAt: dueAtOf(await add('s')) };
    expect(await at.store.settleMail(claimed, { kind: 'failed' })).toBe('settled');
    expect(await at.store.settleMail(claimed, { kind: 'failed' })).toBe('lost');
    expect(await at.store.claimMail(hashOf('s'), 10_000, 11_000)).toBeUndefined();
    expect(await dueAt(99_999)).toEqual({ due: [], nextAt: undefined, waiting: 0 });
    expect(await at.store.findMail(hashOf('s'), 59_999)).toEqual({ kind: 'failed' });
    expect(await at.store.findMail(hashOf('s'), 60_000)).toBeUndefined();
    expect(await at.store.sweepExpiredIdentities(59_999)).toBe(0);
    expect(await at.store.sweepExpiredIdentities(60_000)).toBe(1);
    expect(await at.store.findMail(hashOf('s'), 1)).toBeUndefined();
  });

  test('the store remembers at most as many failed mails as may wait', async () => {
    const bounds = { waitingMax: 2, waitingInDirectoryMax: 2 };
    const fail = async (name: string, expiresAt: number) => {
      const added = await at.store.addMail(mailOf(name, { expiresAt }), 2_000, bounds);
      expect(await at.store.settleMail({ mailHash: hashOf(name), dueAt: dueAtOf(added) }, { kind: 'failed' })).toBe(
        'settled',
      );
    };
    for (const [index, name] of ['b', 'a', 'c', 'd'].entries()) await fail(name, 60_000 + index);
    const kept = await Promise.all(['b', 'a', 'c', 'd'].map(async (name) => at.store.findMail(hashOf(name), 1)));
    expect(kept).toEqual([undefined, undefined, { kind: 'failed' }, { kind: 'failed' }]);
  });

  test('a mail replaces the earlier one with the same hash and returns it unless it is being sent', async () => {
    const first = await add('s');
    const second = await add('s', { sealedMail: hashOf('two') });
    expect(second).toEqual({ kind: 'added', dueAt: 2_001, replaced: undefined });
    expect(await at.store.settleMail({ mailHash: hashOf('s'), dueAt: dueAtOf(first) }, { kind: 'sent' })).toBe('lost');
    await at.store.settleMail({ mailHash: hashOf('s'), dueAt: dueAtOf(second) }, { kind: 'postponed', dueAt: 9_000 });
    const third = await add('s', { sealedMail: hashOf('three'), expiresAt: 70_000 });
    expect(third).toEqual({ kind: 'added', dueAt: 9_001, replaced: hashOf('two') });
    expect(await at.store.findMail(hashOf('s'), 1)).toEqual({ kind: 'waiting', failures: 0, expiresAt: 70_000 });
    await at.store.settleMail({ mailHash: hashOf('s'), dueAt: 9_001 }, { kind: 'failed' });
    expect(await add('s')).toEqual({ kind: 'added', dueAt: 2_000, replaced: undefined });
    expect(await dueAt(2_000)).toEqual({ due: ['s'], nextAt: 2_000, waiting: 1 });
  });

  test('mails to an address are listed oldest first, without claimed and failed ones', async () => {
    await at.store.createAccount(account());
    await addRefused('a', 3_000, { expiresAt: 50_000 });
    await addRefused('b', 9_000, { expiresAt: 40_000 });
    await add('c');
    const failed = { mailHash: hashOf('d'), dueAt: dueAtOf(await add('d')) };
    await at.store.settleMail(failed, { kind: 'failed' });
    await addRefused('e', 3_000, { emailKey: 'bob@example.com' });
    await addRefused('s', 3_000, { accountId: 'acc_1' });
    const listed = await at.store.listMailsTo(null, 'ada@example.com');
    expect(listed).toEqual([
      { mailHash: hashOf('b'), dueAt: 9_000, sealedMail: hashOf('text of b') },
      { mailHash: hashOf('a'), dueAt: 3_000, sealedMail: hashOf('text of a') },
    ]);
    expect(await at.store.listMailsTo('acc_1', 'bob@example.com')).toEqual([]);
  });

  test('accounts take turns, and limits hold in total and for each directory', async () => {
    for (const accountId of ['acc_1', 'acc_2']) await at.store.createAccount(account(accountId));
    for (const name of ['a', 'b', 'c']) await addRefused(name, 3_000, { accountId: 'acc_1' });
    await addRefused('d', 4_000, { accountId: 'acc_2' });
    await addRefused('e', 5_000);
    const { due } = await dueAt(5_000, 3);
    expect([due[0] !== undefined && ['a', 'b', 'c'].includes(due[0]), due.slice(1)]).toEqual([true, ['d', 'e']]);
    expect((await dueAt(5_000)).due).toHaveLength(5);
    const offer = (bounds: typeof roomy) => at.store.addMail(mailOf('s', { accountId: 'acc_1' }), 2_000, bounds);
    expect(await offer({ waitingMax: 5, waitingInDirectoryMax: 5 })).toEqual({ kind: 'full' });
    expect(await offer({ waitingMax: 9, waitingInDirectoryMax: 3 })).toEqual({ kind: 'full' });
    expect(await offer({ waitingMax: 6, waitingInDirectoryMax: 4 })).toMatchObject({ kind: 'added' });
  });

  test('a mail is deleted with its account, user, sign-up or invitation', async () => {
    expect(await add('s', { accountId: 'acc_1' })).toEqual({ kind: 'no_account' });
    await at.store.createAccount(account());
    const user = await createUser(at.store, 'acc_1');
    await addRefused('s', 3_000, { accountId: 'acc_1' });
    await addRefused('t', 3_000);
    await addRefused('a', 3_000, { accountId: 'acc_1', emailKey: 'bob@example.com' });
    await addRefused('b', 3_000, { accountId: 'acc_1', emailKey: null });
    expect(await at.store.deleteUser(byOperator, 'acc_1', user.userId)).toBe('deleted');
    expect((await dueAt(3_000)).due).not.toContain('s');
    expect((await dueAt(3_000)).due).toHaveLength(3);

    const developer = await createUser(at.store, null);
    expect((await dueAt(3_000)).due).not.toContain('t'); // its sign-up was confirmed
    await addRefused('t', 3_000);
    await at.store.addPasswordReset(hashOf('reset'), resetOf(developer));
    await at.store.redeemPasswordReset(hashOf('reset'), 'new password', 2_000);
    expect((await dueAt(3_000)).due).not.toContain('t');

    const invitation = {
      invitationId: 'inv_1',
      accountId: 'acc_1',
      role: 'viewer',
      environments: null,
      email: 'bob@example.com',
      inviter: null,
      makerId: null,
      createdAt: 1,
      expiresAt: 60_000,
    } as const;
    await at.store.addInvitation(byOperator, hashOf('b'), invitation, 10);
    expect(await at.store.withdrawInvitation(byOperator, 'acc_1', 'inv_1')).toBe('withdrawn');
    expect((await dueAt(3_000)).due).toEqual(['a']);

    await at.store.deleteAccount('acc_1');
    expect(await at.store.claimMail(hashOf('a'), 3_000, 4_000)).toBeUndefined();
    expect(await at.store.addSignUp(hashOf('s'), signUpOf('acc_1'))).toBe('no_account');
  });

  test('a store restored to an earlier state keeps no mail', async () => {
    await addRefused('s', 3_000);
    await at.store.recover({ known: 0, ahead: 1_000_000, now: 5_000 });
    expect(await dueAt(99_999)).toEqual({ due: [], nextAt: undefined, waiting: 0 });
  });
}
