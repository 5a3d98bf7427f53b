/** Proposals at their times: claims, turns, failures, and what is kept for them. */
import { expect } from 'vitest';
import type { Application, NewProposal, ProposalTimes, Reversion } from '../../contract/proposals.ts';
import { account, type CreateStoreHarness, casesOf, project, withStore } from '../harness.ts';
import { byOperator } from '../records.fixture.ts';

const author = { kind: 'developer', id: 'usr_ada' } as const;
const proposer = { kind: 'operator', id: 'operator' } as const;
const limits = { open: 100, ofAuthor: 100, ofReaders: 100 };
const day = 24 * 60 * 60 * 1000;
const keyOf = (accountId: string) => ({ accountId, slug: 'p', environment: 'production' }) as const;
const key = keyOf('acc_1');
const state = (stateText: string) => ({
  stateText,
  stateBytes: Buffer.byteLength(stateText),
  comment: null,
  writtenAt: 5_000,
  author,
});
/** By the machine's clock, which is also that of the database. */
const by = () => ({ ...byOperator, at: Date.now() });
const step = (proposalId: string, revision: number) => ({ proposalId, revision, by: by() });
const application = (proposalId: string, revision = 1): Application => ({
  ...step(proposalId, revision),
  cause: 'time',
  applier: proposer,
  author,
  isOverride: false,
  comment: null,
});
const reversion = (proposalId: string, revision = 1): Reversion => ({ ...step(proposalId, revision), cause: 'revert' });
const failure = { code: 'merge_conflict', message: 'both', conflicts: ['/n'] } as const;

