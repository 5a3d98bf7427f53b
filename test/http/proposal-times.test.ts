/** Proposals at their times, over HTTP. @see docs/contract.md §5.7 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newMember, type TestMember } from '../support/members.ts';
import { type Developer, startServer, type TestServer } from '../support/server.ts';
import { beforeDue, day, fault, inTime, minute, newProposalProject, replace, type Shown } from './proposals.fixture.ts';

let server: TestServer;
let accountId: string;
let owner: TestMember;
let editor: TestMember;
let viewer: TestMember;
beforeAll(async () => {
  server = await startServer();
  ({ accountId } = await server.newDeveloper('Studio'));
  owner = await newMember(server, accountId, 'owner');
  editor = await newMember(server, accountId, 'editor');
  viewer = await newMember(server, accountId, 'viewer');
});
afterAll(() => server.stop());

const by = () => ({ actor: { kind: 'operator', id: 'operator', name: null }, requestId: 'test', at: Date.now() }) as const;
const newProject = (settings?: object) => newProposalProject(server, owner, settings);
const actions = async (count: number) => {
  const answer = await server.call('GET', `/v1/${accountId}/audit?limit=${count}`, { headers: owner.bearer });
  return (answer.json as { items: { action: string; actor: { id: string } }[] }).items;
};

describe('times', () => {
  it('are shown in UTC, and set by those with write access alone', async () => {
    const at = await newProject();
    const [applyAt, revertAt] = [inTime(day), inTime(2 * day)];
    const shown = await at.propose(editor, { applyAt: applyAt.replace('Z', '+00:00'), revertAt });
    expect(shown).toMatchObject({ applyAt, revertAt, scheduledBy: { id: editor.subject }, failure: null });
    const body = { baseVersion: 1, ops: replace('/gold', 2) };
    expect(fault(await at.send(viewer, 'POST', '', { ...body, applyAt }))).toEqual([403, 'forbidden']);
    expect(fault(await at.send(viewer, 'POST', '', { ...body, revertAt }))).toEqual([403, 'forbidden']);
    expect(await at.propose(viewer, { applyAt: null, revertAt: null })).toMatchObject({ scheduledBy: null });
  });

  it('of a proposal keep its author from changing what happens then', async () => {
    const at = await newProject();
    const made = await at.propose(viewer);
    const timed = (await at.edit(editor, made, { applyAt: inTime(day) })).json as Shown;
    expect(timed).toMatchObject({ revision: 2, scheduledBy: { id: editor.subject } });
    expect(fault(await at.edit(viewer, timed, { ops: replace('/gold', 999) }))).toEqual([403, 'forbidden']);
    expect(fault(await at.edit(viewer, timed, { applyAt: null }))).toEqual([403, 'forbidden']);
    const cleared = (await at.edit(editor, timed, { applyAt: null })).json as Shown;
    expect(cleared).toMatchObject({ revision: 3, applyAt: null, scheduledBy: null });
    expect((await at.edit(viewer, cleared, { ops: replace('/gold', 3) })).status).toBe(200);
    expect((await at.send(viewer, 'DELETE', `/${timed.id}`)).status).toBe(204);
  });

  it.each([
    { applyAt: '2030-01-01T00:00:00' },
    { applyAt: '2026-02-30T00:00:00Z' },
    { applyAt: 1_900_000_000_000 },
    { applyAt: `2030-01-01T00:00:00.${'0'.repeat(5_000)}Z` },
    { applyAt: inTime(-1_000) },
    { revertAt: inTime(-1_000) },
    { applyAt: inTime(367 * day) },
    { revertAt: inTime(367 * day) },
    { applyAt: inTime(2 * day), revertAt: inTime(day) },
    { applyAt: inTime(day).replace('Z', '+00:00'), revertAt: inTime(day - 1_000) },
  ])('%# that cannot be meant are refused: 400', async (times) => {
    const at = await newProject();
    const body = { baseVersion: 1, ops: replace('/gold', 2) };
    expect(fault(await at.send(editor, 'POST', '', { ...body, ...times }))).toEqual([400, 'validation_error']);
    const made = await at.propose(editor);
    expect(fault(await at.edit(editor, made, times))).toEqual([400, 'validation_error']);
    expect(await at.read(made)).toMatchObject({ revision: 1, applyAt: null, revertAt: null });
  });

  it('in a protected environment need the comment of the proposal', async () => {
    const at = await newProject({ protectedEnvironments: ['production'] });
    const body = { baseVersion: 1, ops: replace('/gold', 2), applyAt: inTime(day) };
    expect(fault(await at.send(editor, 'POST', '', { ...body, comment: 'why' }))).toEqual([403, 'forbidden']);
    expect(fault(await at.send(owner, 'POST', '', body))).toEqual([400, 'validation_error']);
    const made = await at.propose(owner, { applyAt: inTime(day), comment: 'why' });
    expect(fault(await at.edit(owner, made, { comment: null }))).toEqual([400, 'validation_error']);
    expect((await at.edit(owner, made, { applyAt: null, comment: null })).status).toBe(200);
  });
});

describe('at its time', () => {
  it('a proposal is merged, written as one version of its author, and undone again', async () => {
    const at = await newProject();
    const made = await at.propose(viewer, { comment: 'double gold' });
    await at.put({ gold: 1, other: 2 }, { 'If-Match': '"1"' });
    await at.move(made, { applyAt: Date.now(), revertAt: Date.now() + day });
    const applied = await at.becomes(made, { state: 'applied', appliedVersion: 3, revertedVersion: null, failure: null });
    expect(await at.current()).toMatchObject({ version: 3, state: { gold: 2, other: 2 }, comment: 'double gold' });
    await at.put({ gold: 2, other: 3 }, { 'If-Match': '"3"' });
    await at.move(applied, { revertAt: Date.now() });
    await at.becomes(made, { state: 'applied', revertedVersion: 5, revertedAt: expect.any(String), failure: null });
    expect(await at.current()).toMatchObject({ version: 5, state: { gold: 1, other: 3 }, comment: 'double gold' });
    const told = (await actions(4)).map(({ action, actor }) => [action, actor.id]);
    expect(told).toContainEqual(['proposal.revert', owner.memberId]);
    expect(told).toContainEqual(['proposal.apply', owner.memberId]);
    expect(fault(await at.edit(owner, await at.read(made), { revertAt: inTime(day) }))).toEqual([409, 'proposal_ended']);
  });

  it('that changes nothing any more, and a revert of it, leave the document alone', async () => {
    const at = await newProject();
    const made = await at.propose(editor);
    await at.put({ gold: 2, other: 1 }, { 'If-Match': '"1"' });
    await at.move(made, { applyAt: Date.now() });
    await at.becomes(made, { state: 'applied', appliedVersion: 2 });
    await at.move(made, { revertAt: Date.now() });
    await at.becomes(made, { revertedVersion: 2 });
    expect(await at.current()).toMatchObject({ version: 2, state: { gold: 2 } });
  });

  it('what overlaps with a later change fails with its pointers, once, and nothing is written', async () => {
    const at = await newProject();
    const made = await at.propose(editor);
    await at.put({ gold: 7, other: 1 }, { 'If-Match': '"1"' });
    await at.move(made, { applyAt: Date.now(), revertAt: Date.now() + day });
    const failed = await at.becomes(made, { state: 'failed' });
    expect(failed).toMatchObject({ failure: { code: 'merge_conflict', conflicts: ['/gold'] }, appliedVersion: null });
    expect(await at.current()).toMatchObject({ version: 2, state: { gold: 7 } });
    for (const ended of [at.edit(owner, failed, { comment: 'x' }), at.send(owner, 'DELETE', `/${made.id}`)])
      expect(fault(await ended)).toEqual([409, 'proposal_ended']);
    expect((await at.send(viewer, 'GET', '?state=failed')).json).toMatchObject({ items: [{ id: made.id }] });
    expect((await actions(5)).filter(({ action }) => action === 'proposal.fail')).toHaveLength(1);
  });

  it('a revert that overlaps shows why, and happens once it does not', async () => {
    const at = await newProject();
    const made = await at.propose(editor);
    await at.move(made, { applyAt: Date.now() });
    await at.becomes(made, { state: 'applied' });
    await at.put({ gold: 9, other: 1 }, { 'If-Match': '"2"' });
    await at.move(made, { revertAt: Date.now() });
    const waiting = { state: 'applied', revertedVersion: null, failure: { code: 'merge_conflict', conflicts: ['/gold'] } };
    await at.becomes(made, waiting);
    await at.put({ gold: 2, other: 1 }, { 'If-Match': '"3"' });
    await at.move(made, { revertAt: Date.now() });
    await at.becomes(made, { revertedVersion: 5, failure: null });
    expect(await at.current()).toMatchObject({ state: { gold: 1 } });
  });

  it.each([
    [{ applyAt: -61 * minute, revertAt: null }, 'too_late'],
    [{ applyAt: null, revertAt: -minute }, 'too_late'],
    [{ applyAt: -59 * minute, revertAt: null }, undefined],
  ])('%# what is an hour late, or over before it was applied, fails', async ({ applyAt, revertAt }, code) => {
    const at = await newProject();
    const made = await at.propose(editor);
    const ago = (time: number | null) => (time === null ? null : Date.now() + time);
    await at.move(made, { applyAt: ago(applyAt), revertAt: ago(revertAt) });
    await at.becomes(made, code === undefined ? { state: 'applied' } : { state: 'failed', failure: { code } });
    expect(await at.current()).toMatchObject({ version: code === undefined ? 2 : 1 });
  });

  it('the schema, the approvals and the quota of that moment count', async () => {
    const at = await newProject();
    const [low, unapproved] = [await at.propose(editor, { ops: replace('/gold', -1) }), await at.propose(editor)];
    const path = `${at.path}/schemas/production/public-state`;
    const body = { mode: 'enforce', schema: { properties: { gold: { minimum: 0 } } } };
    await server.call('PUT', path, { headers: { ...owner.bearer, 'If-None-Match': '*' }, body });
    await at.move(low, { applyAt: Date.now() });
    await at.becomes(low, { state: 'failed', failure: { code: 'validation_error', conflicts: [] } });
    await at.change({ requiredApprovals: { production: 1 } });
    await at.move(unapproved, { applyAt: Date.now() });
    await at.becomes(unapproved, { state: 'failed', failure: { code: 'approval_required' } });
    expect(await at.current()).toMatchObject({ version: 1 });
  });

  it('whoever set it must still have write access; a revert needs nobody', async () => {
    const { at, mine, other } = await beforeDue(async (due) => {
      const at = await newProject();
      const passing = await newMember(server, accountId, 'editor');
      const [mine, other] = [await at.propose(passing), await at.propose(passing, { ops: replace('/other', 5) })];
      await at.move(other, { applyAt: Date.now() }, passing);
      await at.becomes(other, { state: 'applied' });
      // Nothing looks before both are due.
      await at.move(mine, { applyAt: due }, passing);
      await at.move(other, { revertAt: due }, passing);
      const demoted = { headers: owner.bearer, body: { role: 'viewer' } };
      expect((await server.call('PATCH', `/v1/${accountId}/members/${passing.memberId}`, demoted)).status).toBe(200);
      return { at, mine, other };
    });
    await at.becomes(mine, { state: 'failed', failure: { code: 'forbidden' } });
    await at.becomes(other, { revertedVersion: 3, failure: null });
  });

  it('a suspended account is not written to, and a revert waits for its end', async () => {
    const { store } = server.running;
    const at = await newProject();
    const [made, kept] = [await at.propose(editor), await at.propose(editor, { ops: replace('/other', 5) })];
    await at.move(kept, { applyAt: Date.now() });
    await at.becomes(kept, { state: 'applied' });
    await store.suspendAccount(by(), accountId, Date.now());
    await at.move(made, { applyAt: Date.now() });
    await at.move(kept, { revertAt: Date.now() });
    const stateOf = async ({ id }: Shown) =>
      store.findProposal({ accountId, slug: at.slug, environment: 'production', proposalId: id });
    await expect.poll(async () => (await stateOf(made))?.failure?.code).toBe('forbidden');
    await expect.poll(async () => (await stateOf(kept))?.failure?.code).toBe('forbidden');
    await store.suspendAccount(by(), accountId, null);
    await at.move(kept, { revertAt: Date.now() });
    await at.becomes(kept, { revertedVersion: 3, failure: null });
    expect(await at.read(made)).toMatchObject({ state: 'failed' });
  });
});

describe('once applied', () => {
  it('only the time of the revert changes, by those with write access, where no approvals are required', async () => {
    const at = await newProject();
    const made = await at.propose(viewer);
    expect((await at.send(editor, 'POST', `/${made.id}/apply`, { revision: 1 })).status).toBe(200);
    const edit = (from: Developer, body: object) => at.edit(from, { ...made, revision: 1 }, body);
    expect(fault(await edit(editor, { revertAt: inTime(day), comment: 'x' }))).toEqual([409, 'proposal_ended']);
    expect(fault(await edit(editor, { applyAt: inTime(day) }))).toEqual([409, 'proposal_ended']);
    expect(fault(await edit(editor, { revertAt: inTime(-1_000) }))).toEqual([400, 'validation_error']);
    expect(fault(await edit(viewer, { revertAt: inTime(day) }))).toEqual([403, 'forbidden']);
    const revertAt = inTime(day);
    const timed = await edit(editor, { revertAt });
    expect(timed.json).toMatchObject({ revision: 2, state: 'applied', revertAt, scheduledBy: { id: editor.subject } });
    await at.change({ requiredApprovals: { production: 1 } });
    expect(fault(await at.edit(editor, timed.json as Shown, { revertAt: null }))).toEqual([403, 'approval_required']);
    await at.change({ requiredApprovals: { production: 0 } });
    expect((await at.edit(editor, timed.json as Shown, { revertAt: null })).json).toMatchObject({ revertAt: null });
  });
});
