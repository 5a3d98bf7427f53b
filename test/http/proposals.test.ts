/** Proposals over HTTP. @see docs/contract.md §5.7 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.ts';
import { newMember, type TestMember } from '../support/members.ts';
import { type Developer, type Project, startServer, type TestServer } from '../support/server.ts';
import { bearerOfRobot, newRobotOf } from './service-accounts.fixture.ts';

let server: TestServer;
let owner: TestMember;
let editor: TestMember;
let viewer: TestMember;
let other: TestMember;
let accountId: string;
beforeAll(async () => {
  server = await startServer();
  const studio = await server.newDeveloper('Studio');
  accountId = studio.accountId;
  owner = await newMember(server, accountId, 'owner');
  editor = await newMember(server, accountId, 'editor');
  viewer = await newMember(server, accountId, 'viewer');
  other = await newMember(server, accountId, 'admin');
});
afterAll(() => server.stop());

type Headers = Readonly<Record<string, string>>;
interface Shown {
  readonly id: string;
  readonly revision: number;
  readonly state: string;
  readonly merged: { readonly version: number | null } | null;
  readonly approvals: readonly unknown[];
  readonly [name: string]: unknown;
}
const fault = ({ status, json }: Answer) => [status, (json as { error?: string } | undefined)?.error];
const replace = (path: string, value: unknown) => [{ op: 'replace', path, value }];
/** The owner, signed in so long ago. */
async function signedIn(ago: number): Promise<Developer> {
  const { subject } = owner;
  const claims = { accountId, subject, seconds: 900, signedInAt: Date.now() - ago };
  const token = await server.running.accessTokens.signDeveloperToken(claims);
  return { ...owner, token, bearer: { Authorization: `Bearer ${token}` } };
}
let slugs = 0;

/** A project whose production has `state` as version 1. */
async function newProject(state: object = { gold: 1, shop: { sword: 5 } }, settings?: object) {
  const slug = `proposed-${++slugs}`;
  const created = await server.call('POST', `/v1/${accountId}/projects`, { headers: owner.bearer, body: { slug } });
  expect(created.status).toBe(201);
  const path = `/v1/${accountId}/projects/${slug}`;
  const document = `${path}/public-state/production`;
  const headers = { ...owner.bearer, 'If-None-Match': '*' };
  expect((await server.call('PUT', document, { headers, body: { state } })).status).toBe(200);
  const change = (body: object, by: Developer = owner) => server.call('PATCH', path, { headers: by.bearer, body });
  if (settings !== undefined) expect((await change(settings)).status).toBe(200);
  const send = (by: Developer, method: string, rest: string, body?: unknown, more: Headers = {}) =>
    server.call(method, `${document}/proposals${rest}`, {
      headers: { ...by.bearer, ...more },
      ...(body !== undefined && { body }),
    });
  const write = async (version: number, next: object) => {
    const answer = await server.call('PUT', document, {
      headers: { ...owner.bearer, 'If-Match': `"${version}"` },
      body: { state: next },
    });
    expect(answer.status).toBe(200);
  };
  const propose = async (by: Developer, ops: unknown, more: object = {}): Promise<Shown> => {
    const answer = await send(by, 'POST', '', { baseVersion: 1, ops, ...more });
    expect(answer.status, answer.text).toBe(201);
    return answer.json as Shown;
  };
  const read = async ({ id }: Shown) => (await send(viewer, 'GET', `/${id}`)).json as Shown;
  const approve = (by: Developer, { id, revision, merged }: Shown) =>
    send(by, 'POST', `/${id}/approvals`, { revision, version: merged?.version ?? null });
  const apply = (by: Developer, { id, revision }: Shown, more: object = {}) =>
    send(by, 'POST', `/${id}/apply`, { revision, ...more });
  const current = async () => (await server.call('GET', document, { headers: owner.bearer })).json;
  return { slug, path, document, change, send, write, propose, read, approve, apply, current };
}

