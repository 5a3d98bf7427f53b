/** Protected environments over HTTP. @see docs/contract.md §3.7 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/client.ts';
import { newMember } from '../support/members.ts';
import { type Project, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const pathOf = (project: Project, environment = 'production') => `${project.path}/public-state/${environment}`;
const fault = (answer: Answer) => [answer.status, (answer.json as { error?: string }).error];
const protect = (project: Project, protectedEnvironments: unknown) =>
  server.call('PATCH', project.path, { headers: project.developer.bearer, body: { protectedEnvironments } });

async function protectedProject(environments: readonly string[] = ['production']): Promise<Project> {
  const project = await server.newProject();
  expect((await protect(project, environments)).status).toBe(200);
  return project;
}

type Headers = Readonly<Record<string, string>>;
const create: Headers = { 'If-None-Match': '*' };

/** Every way to write public state, each as a creation. */
const ways = [
  ['PUT', (comment?: unknown) => ({ state: { a: 1 }, ...(comment !== undefined && { comment }) })],
  [
    'PATCH',
    (comment?: unknown) => ({ ops: [{ op: 'add', path: '/a', value: 1 }], ...(comment !== undefined && { comment }) }),
  ],
] as const;

describe('the setting', () => {
  test('is empty at first, set by PATCH, and shown by every route of projects', async () => {
    const project = await server.newProject();
    const { bearer: headers, accountId } = project.developer;
    const read = async () => (await server.call('GET', project.path, { headers })).json;
    expect(await read()).toMatchObject({ protectedEnvironments: [] });
    const changed = await protect(project, ['production', 'development']);
    const record = { slug: project.slug, protectedEnvironments: ['development', 'production'] };
    expect([changed.status, changed.json]).toEqual([200, expect.objectContaining(record)]);
    expect(await read()).toMatchObject(record);
    const page = await server.call('GET', `/v1/${accountId}/projects`, { headers });
    expect(page.json).toMatchObject({ items: [record] });
    const renamed = await server.call('PATCH', project.path, { headers, body: { name: 'New' } });
    expect(renamed.json).toMatchObject({ ...record, name: 'New' });
    expect((await protect(project, [])).json).toMatchObject({ name: 'New', protectedEnvironments: [] });
    const created = await server.call('POST', `/v1/${accountId}/projects`, { headers, body: { slug: 'made' } });
    expect(created.json).toMatchObject({ protectedEnvironments: [] });
  });

  test.each([null, 'production', ['Production'], ['production', 'production'], ['qa'], [null], {}])(
    '%j: 400',
    async (value) => {
      const project = await server.newProject();
      expect(fault(await protect(project, value))).toEqual([400, 'validation_error']);
    },
  );

  test('needs a member to change: 400', async () => {
    const project = await server.newProject();
    const answer = await server.call('PATCH', project.path, { headers: project.developer.bearer, body: { other: 1 } });
    expect(fault(answer)).toEqual([400, 'validation_error']);
  });
});

describe.each(ways)('%s', (method, bodyOf) => {
  test('an API key is refused, with a reason, before its body is checked', async () => {
    const project = await protectedProject();
    const { apiKey } = await server.newApiKey(project);
    const Authorization = `ApiKey ${apiKey}`;
    for (const body of [bodyOf('why'), '{']) {
      const headers = { Authorization, ...create, 'Content-Type': 'application/json' };
      const answer = await server.call(method, pathOf(project), { headers, body });
      expect(fault(answer)).toEqual([403, 'forbidden']);
      expect(answer.json).toMatchObject({ message: expect.stringContaining('environment production is protected') });
    }
    const elsewhere = { headers: { Authorization, ...create }, body: bodyOf() };
    expect((await server.call(method, pathOf(project, 'staging'), elsewhere)).status).toBe(200);
    expect((await server.call('GET', pathOf(project), { headers: { Authorization } })).status).toBe(204);
  });

  test.each([undefined, null, '', ' \n', '\u200b', '\u2060\u3164'])(
    'the comment %j is refused, and nothing is written',
    async (comment) => {
      const project = await protectedProject();
      const { bearer } = project.developer;
      const refused = await server.call(method, pathOf(project), {
        headers: { ...bearer, ...create },
        body: bodyOf(comment),
      });
      expect(fault(refused)).toEqual([400, 'validation_error']);
      expect(refused.json).toMatchObject({ message: expect.stringContaining('"comment"') });
      expect((await server.call('GET', pathOf(project), { headers: bearer })).status).toBe(204);
    },
  );

  test('an owner writes with a comment, which is checked before the version', async () => {
    const project = await protectedProject();
    const { bearer } = project.developer;
    const written = await server.call(method, pathOf(project), { headers: { ...bearer, ...create }, body: bodyOf('why') });
    expect([written.status, written.json]).toEqual([200, expect.objectContaining({ version: 1, comment: 'why' })]);
    const stale = { ...bearer, 'If-Match': '"7"' };
    expect(fault(await server.call(method, pathOf(project), { headers: stale, body: bodyOf() }))[0]).toBe(400);
    expect(fault(await server.call(method, pathOf(project), { headers: stale, body: bodyOf('x') }))[0]).toBe(412);
  });

  test('a large body without a comment is refused on its thread too', async () => {
    const project = await protectedProject();
    const { bearer } = project.developer;
    const value = 'x'.repeat(100_000);
    const body = method === 'PUT' ? { state: { value } } : { ops: [{ op: 'add', path: '/value', value }] };
    const refused = await server.call(method, pathOf(project), { headers: { ...bearer, ...create }, body });
    expect(fault(refused)).toEqual([400, 'validation_error']);
  });

  test('a repeated write with an idempotency key gets the first response if it has the comment', async () => {
    const project = await protectedProject();
    const headers = { ...project.developer.bearer, ...create, 'Idempotency-Key': 'once' };
    for (let time = 0; time < 2; time++) {
      const answer = await server.call(method, pathOf(project), { headers, body: bodyOf('why') });
      expect([answer.status, answer.json]).toEqual([200, expect.objectContaining({ version: 1 })]);
    }
    expect(fault(await server.call(method, pathOf(project), { headers, body: bodyOf() }))[0]).toBe(400);
  });
});

