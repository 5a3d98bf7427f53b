/** Proposals: limits, revisions, approvals, and the transaction that applies one. */
import { expect } from 'vitest';
import type { Application, NewProposal } from '../../contract/proposals.ts';
import { account, type CreateStoreHarness, casesOf, hashOf, project, weirdTexts, withStore } from '../harness.ts';
import { byOperator as by } from '../records.fixture.ts';

const key = { accountId: 'acc_1', slug: 'p', environment: 'production' } as const;
const author = { kind: 'developer', id: 'usr_ada' } as const;
const proposer = { kind: 'operator', id: 'operator' } as const;
const opsText = '[{"op":"replace","path":"/n","value":9007199254740993}]';
const limits = { open: 3, ofAuthor: 2, ofReaders: 1 };
const proposal = (proposalId: string, change: Partial<NewProposal> = {}): NewProposal => ({
  proposalId,
  baseVersion: 1,
  opsText,
  comment: 'why',
  applyAt: null,
  revertAt: null,
  author,
  proposer,
  repeat: undefined,
  ...change,
});
const state = (stateText: string) => ({
  stateText,
  stateBytes: Buffer.byteLength(stateText),
  comment: null,
  writtenAt: 5_000,
  author,
});

export function proposals(createHarness: CreateStoreHarness): void {
  const { each, test } = casesOf('quick');
  const at = withStore(createHarness);
  const create = (id: string, change: Partial<NewProposal> = {}) =>
    at.store.createProposal(by, key, proposal(id, change), limits);
  const find = (id: string) => at.store.findProposal({ ...key, proposalId: id });
  const application = (proposalId: string, change: Partial<Application> = {}): Application => ({
    cause: 'person',
    proposalId,
    revision: 1,
    applier: proposer,
    author,
    isOverride: false,
    comment: null,
    by,
    ...change,
  });
  const apply = (id: string, version: number, change: Partial<Application> = {}) =>
    at.store.writePublicState(
      key,
      { kind: 'version', version },
      { ...state(`{"n":${version + 1}}`), application: application(id, change) },
    );
  const used = async () => (await at.store.readUsage('acc_1', by.at))?.used.storageBytes ?? 0;
  async function begin() {
    await at.store.createAccount(account());
    await at.store.createProject(by, project());
    await at.store.writePublicState(key, { kind: 'absent' }, state('{"n":1}'));
  }

  test('a proposal requires its project, and comes back unchanged, counted as storage until it is deleted', async () => {
    expect(await create('prop_1')).toEqual({ kind: 'no_project' });
    await begin();
    const before = await used();
    expect(await create('prop_1')).toEqual({ kind: 'created' });
    await at.reopen();
    expect(await find('prop_1')).toMatchObject({
      revision: 1,
      state: 'open',
      baseVersion: 1,
      opsText,
      comment: 'why',
      author,
    });
    expect(await at.store.findProposal({ ...key, environment: 'staging', proposalId: 'prop_1' })).toBeUndefined();
    expect(await used()).toBe(before + opsText.length + '"why"'.length);
    const who = { author, proposer };
    const prop = { ...key, proposalId: 'prop_1' };
    expect(await at.store.withdrawProposal(by, prop, who)).toEqual({ kind: 'done' });
    expect(await at.store.withdrawProposal(by, prop, who)).toEqual({ kind: 'ended', state: 'withdrawn' });
    expect(await find('prop_1')).toMatchObject({ state: 'withdrawn', opsText: null });
    expect(await used()).toBe(before + '"why"'.length);
    expect(await at.store.sweepProposals(by.at)).toBe(0);
    expect(await at.store.sweepProposals(by.at + 1)).toBe(1);
    expect([await find('prop_1'), await used()]).toEqual([undefined, before]);
    await create('prop_2');
    await at.store.deleteProject(by, key);
    await at.store.createProject(by, project());
    expect(await find('prop_2')).toBeUndefined();
    expect(await create('prop_2')).toEqual({ kind: 'created' });
  });

  each('the comment %j comes back unchanged', weirdTexts, async (comment) => {
    await begin();
    await create('prop_1', { comment });
    expect((await find('prop_1'))?.comment).toBe(comment);
  });

  test('too many are refused, and a known key gives the earlier one', async () => {
    await begin();
    const repeat = { key: hashOf('k').subarray(0, 16), request: hashOf('r').subarray(0, 16) };
    const reader = { kind: 'member', id: 'mem_none' } as const;
    const other = { kind: 'developer', id: 'usr_bob' } as const;
    expect(await create('prop_1', { proposer: reader, repeat })).toEqual({ kind: 'created' });
    expect(await create('prop_x', { proposer: reader, author: other })).toEqual({ kind: 'too_many', of: 'ofReaders' });
    expect(await create('prop_x', { repeat })).toEqual({ kind: 'known', proposalId: 'prop_1', isSame: true });
    const reused = { ...repeat, request: hashOf('s').subarray(0, 16) };
    expect(await create('prop_x', { repeat: reused })).toEqual({ kind: 'known', proposalId: 'prop_1', isSame: false });
    expect(await create('prop_2')).toEqual({ kind: 'created' });
    expect(await create('prop_x')).toEqual({ kind: 'too_many', of: 'ofAuthor' });
    expect(await create('prop_3', { author: other })).toEqual({ kind: 'created' });
    expect(await create('prop_x', { author: other })).toEqual({ kind: 'too_many', of: 'open' });
    const page = await at.store.listProposals(key, 'open', { after: null, itemsMax: 2 });
    expect(page.items.map(({ proposalId }) => proposalId)).toEqual(['prop_3', 'prop_2']);
    const rest = await at.store.listProposals(key, 'open', { after: page.next, itemsMax: 2 });
    expect([rest.items.map(({ proposalId }) => proposalId), rest.next]).toEqual([['prop_1'], null]);
  });

  test('of parallel applications, one writes one version, and no other write is half done', async () => {
    await begin();
    await create('prop_1');
    const beside = await at.openParallel();
    const again = beside.writePublicState(
      key,
      { kind: 'version', version: 1 },
      { ...state('{"n":3}'), application: application('prop_1') },
    );
    const outcomes = await Promise.all([apply('prop_1', 1), again, apply('prop_1', 1)]);
    expect(outcomes.filter(({ kind }) => kind === 'written')).toHaveLength(1);
    expect(await find('prop_1')).toMatchObject({ state: 'applied', appliedVersion: 2 });
    expect(await apply('prop_1', 2)).toEqual({ kind: 'not_applied', why: { kind: 'ended', state: 'applied' } });
    expect(await at.store.readPublicState(key)).toMatchObject({ record: { version: 2 } });
  });

  test('is applied only as it was read, by who may write, with the approvals that the project requires', async () => {
    await begin();
    await create('prop_1');
    const stale = { kind: 'not_applied', why: { kind: 'stale', revision: 1 } };
    expect(await apply('prop_1', 1, { revision: 2 })).toEqual(stale);
    expect(await apply('prop_2', 1)).toEqual({ kind: 'not_applied', why: { kind: 'unknown' } });
    const nobody = { applier: { kind: 'member', id: 'mem_none' } } as const;
    expect(await apply('prop_1', 1, nobody)).toEqual({ kind: 'not_applied', why: { kind: 'forbidden' } });
    expect(await apply('prop_1', 1, { isOverride: true })).toEqual({ kind: 'not_applied', why: { kind: 'forbidden' } });
    await at.store.updateProject(by, key, { requiredApprovals: { production: 1 } });
    const unapproved = { kind: 'not_applied', why: { kind: 'unapproved', required: 1, given: 0 } };
    expect(await apply('prop_1', 1)).toEqual(unapproved);
    expect(await at.store.settleProposal(by, key, application('prop_1'), 1)).toEqual(unapproved);
    expect(await at.store.updateProject(by, key, { requiredApprovals: { production: 0 } }, false)).toBe('may_not_lower');
    await at.store.updateProject(by, key, { requiredApprovals: { production: 0 } });
    expect(await apply('prop_1', 7)).toEqual({ kind: 'conflict', currentVersion: 1 });
    expect(await find('prop_1')).toMatchObject({ state: 'open' });
    for (const other of [0, 2])
      expect(await at.store.settleProposal(by, key, application('prop_1'), other)).toEqual({ kind: 'changed' });
    expect(await at.store.settleProposal(by, key, application('prop_1'), 1)).toEqual({ kind: 'done' });
  });

  test('a step that happens is an event for the webhooks that subscribe to it', async () => {
    await begin();
    const place = { accountId: 'acc_1', slug: 'p', webhookId: 'wh_1' };
    const webhook = {
      ...place,
      host: 'hooks.example.com:443',
      description: '',
      events: ['proposal.create', 'proposal.apply'] as const,
      environments: ['production'] as const,
      enabled: true,
      createdAt: 3_000,
      createdBy: { kind: 'developer', id: 'mem_1', name: 'Ada' } as const,
      sealedTarget: Uint8Array.of(1, 2, 3),
    };
    await at.store.createWebhook(by, webhook, 10);
    await create('prop_1');
    await create('prop_2');
    await at.store.withdrawProposal(by, { ...key, proposalId: 'prop_2' }, { author, proposer });
    await apply('prop_2', 1);
    await apply('prop_1', 1);
    const page = { after: null, itemsMax: 50, status: null, keptMax: 50 };
    const told = (await at.store.listWebhookDeliveries(place, page))?.items.map(({ type }) => type);
    expect(told?.sort()).toEqual(['proposal.apply', 'proposal.create', 'proposal.create']);
  });

  test('the base of an open one outlives the bounds of the history', async () => {
    await begin();
    await create('prop_1', { baseVersion: 1 });
    for (let version = 1; version < 200; version++)
      await at.store.writePublicState(key, { kind: 'version', version }, state(`{"n":${version + 1}}`));
    const drop = async () => {
      while ((await at.store.dropPublicStateVersions(key, { versionsMax: 2, keptAfter: 0 })) > 0);
    };
    await drop();
    expect(await at.store.readPublicStateVersion(key, 1)).toMatchObject({ kind: 'present' });
    await at.store.withdrawProposal(by, { ...key, proposalId: 'prop_1' }, { author, proposer });
    await drop();
    expect(await at.store.readPublicStateVersion(key, 1)).toEqual({ kind: 'absent' });
  });
}