describe('a proposal', () => {
  it('is shown as it was made, with what applying it would do, and applied as one version of its author', async () => {
    const at = await newProject();
    const answer = await at.send(viewer, 'POST', '', { baseVersion: 1, ops: replace('/gold', 2), comment: 'more' });
    expect([answer.status, answer.headers.etag]).toEqual([201, '"1"']);
    const made = answer.json as Shown;
    const author = { kind: 'developer', id: viewer.subject };
    expect(made).toEqual({
      id: expect.stringMatching(/^prop_/),
      revision: 1,
      state: 'open',
      baseVersion: 1,
      ops: replace('/gold', 2),
      comment: 'more',
      author: expect.objectContaining(author),
      editors: [],
      scheduledBy: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      applyAt: null,
      revertAt: null,
      approvals: [],
      requiredApprovals: 0,
      appliedVersion: null,
      appliedAt: null,
      appliedBy: null,
      revertedVersion: null,
      revertedAt: null,
      failure: null,
      merged: { version: 1, ops: replace('/gold', 2), conflicts: [], violations: [] },
    });
    await at.write(1, { gold: 1, shop: { sword: 6 } });
    expect(await at.read(made)).toMatchObject({ merged: { version: 2, ops: replace('/gold', 2), conflicts: [] } });
    expect(fault(await at.apply(viewer, made))).toEqual([403, 'forbidden']);
    const applied = await at.apply(editor, made);
    expect([applied.status, applied.headers.etag]).toEqual([200, '"3"']);
    expect(applied.json).toMatchObject({ version: 3, state: { gold: 2, shop: { sword: 6 } }, comment: 'more' });
    expect(await at.current()).toEqual(applied.json);
    const history = await server.call('GET', `${at.document}/history`, { headers: owner.bearer });
    expect(history.json).toMatchObject({
      items: [{ version: 3, comment: 'more', author }, { version: 2 }, { version: 1 }],
    });
    expect(await at.read(made)).toMatchObject({
      state: 'applied',
      merged: null,
      appliedVersion: 3,
      appliedBy: { kind: 'developer', id: editor.subject },
    });
    for (const [method, rest, body, more] of [
      ['POST', '/apply', { revision: 1 }, {}],
      ['POST', '/approvals', { revision: 1, version: 3 }, {}],
      ['PATCH', '', { comment: 'x' }, { 'If-Match': '"1"' }],
      ['DELETE', '', undefined, {}],
      ['DELETE', '/approvals', undefined, {}],
    ] as const) {
      const late = await at.send(owner, method, `/${made.id}${rest}`, body, more);
      expect([method, rest, ...fault(late)]).toEqual([method, rest, 409, 'proposal_ended']);
    }
  });

  it('is refused where the document has changed, with pointers, and until its author has edited it', async () => {
    const at = await newProject();
    const made = await at.propose(viewer, replace('/shop/sword', 7));
    await at.write(1, { gold: 1, shop: { sword: 6 } });
    expect(await at.read(made)).toMatchObject({ merged: { version: 2, ops: [], conflicts: ['/shop/sword'] } });
    const refused = await at.apply(editor, made);
    expect([...fault(refused), (refused.json as Shown).conflicts]).toEqual([409, 'merge_conflict', ['/shop/sword']]);
    expect(await at.current()).toMatchObject({ version: 2 });
    const edited = await at.send(viewer, 'PATCH', `/${made.id}`, { baseVersion: 2 }, { 'If-Match': '"1"' });
    expect([edited.status, edited.headers.etag]).toEqual([200, '"2"']);
    expect(edited.json).toMatchObject({ revision: 2, baseVersion: 2, merged: { conflicts: [] } });
    expect([...fault(await at.apply(editor, made))]).toEqual([412, 'version_conflict']);
    expect((await at.apply(editor, edited.json as Shown)).status).toBe(200);
  });

  it('keeps the digits of its numbers', async () => {
    const at = await newProject();
    const body = '{"baseVersion":1,"ops":[{"op":"add","path":"/big","value":9007199254740993}]}';
    const headers = { ...viewer.bearer, 'Content-Type': 'application/json' };
    const answer = await server.call('POST', `${at.document}/proposals`, { headers, body });
    expect(answer.text).toContain('"value":9007199254740993');
    const applied = await at.apply(editor, answer.json as Shown);
    expect(applied.text).toContain('"big":9007199254740993');
  });

  it('without a document creates it, and is refused once there is one', async () => {
    const at = await newProject();
    const body = { baseVersion: null, ops: [{ op: 'add', path: '/a', value: 1 }] };
    expect(fault(await at.send(viewer, 'POST', '', body))).toEqual([409, 'base_gone']);
    const staging = `${at.path}/public-state/staging/proposals`;
    const made = await server.call('POST', staging, { headers: viewer.bearer, body });
    expect(made.json).toMatchObject({ baseVersion: null, merged: { version: null, conflicts: [] } });
    const { id } = made.json as Shown;
    const applied = await server.call('POST', `${staging}/${id}/apply`, { headers: editor.bearer, body: { revision: 1 } });
    expect(applied.json).toMatchObject({ version: 1, state: { a: 1 } });
  });

  it('that changes nothing any more is applied with the current version', async () => {
    const at = await newProject();
    const made = await at.propose(viewer, replace('/gold', 2));
    await at.write(1, { gold: 2, shop: { sword: 5 } });
    expect((await at.apply(editor, made)).json).toMatchObject({ version: 2 });
    expect(await at.read(made)).toMatchObject({ state: 'applied', appliedVersion: 2 });
  });

  it.each([
    [{ ops: replace('/gold', 2) }, 'validation_error'],
    [{ baseVersion: 1 }, 'patch_invalid'],
    [{ baseVersion: 1, ops: [] }, 'patch_invalid'],
    [{ baseVersion: 1, ops: replace('/none', 2) }, 'patch_path_not_found'],
    [{ baseVersion: '1', ops: replace('/gold', 2) }, 'validation_error'],
    [{ baseVersion: 1.5, ops: replace('/gold', 2) }, 'validation_error'],
    [{ baseVersion: 0, ops: replace('/gold', 2) }, 'validation_error'],
    [{ baseVersion: 1, ops: replace('/gold', 2), comment: 7 }, 'validation_error'],
    [{ baseVersion: 1, ops: replace('/gold', 'x'.repeat(256_000)) }, 'patch_state_too_large'],
    [[], 'validation_error'],
  ])('%# with a fault is refused: 400', async (body, code) => {
    const at = await newProject();
    expect(fault(await at.send(viewer, 'POST', '', body))).toEqual([400, code]);
    expect((await at.send(viewer, 'GET', '')).json).toEqual({ items: [], cursor: null, hasMore: false });
  });

  it('on a version that does not exist is refused: 409', async () => {
    const at = await newProject();
    const body = { baseVersion: 9, ops: replace('/gold', 2) };
    expect(fault(await at.send(viewer, 'POST', '', body))).toEqual([409, 'base_gone']);
  });

  it('is made once with an Idempotency-Key', async () => {
    const at = await newProject();
    const body = { baseVersion: 1, ops: replace('/gold', 2) };
    const once = { 'Idempotency-Key': 'k1' };
    const first = await at.send(viewer, 'POST', '', body, once);
    await at.send(viewer, 'PATCH', `/${(first.json as Shown).id}`, { comment: 'x' }, { 'If-Match': '"1"' });
    const again = await at.send(viewer, 'POST', '', body, once);
    expect([first.status, again.status, (again.json as Shown).id]).toEqual([201, 200, (first.json as Shown).id]);
    expect(again.json).toMatchObject({ revision: 2 });
    const reused = await at.send(viewer, 'POST', '', { ...body, comment: 'other' }, once);
    expect(fault(reused)).toEqual([422, 'idempotency_key_reused']);
    expect((await at.send(editor, 'POST', '', body, once)).status).toBe(201);
  });

  it('is withdrawn by its author or who may write, and loses its operations', async () => {
    const at = await newProject();
    const [mine, theirs] = [await at.propose(viewer, replace('/gold', 2)), await at.propose(editor, replace('/gold', 3))];
    expect(fault(await at.send(viewer, 'DELETE', `/${theirs.id}`))).toEqual([403, 'forbidden']);
    expect(fault(await at.send(viewer, 'PATCH', `/${theirs.id}`, { comment: 'x' }, { 'If-Match': '"1"' }))).toEqual([
      403,
      'forbidden',
    ]);
    expect((await at.send(viewer, 'DELETE', `/${mine.id}`)).status).toBe(204);
    expect((await at.send(other, 'DELETE', `/${theirs.id}`)).status).toBe(204);
    expect(await at.read(mine)).toMatchObject({ state: 'withdrawn', ops: [], merged: null });
    const listed = async (query: string) =>
      ((await at.send(viewer, 'GET', query)).json as { items: Shown[] }).items.map(({ id }) => id);
    expect(await listed('?state=withdrawn')).toEqual([theirs.id, mine.id]);
    expect(await listed('?state=open')).toEqual([]);
    expect(fault(await at.send(viewer, 'GET', '?state=closed'))).toEqual([400, 'validation_error']);
    expect(fault(await at.send(viewer, 'GET', '/prop_none'))).toEqual([404, 'not_found']);
  });

  it('is edited by the revision that was read', async () => {
    const at = await newProject();
    const { id } = await at.propose(viewer, replace('/gold', 2));
    const edit = (body: unknown, more: Headers) => at.send(viewer, 'PATCH', `/${id}`, body, more);
    expect(fault(await edit({ comment: 'x' }, {}))).toEqual([400, 'validation_error']);
    expect(fault(await edit({ comment: 'x' }, { 'If-None-Match': '*' }))).toEqual([400, 'validation_error']);
    expect(fault(await edit({}, { 'If-Match': '"1"' }))).toEqual([400, 'validation_error']);
    expect(fault(await edit({ ops: replace('/none', 1) }, { 'If-Match': '"1"' }))).toEqual([400, 'patch_path_not_found']);
    const stale = await edit({ comment: 'x' }, { 'If-Match': '"2"' });
    expect([...fault(stale), (stale.json as Shown).currentVersion]).toEqual([412, 'version_conflict', 1]);
    expect(await edit({ ops: replace('/gold', 4) }, { 'If-Match': '"1"' })).toMatchObject({ json: { revision: 2 } });
  });
});