test('protection starts and ends with the response to its PATCH', async () => {
  const project = await server.newProject();
  const { apiKey } = await server.newApiKey(project);
  const Authorization = `ApiKey ${apiKey}`;
  let version = 0;
  for (let round = 0; round < 20; round++) {
    const condition: Headers = version === 0 ? create : { 'If-Match': `"${version}"` };
    const write = () =>
      server.call('PUT', pathOf(project), { headers: { Authorization, ...condition }, body: { state: { round } } });
    await protect(project, ['production']);
    expect((await write()).status).toBe(403);
    await protect(project, ['staging']);
    const written = await write();
    expect(written.status).toBe(200);
    version += 1;
  }
});

test('reads, flags and changes work in a protected environment', async () => {
  const project = await protectedProject();
  const { apiKey } = await server.newApiKey(project);
  const headers = { Authorization: `ApiKey ${apiKey}` };
  const flags = { shop: { state: 'ENABLED', variants: { on: true }, defaultVariant: 'on' } };
  await server.call('PUT', pathOf(project), {
    headers: { ...project.developer.bearer, ...create },
    body: { state: { flags }, comment: 'flags' },
  });
  expect((await server.call('GET', pathOf(project), { headers })).status).toBe(200);
  expect((await server.call('GET', `${pathOf(project)}/changes?since=0`, { headers })).status).toBe(200);
  const asked = await server.call('POST', `${pathOf(project)}/ofrep/v1/evaluate/flags/shop`, { headers, body: {} });
  expect([asked.status, asked.json]).toEqual([200, expect.objectContaining({ value: true })]);
});

test('players and their user states are unaffected', async () => {
  const project = await protectedProject();
  const { accountId, bearer } = project.developer;
  const token = await server.running.accessTokens.signPlayerToken({
    accountId,
    slug: project.slug,
    environment: 'production',
    userId: 'player-1',
    seconds: 900,
  });
  const headers = { Authorization: `Bearer ${token}`, ...create };
  const body = { ops: [{ op: 'add', path: '/a', value: 1 }] };
  expect((await server.call('PATCH', `${project.path}/user-state/production`, { headers, body })).status).toBe(200);
  expect((await server.call('DELETE', `${project.path}/user-states/player-1`, { headers: bearer })).status).toBe(204);
});

test('another project’s API key still gets 403 without a body', async () => {
  const project = await protectedProject();
  const { apiKey } = await server.newApiKey(await server.newProject(project.developer));
  const headers = { Authorization: `ApiKey ${apiKey}`, ...create };
  const answer = await server.call('PUT', pathOf(project), { headers, body: { state: {} } });
  expect([answer.status, answer.text]).toEqual([403, '']);
});

test.each([
  ['owner', 200],
  ['admin', 200],
  ['editor', 403],
  ['support', 403],
  ['viewer', 403],
] as const)('a member with the role %s gets %i', async (role, status) => {
  const project = await protectedProject();
  const { bearer } = await newMember(server, project.developer.accountId, role);
  const write = (environment: string) =>
    server.call('PUT', pathOf(project, environment), {
      headers: { ...bearer, ...create },
      body: { state: {}, comment: 'why' },
    });
  const answer = await write('production');
  expect(answer.status).toBe(status);
  if (role === 'editor') {
    expect(answer.json).toMatchObject({ message: expect.stringContaining('production is protected') });
    expect((await write('staging')).status).toBe(200);
  }
});
