/** Proposals under attack: crowds, races, and what changes between a proposal and its time. @see docs/contract.md §5.7 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.ts';
import { newMember, type TestMember } from '../support/members.ts';
import { type Developer, startServer, type TestServer } from '../support/server.ts';
import { beforeDue, day, fault, inTime, newProposalProject, replace, type Shown } from './proposals.fixture.ts';
import { bearerOfRobot, newRobotOf } from './service-accounts.fixture.ts';

let server: TestServer;
let accountId: string;
let owner: TestMember;
let editor: TestMember;
beforeAll(async () => {
  server = await startServer();
  ({ accountId } = await server.newDeveloper('Studio'));
  owner = await newMember(server, accountId, 'owner');
  editor = await newMember(server, accountId, 'editor');
});
afterAll(() => server.stop());

const newProject = (settings?: object) => newProposalProject(server, owner, settings);
const members = (role: 'admin' | 'editor' | 'viewer' | 'support', count: number) =>
  Promise.all(Array.from({ length: count }, () => newMember(server, accountId, role)));
const counted = (answers: readonly Answer[]) => {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[fault(answer).join(' ')] = (counts[fault(answer).join(' ')] ?? 0) + 1;
  return counts;
};
const change = (member: TestMember, method: 'PATCH' | 'DELETE', body?: object) =>
  server.call(method, `/v1/${accountId}/members/${member.memberId}`, { headers: owner.bearer, ...(body && { body }) });

describe('crowds', () => {
  it('leave 100 open proposals and no more, 20 of an author, 50 of those who may not write', async () => {
    const at = await newProject();
    const body = { baseVersion: 1, ops: replace('/gold', 2) };
    const readers = [...(await members('viewer', 2)), ...(await members('support', 2))];
    const flood = (people: readonly Developer[], each: number) =>
      Promise.all(people.flatMap((one) => Array.from({ length: each }, () => at.send(one, 'POST', '', body))));
    expect(counted(await flood(readers, 25))).toEqual({ '201 ': 50, '409 limit_reached': 50 });
    const writers = await members('editor', 4);
    expect(counted(await flood(writers, 25))).toEqual({ '201 ': 50, '409 limit_reached': 50 });
    const page = async (cursor = '') =>
      (await at.send(owner, 'GET', `?state=open&limit=50${cursor}`)).json as { items: Shown[]; cursor: string };
    const found = await page();
    const rest = await page(`&cursor=${encodeURIComponent(found.cursor)}`);
    expect([found.items.length, rest.items.length, rest.cursor]).toEqual([50, 50, null]);
    expect(fault(await at.send(owner, 'POST', '', body))).toEqual([409, 'limit_reached']);
    // One that ends makes room for one.
    expect((await at.send(owner, 'DELETE', `/${found.items[0]?.id}`)).status).toBe(204);
    expect(counted(await flood([owner], 10))).toEqual({ '201 ': 1, '409 limit_reached': 9 });
  });

  it('that approve, edit, withdraw and apply at once apply one revision once, with its approvals', async () => {
    const at = await newProject({ requiredApprovals: { production: 1 } });
    const [first, second] = (await members('admin', 2)) as [TestMember, TestMember];
    for (let round = 0; round < 4; round++) {
      const { version } = (await at.current()) as { version: number };
      const made = await at.propose(editor, { baseVersion: version, ops: replace('/gold', 100 + round) });
      const many = (count: number, send: () => Promise<Answer>) => Array.from({ length: count }, send);
      const edit = { ops: replace('/gold', 200 + round) };
      const [approved, edited, applied] = await Promise.all([
        Promise.all([...many(20, () => at.approve(first, made)), ...many(20, () => at.approve(second, made))]),
        Promise.all(many(10, () => at.edit(editor, made, edit))),
        Promise.all(many(50, () => at.apply(editor, made))),
      ]);
      expect(edited.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
      expect([...approved, ...edited, ...applied].every(({ status }) => status < 500)).toBe(true);
      const now = await at.read(made);
      const written = applied.filter(({ status }) => status === 200);
      expect(written.length).toBeLessThanOrEqual(1);
      const current = (await at.current()) as { version: number; state: { gold: number } };
      if (written.length === 1) {
        expect(now).toMatchObject({ state: 'applied', revision: 1, appliedVersion: version + 1 });
        expect(current).toMatchObject({ version: version + 1, state: { gold: 100 + round } });
      } else {
        expect(current.version).toBe(version);
        const isEdited = edited.some(({ status }) => status === 200);
        expect(now).toMatchObject({ state: 'open', revision: isEdited ? 2 : 1, ...(isEdited && { approvals: [] }) });
        expect((await at.send(owner, 'DELETE', `/${made.id}`)).status).toBe(204);
      }
    }
  });
});

describe('between a proposal and its end', () => {
  it('operations that fitted the base and not today are a conflict, at once and at a time', async () => {
    const at = await newProject();
    await at.put({ gold: 1, other: 1, shop: { sword: { price: 5 } }, list: [1, 2, 3] }, { 'If-Match': '"1"' });
    const lost = [{ op: 'remove', path: '/shop/sword/price' }];
    const short = [{ op: 'replace', path: '/list/2', value: 9 }];
    const [removed, timed, shortened] = [
      await at.propose(editor, { baseVersion: 2, ops: lost }),
      await at.propose(editor, { baseVersion: 2, ops: [{ op: 'add', path: '/shop/sword/rare', value: true }] }),
      await at.propose(editor, { baseVersion: 2, ops: short }),
    ];
    await at.put({ gold: 1, other: 1, shop: {}, list: [1, 2] }, { 'If-Match': '"2"' });
    for (const made of [removed, shortened]) {
      expect(fault(await at.apply(editor, made))).toEqual([409, 'merge_conflict']);
      expect((await at.read(made)).merged).toMatchObject({ ops: [], conflicts: [expect.any(String)] });
    }
    await at.move(timed, { applyAt: Date.now() });
    await at.becomes(timed, { state: 'failed', failure: { code: 'merge_conflict', conflicts: [expect.any(String)] } });
    expect(await at.current()).toMatchObject({ version: 3 });
  });

  it('a base that retention has dropped is refused, and that of an open proposal is not dropped', async () => {
    const at = await newProject({ publicStateHistory: { versions: 2, days: 30 } });
    // Versions are dropped in runs.
    const writeTo = async (last: number) => {
      const { version } = (await at.current()) as { version: number };
      for (let n = version; n < last; n++) await at.put({ gold: 1, other: n }, { 'If-Match': `"${n}"` });
    };
    const place = { accountId, slug: at.slug, environment: 'production' } as const;
    const drop = async () => {
      const bounds = { versionsMax: 2, keptAfter: Date.now() };
      while ((await server.running.store.dropPublicStateVersions(place, bounds)) > 0);
    };
    await writeTo(150);
    await drop();
    const late = { baseVersion: 1, ops: replace('/gold', 2) };
    expect(fault(await at.send(editor, 'POST', '', late))).toEqual([409, 'base_gone']);
    const kept = await at.propose(editor, { baseVersion: 150 });
    await writeTo(300);
    await drop();
    expect((await at.apply(editor, kept)).json).toMatchObject({ state: { gold: 2, other: 299 } });
    const between = { baseVersion: 140, ops: replace('/gold', 3) };
    await drop();
    expect(fault(await at.send(editor, 'POST', '', between))).toEqual([409, 'base_gone']);
  });

  it('whoever set the time is removed', async () => {
    const { at, left } = await beforeDue(async (due) => {
      const at = await newProject();
      const leaving = await newMember(server, accountId, 'editor');
      const left = await at.propose(leaving);
      await at.move(left, { applyAt: due }, leaving);
      expect((await change(leaving, 'DELETE')).status).toBe(204);
      return { at, left };
    });
    expect(await at.becomes(left, { state: 'failed' })).toMatchObject({ failure: { code: 'forbidden' } });
  });

  it('the environment is protected, the project is deleted', async () => {
    const { at, silent, other, refused } = await beforeDue(async (due) => {
      const at = await newProject();
      const silent = await at.propose(owner, { ops: replace('/other', due) });
      await at.move(silent, { applyAt: due });
      await at.change({ protectedEnvironments: ['production'] });
      return { at, silent, other: due, refused: await at.apply(owner, await at.read(silent)) };
    });
    expect(fault(refused)).toEqual([400, 'validation_error']);
    await at.becomes(silent, { state: 'failed', failure: { code: 'validation_error' } });
    expect(await at.current()).not.toMatchObject({ state: { other } });
    await at.change({ protectedEnvironments: [] });
    const gone = await at.propose(editor, { ops: replace('/other', 7) });
    await at.move(gone, { applyAt: Date.now() + 1_500 });
    expect((await server.call('DELETE', at.path, { headers: owner.bearer })).status).toBe(204);
    expect(fault(await at.send(owner, 'GET', `/${gone.id}`))).toEqual([404, 'not_found']);
    const { store } = server.running;
    await expect.poll(async () => (await store.listDueProposals(100)).accounts).not.toContain(accountId);
  });
});

describe('approvals', () => {
  it('of one member count once, and of those whose role, environment or membership has changed not at all', async () => {
    const at = await newProject({ requiredApprovals: { production: 3 } });
    const made = await at.propose(editor);
    const [one, two, three] = (await members('editor', 3)) as [TestMember, TestMember, TestMember];
    for (const from of [one, one, one, two, three]) expect((await at.approve(from, made)).status).toBe(200);
    expect((await at.read(made)).approvals).toHaveLength(3);
    expect((await change(two, 'PATCH', { environments: ['staging'] })).status).toBe(200);
    expect((await change(three, 'DELETE')).status).toBe(204);
    expect((await at.read(made)).approvals).toHaveLength(1);
    expect(fault(await at.apply(editor, made))).toEqual([403, 'approval_required']);
    expect((await change(two, 'PATCH', { environments: null })).status).toBe(200);
    expect((await at.read(made)).approvals).toHaveLength(2);
    await at.change({ requiredApprovals: { production: 2 } });
    expect((await at.apply(editor, made)).status).toBe(200);
  });

  it('do not come from whoever made the service account that proposed, or its secret, however it proposes', async () => {
    const at = await newProject({ requiredApprovals: { production: 1 } });
    const [maker, secretMaker, third] = (await members('admin', 3)) as [TestMember, TestMember, TestMember];
    const robot = await newRobotOf(server, maker);
    const added = await server.call('POST', `/v1/${accountId}/service-accounts/${robot.id}/secrets`, {
      headers: secretMaker.bearer,
    });
    expect(added.status).toBe(201);
    const acting = { ...owner, bearer: (await bearerOfRobot(server, robot)) as Developer['bearer'] };
    const made = await at.propose(acting);
    for (const from of [maker, secretMaker, acting])
      expect(fault(await at.approve(from, made))).toEqual([403, 'forbidden']);
    // Editing with it counts as well.
    const other = await at.propose(editor, { ops: replace('/other', 3) });
    const edited = (await at.edit(acting, other, { comment: 'by a robot' })).json as Shown;
    expect(fault(await at.approve(maker, edited))).toEqual([403, 'forbidden']);
    expect((await at.approve(third, edited)).status).toBe(200);
    const key = { headers: { Authorization: `ApiKey ${(await server.newApiKey({ ...at, developer: owner })).apiKey}` } };
    const byKey = { ...key, body: { revision: edited.revision } };
    const answer = await server.call('POST', `${at.document}/proposals/${edited.id}/apply`, byKey);
    expect([401, 403]).toContain(answer.status);
    expect((await at.apply(acting, edited)).status).toBe(200);
  });

  it('are demanded of a time too, and one that sets it cannot give its own', async () => {
    const at = await newProject({ requiredApprovals: { production: 1 } });
    const [approver] = (await members('editor', 1)) as [TestMember];
    const made = await at.propose(editor, { applyAt: inTime(day) });
    expect((await at.approve(approver, made)).status).toBe(200);
    const moved = (await at.edit(approver, made, { applyAt: inTime(2 * day) })).json as Shown;
    expect(moved).toMatchObject({ approvals: [], revision: 2 });
    expect(fault(await at.approve(approver, moved))).toEqual([403, 'forbidden']);
    await at.move(moved, { applyAt: Date.now() });
    await at.becomes(moved, { state: 'failed', failure: { code: 'approval_required' } });
  });
});