describe('approvals', () => {
  it('are needed by everybody where a project requires them, and given by people who have no part in it', async () => {
    const at = await newProject(undefined, { requiredApprovals: { production: 1 } });
    const direct = { headers: { ...owner.bearer, 'If-Match': '"1"' }, body: { state: {} } };
    expect(fault(await server.call('PUT', at.document, direct))).toEqual([403, 'approval_required']);
    const patched = { headers: direct.headers, body: { ops: replace('/gold', 2) } };
    expect(fault(await server.call('PATCH', at.document, patched))).toEqual([403, 'approval_required']);
    const { apiKey } = await server.newApiKey({ ...at, developer: owner } as unknown as Project);
    const byKey = { headers: { Authorization: `ApiKey ${apiKey}`, 'If-Match': '"1"' }, body: { state: {} } };
    expect(fault(await server.call('PUT', at.document, byKey))).toEqual([403, 'approval_required']);

    const made = await at.propose(editor, replace('/gold', 2));
    expect(made).toMatchObject({ requiredApprovals: 1 });
    expect(fault(await at.apply(owner, made))).toEqual([403, 'approval_required']);
    expect(fault(await at.approve(editor, made))).toEqual([403, 'forbidden']);
    expect(fault(await at.approve(viewer, made))).toEqual([403, 'forbidden']);
    expect(fault(await at.approve(other, { ...made, revision: 2 }))).toEqual([412, 'version_conflict']);
    expect(fault(await at.approve(other, { ...made, merged: { version: 2 } }))).toEqual([412, 'version_conflict']);
    const approved = await at.approve(other, made);
    expect(approved.json).toMatchObject({ approvals: [{ author: { id: other.subject }, comment: null }] });
    expect((await at.apply(editor, made)).json).toMatchObject({ version: 2, state: { gold: 2 } });
  });

  it('are dropped by an edit, taken back, and lost with the power to write', async () => {
    const at = await newProject(undefined, { requiredApprovals: { production: 1 } });
    const made = await at.propose(editor, replace('/gold', 2));
    expect((await at.approve(other, made)).status).toBe(200);
    expect((await at.send(other, 'DELETE', `/${made.id}/approvals`)).status).toBe(204);
    expect(await at.read(made)).toMatchObject({ approvals: [] });
    expect((await at.approve(other, made)).status).toBe(200);
    const edited = await at.send(owner, 'PATCH', `/${made.id}`, { comment: 'x' }, { 'If-Match': '"1"' });
    expect(edited.json).toMatchObject({ approvals: [], editors: [{ id: owner.subject }] });
    expect(fault(await at.approve(owner, edited.json as Shown))).toEqual([403, 'forbidden']);
    const passing = await newMember(server, accountId, 'editor');
    expect((await at.approve(passing, edited.json as Shown)).status).toBe(200);
    const demoted = { headers: owner.bearer, body: { role: 'viewer' } };
    expect((await server.call('PATCH', `/v1/${accountId}/members/${passing.memberId}`, demoted)).status).toBe(200);
    expect(await at.read(made)).toMatchObject({ approvals: [] });
    expect(fault(await at.apply(editor, edited.json as Shown))).toEqual([403, 'approval_required']);
  });

  it('are never given by a service account, nor to one by the person who made it', async () => {
    const at = await newProject(undefined, { requiredApprovals: { production: 1 } });
    const { id, clientSecret } = await newRobotOf(server, other);
    const robot = { ...owner, bearer: (await bearerOfRobot(server, { id, clientSecret })) as Developer['bearer'] };
    const made = await at.propose(robot, replace('/gold', 2));
    expect(made).toMatchObject({ author: { kind: 'service_account', id } });
    expect(fault(await at.approve(robot, await at.propose(editor, replace('/gold', 3))))).toEqual([403, 'forbidden']);
    expect(fault(await at.approve(other, made))).toEqual([403, 'forbidden']);
    expect((await at.approve(owner, made)).status).toBe(200);
  });

  it('are overridden by an owner who has just signed in, with a comment', async () => {
    const at = await newProject(undefined, { requiredApprovals: { production: 2 } });
    const made = await at.propose(editor, replace('/gold', 2));
    expect(fault(await at.apply(other, made, { override: true, comment: 'now' }))).toEqual([403, 'forbidden']);
    expect(fault(await at.apply(await signedIn(0), made, { override: true }))).toEqual([400, 'validation_error']);
    const reason = { override: true, comment: 'the shop is broken' };
    expect(fault(await at.apply(await signedIn(11 * 60_000), made, reason))).toEqual([403, 'sign_in_again']);
    const applied = await at.apply(await signedIn(9 * 60_000), made, reason);
    expect(applied.json).toMatchObject({ version: 2, comment: 'the shop is broken' });
    const audit = await server.call('GET', `/v1/${accountId}/audit?limit=2`, { headers: owner.bearer });
    expect(audit.json).toMatchObject({
      items: [{ action: 'proposal.override', target: expect.stringContaining(made.id) }, { action: 'proposal.create' }],
    });
  });

  it('are lowered by an owner alone, who alone deletes such a project', async () => {
    const at = await newProject(undefined, { requiredApprovals: { production: 2, staging: 1 } });
    expect((await at.change({ requiredApprovals: { production: 3 } }, other)).json).toMatchObject({
      requiredApprovals: { development: 0, staging: 1, production: 3 },
    });
    expect(fault(await at.change({ requiredApprovals: { production: 2 } }, other))).toEqual([403, 'forbidden']);
    expect(fault(await at.change({ requiredApprovals: { production: 6 } }))).toEqual([400, 'validation_error']);
    expect(fault(await server.call('DELETE', at.path, { headers: other.bearer }))).toEqual([403, 'forbidden']);
    const lowered = await at.change({ requiredApprovals: { production: 0 } });
    expect(lowered.json).toMatchObject({ requiredApprovals: { development: 0, staging: 1, production: 0 } });
    expect((await server.call('DELETE', at.path, { headers: owner.bearer })).status).toBe(204);
  });
});