export function proposalTimes(createHarness: CreateStoreHarness): void {
  const { test } = casesOf('quick');
  const at = withStore(createHarness);
  const createIn = async (accountId: string, proposalId: string, times: Partial<ProposalTimes>) => {
    const next: NewProposal = {
      proposalId,
      author,
      proposer,
      baseVersion: 1,
      opsText: '[{"op":"add","path":"/n","value":2}]',
      comment: 'why',
      applyAt: null,
      revertAt: null,
      repeat: undefined,
      ...times,
    };
    expect(await at.store.createProposal(by(), keyOf(accountId), next, limits)).toEqual({ kind: 'created' });
  };
  const create = (proposalId: string, times: Partial<ProposalTimes>) => createIn('acc_1', proposalId, times);
  const find = (proposalId: string) => at.store.findProposal({ ...key, proposalId });
  const claim = async (accountId = 'acc_1', milliseconds = 60_000) =>
    (await at.store.claimDueProposal(accountId, milliseconds))?.proposal.proposalId;
  const write = (version: number, more: object = {}) =>
    at.store.writePublicState(key, { kind: 'version', version }, { ...state(`{"n":${version + 1}}`), ...more });
  async function begin(accountId = 'acc_1') {
    await at.store.createAccount(account(accountId));
    await at.store.createProject(by(), project('p', { accountId }));
    await at.store.writePublicState(keyOf(accountId), { kind: 'absent' }, state('{"n":1}'));
  }

  test('what is due is claimed once, longest first, and again when the claim is over', async () => {
    await begin();
    await create('prop_none', {});
    const now = Date.now();
    await create('prop_late', { applyAt: now + day, revertAt: now + 2 * day });
    expect(await at.store.listDueProposals(10)).toEqual({ accounts: [], nextIn: expect.any(Number) });
    expect(await claim()).toBeUndefined();
    await create('prop_b', { applyAt: now - 1_000 });
    await create('prop_a', { applyAt: now - 2_000 });
    expect(await at.store.listDueProposals(10)).toMatchObject({ accounts: ['acc_1'] });
    const beside = await at.openParallel();
    const claims = [at.store, beside, at.store].map((store) => store.claimDueProposal('acc_1', 60_000));
    const found = (await Promise.all(claims)).map((claimed) => claimed?.proposal.proposalId);
    expect(found.sort()).toEqual(['prop_a', 'prop_b', undefined]);
    expect((await at.store.listDueProposals(10)).accounts).toEqual([]);
    await at.store.postponeProposal({ ...key, proposalId: 'prop_b' }, -1);
    await at.reopen();
    expect(await claim('acc_1', -1)).toBe('prop_b');
    expect(await claim()).toBe('prop_b');
    await at.store.withdrawProposal(by(), { ...key, proposalId: 'prop_late' }, { author, proposer });
    await at.store.deleteProject(by(), key);
    expect(await claim()).toBeUndefined();
    expect(await at.store.listDueProposals(10)).toEqual({ accounts: [], nextIn: undefined });
  });

  test('an account with many goes behind others with each claim', async () => {
    await begin();
    await begin('acc_2');
    const now = Date.now();
    for (let count = 0; count < 5; count++) await create(`prop_${count}`, { applyAt: now - 9_000 - count });
    await createIn('acc_2', 'prop_x', { applyAt: now - 1_000 });
    expect((await at.store.listDueProposals(1)).accounts).toEqual(['acc_1']);
    await claim();
    expect((await at.store.listDueProposals(1)).accounts).toEqual(['acc_2']);
    // Nor does an end of a step bring it forward.
    expect(await write(1, { application: application('prop_4') })).toMatchObject({ kind: 'written' });
    await at.store.failProposal(by(), { ...key, proposalId: 'prop_3' }, { revision: 1, failure, milliseconds: 1 });
    expect((await at.store.listDueProposals(1)).accounts).toEqual(['acc_2']);
    expect(await claim('acc_2')).toBe('prop_x');
    expect((await at.store.listDueProposals(9)).accounts).toEqual(['acc_1']);
    await at.store.deleteAccount('acc_1');
    expect(await claim()).toBeUndefined();
    expect((await at.store.listDueProposals(9)).accounts).toEqual([]);
  });

  test('a step is taken by the clock of the database, once, as it was read', async () => {
    await begin();
    const now = Date.now();
    await create('prop_1', { applyAt: now + day, revertAt: now + 2 * day });
    const early = { kind: 'not_applied', why: { kind: 'not_now' } };
    expect(await write(1, { application: application('prop_1') })).toEqual(early);
    await create('prop_2', { applyAt: now - 61 * 60_000 });
    expect(await write(1, { application: application('prop_2') })).toEqual(early);
    await create('prop_3', { applyAt: now - 1_000, revertAt: now + day });
    const stale = { kind: 'not_applied', why: { kind: 'stale', revision: 1 } };
    expect(await write(1, { application: application('prop_3', 2) })).toEqual(stale);
    const outcomes = await Promise.all([1, 2].map(() => write(1, { application: application('prop_3') })));
    expect(outcomes.filter(({ kind }) => kind === 'written')).toHaveLength(1);
    expect(await find('prop_3')).toMatchObject({ state: 'applied', appliedFrom: 1, appliedVersion: 2, appliedBy: author });
    expect(await write(2, { application: reversion('prop_3') })).toEqual(early);
    const change = { baseVersion: 1, opsText: '[]', comment: null, applyAt: null, revertAt: now - 1, setsTimes: true };
    const edited = await at.store.editProposal(by(), { ...key, proposalId: 'prop_3' }, 1, { author, proposer }, change);
    expect(edited).toEqual({ kind: 'edited' });
    const reverts = await Promise.all([1, 2].map(() => write(2, { application: reversion('prop_3', 2) })));
    expect(reverts.filter(({ kind }) => kind === 'written')).toHaveLength(1);
    expect(await find('prop_3')).toMatchObject({ state: 'applied', revertedVersion: 3, comment: 'why' });
    expect(await claim()).toBe('prop_2');
    expect(await claim()).toBeUndefined();
    await at.store.updateProject(by(), key, { protectedEnvironments: ['production'] });
    const silent = { baseVersion: 1, opsText: '[]', comment: null, applyAt: now, revertAt: null, setsTimes: true };
    const refused = await at.store.editProposal(by(), { ...key, proposalId: 'prop_1' }, 1, { author, proposer }, silent);
    expect(refused).toEqual({ kind: 'uncommented' });
  });

  test('a failure ends what was open, and stays with what is to be reverted until that works', async () => {
    await begin();
    const now = Date.now();
    await create('prop_1', { applyAt: now - 1_000 });
    await create('prop_2', { applyAt: now - 1_000, revertAt: now + day });
    const fail = (proposalId: string, revision: number, milliseconds = 60_000) =>
      at.store.failProposal(by(), { ...key, proposalId }, { revision, failure, milliseconds });
    expect(await fail('prop_1', 2)).toBe('unchanged');
    expect(await fail('prop_1', 1)).toBe('failed');
    expect(await fail('prop_1', 1)).toBe('unchanged');
    expect(await find('prop_1')).toMatchObject({ state: 'failed', failure });
    await write(1, { application: application('prop_2') });
    expect([await fail('prop_2', 1), await fail('prop_2', 1, -1)]).toEqual(['failed', 'failed']);
    expect(await claim()).toBe('prop_2');
    expect(await find('prop_2')).toMatchObject({ state: 'applied', failure, revertedVersion: null });
    const told = await at.store.listAuditRecords(
      'acc_1',
      { action: 'proposal.fail', actorId: null },
      { before: null, itemsMax: 9 },
    );
    expect(told.records).toHaveLength(2);
    // Nothing that is still to be reverted is forgotten.
    expect(await at.store.sweepProposals(Date.now() + 1)).toBe(1);
    expect([await find('prop_1'), (await find('prop_2'))?.state]).toEqual([undefined, 'applied']);
  });

  test('going back in time pauses what was to happen, until a time is set again', async () => {
    await begin();
    const now = Date.now();
    await create('prop_1', { applyAt: now - 1_000 });
    await at.store.recover({ known: 0, ahead: 1_000, now });
    await at.reopen();
    expect(await at.store.listDueProposals(9)).toEqual({ accounts: [], nextIn: undefined });
    expect(await claim()).toBeUndefined();
    expect(await find('prop_1')).toMatchObject({ state: 'open', applyAt: now - 1_000, failure: { code: 'too_late' } });
    const again = { baseVersion: 1, opsText: '[]', comment: 'why', applyAt: now, revertAt: null, setsTimes: true };
    await at.store.editProposal(by(), { ...key, proposalId: 'prop_1' }, 1, { author, proposer }, again);
    expect([await claim(), (await find('prop_1'))?.failure]).toEqual(['prop_1', null]);
  });

  test('both sides of a coming revert outlive the bounds of the history', async () => {
    await begin();
    const now = Date.now();
    await create('prop_1', { applyAt: now - 1_000, revertAt: now + day });
    await write(1, { application: application('prop_1') });
    for (let version = 2; version < 200; version++) await write(version);
    const drop = async () => {
      while ((await at.store.dropPublicStateVersions(key, { versionsMax: 2, keptAfter: 0 })) > 0);
    };
    await drop();
    expect(await at.store.readPublicStateVersion(key, 1)).toMatchObject({ kind: 'present' });
    const never = { baseVersion: 1, opsText: '[]', comment: 'why', applyAt: null, revertAt: null, setsTimes: true };
    await at.store.editProposal(by(), { ...key, proposalId: 'prop_1' }, 1, { author, proposer }, never);
    await drop();
    expect(await at.store.readPublicStateVersion(key, 1)).toEqual({ kind: 'absent' });
  });
}