it('a schema that came meanwhile is shown, and prevents the write', async () => {
  const at = await newProject();
  const made = await at.propose(viewer, replace('/gold', -1));
  const schema = { properties: { gold: { minimum: 0 } } };
  const headers = { ...owner.bearer, 'If-None-Match': '*' };
  const path = `${at.path}/schemas/production/public-state`;
  expect((await server.call('PUT', path, { headers, body: { mode: 'enforce', schema } })).status).toBe(200);
  expect(await at.read(made)).toMatchObject({ merged: { violations: [{ path: '/gold', keyword: 'minimum' }] } });
  expect(fault(await at.apply(editor, made))).toEqual([400, 'validation_error']);
  const late = await at.send(viewer, 'POST', '', { baseVersion: 1, ops: replace('/gold', -2) });
  expect(fault(late)).toEqual([400, 'validation_error']);
});

it('in a protected environment, those who may write there apply, with a comment', async () => {
  const at = await newProject(undefined, { protectedEnvironments: ['production'] });
  const made = await at.propose(editor, replace('/gold', 2));
  expect(fault(await at.apply(editor, made))).toEqual([403, 'forbidden']);
  expect(fault(await at.apply(other, made))).toEqual([400, 'validation_error']);
  expect((await at.apply(other, made, { comment: 'as agreed' })).json).toMatchObject({ comment: 'as agreed' });
});

it('20 open proposals of an author and no more, and 50 of all who may not write', async () => {
  const at = await newProject();
  const body = { baseVersion: 1, ops: replace('/gold', 2) };
  const many = (by: Developer, count: number) =>
    Promise.all(Array.from({ length: count }, async () => (await at.send(by, 'POST', '', body)).status));
  const outcomes = await many(viewer, 22);
  expect(outcomes.sort()).toEqual([...Array(20).fill(201), 409, 409]);
  expect(fault(await at.send(viewer, 'POST', '', body))).toEqual([409, 'limit_reached']);
  await many(await newMember(server, accountId, 'support'), 20);
  const last = await many(await newMember(server, accountId, 'viewer'), 12);
  expect(last.filter((status) => status === 201)).toHaveLength(10);
  expect((await at.send(editor, 'POST', '', body)).status).toBe(201);
});
