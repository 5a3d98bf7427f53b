/** Author and time of each version, over HTTP. @see docs/contract.md §5.4 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtInIssuerName } from '../../packages/server/src/storage/contract/identity.ts';
import { newMember } from '../support/members.ts';
import { type Project, startServer, type TestServer } from '../support/server.ts';
import { bearerOfRobot, newRobotOf } from './service-accounts.fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

interface Item {
  readonly version: number;
  readonly createdAt: string;
  readonly author: unknown;
}
interface Page {
  readonly items: readonly Item[];
  readonly cursor: string | null;
  readonly hasMore: boolean;
}

const pathOf = (project: Project, environment = 'production') => `${project.path}/public-state/${environment}`;

async function write(path: string, version: number | null, headers: Readonly<Record<string, string>>, comment?: string) {
  const precondition = version === null ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` };
  const body = { state: { n: version }, ...(comment !== undefined && { comment }) };
  const written = await server.call('PUT', path, { headers: { ...headers, ...precondition }, body });
  expect(written.status).toBe(200);
}

async function historyOf(path: string, headers: Readonly<Record<string, string>>, query = ''): Promise<Page> {
  const read = await server.call('GET', `${path}/history${query}`, { headers });
  expect(read.status).toBe(200);
  return read.json as Page;
}

test('before the first write the history is an empty page', async () => {
  const project = await server.newProject();
  const read = await server.call('GET', `${pathOf(project)}/history`, { headers: project.developer.bearer });
  expect([read.status, read.json]).toEqual([200, { items: [], cursor: null, hasMore: false }]);
  expect(read.headers).toMatchObject({ 'cache-control': 'private, no-cache, no-transform', vary: 'Authorization, Origin' });
});

test('each version has its author: a developer, or an API key by its current name', async () => {
  const project = await server.newProject();
  const { bearer } = project.developer;
  const { id, apiKey } = await server.newApiKey(project, { name: 'build "7" \ud83d\udc77' });
  const key = { Authorization: `ApiKey ${apiKey}` };
  const path = pathOf(project);
  const begun = Date.now();
  await write(path, null, bearer);
  await write(path, 1, key, 'second');
  const patch = { headers: { ...key, 'If-Match': '"2"' }, body: { ops: [{ op: 'add', path: '/b', value: 1 }] } };
  expect((await server.call('PATCH', path, patch)).status).toBe(200);
  const { items } = await historyOf(path, bearer);
  const author = { kind: 'api_key', id, name: 'build "7" \ud83d\udc77' };
  const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(items).toEqual([
    { version: 3, comment: null, stateSizeBytes: 13, createdAt, author },
    { version: 2, comment: 'second', stateSizeBytes: 7, createdAt, author },
    { version: 1, comment: null, stateSizeBytes: 10, createdAt, author: { kind: 'developer', id: 'operator', name: null } },
  ]);
  for (const item of items) expect(Date.parse(item.createdAt)).toBeGreaterThanOrEqual(begun - 1);
  // Version records have the same fields as before.
  const versions = await server.call('GET', `${path}/versions`, { headers: bearer });
  for (const record of versions.json as object[]) {
    expect(Object.keys(record).sort()).toEqual(['comment', 'state', 'stateSizeBytes', 'version']);
  }
  // Authors remain after their key is deleted.
  await server.call('DELETE', `${project.path}/api-keys/${id}`, { headers: bearer });
  expect((await historyOf(path, bearer)).items).toEqual(items);
});

test('members and service accounts have their current names, which API keys do not see, until they are gone', async () => {
  const project = await server.newProject();
  const { accountId, bearer } = project.developer;
  const path = pathOf(project);
  const { store } = server.running;
  const member = await newMember(server, accountId, 'admin');
  const robot = await newRobotOf(server, project.developer, { name: 'Deployment', role: 'editor' });
  await write(path, null, member.bearer);
  await write(path, 1, await bearerOfRobot(server, robot));
  const namesFor = async (headers: Readonly<Record<string, string>>) =>
    (await historyOf(path, headers)).items.map(({ author }) => author);
  const authorsAs = (ofMember: string | null, ofRobot: string | null) => [
    { kind: 'service_account', id: robot.id, name: ofRobot },
    { kind: 'developer', id: member.subject, name: ofMember },
  ];
  expect(await namesFor(bearer)).toEqual(authorsAs(member.subject, 'Deployment'));
  const claims = { email: null, name: 'grace@example.com' };
  await store.recordSignIn(accountId, builtInIssuerName, member.subject, claims, Date.now());
  expect(await namesFor(bearer)).toEqual(authorsAs('grace', 'Deployment'));
  const { apiKey } = await server.newApiKey(project);
  expect(await namesFor({ Authorization: `ApiKey ${apiKey}` })).toEqual(authorsAs(null, null));
  await server.call('DELETE', `/v1/${accountId}/members/${member.memberId}`, { headers: bearer });
  await server.call('DELETE', `/v1/${accountId}/service-accounts/${robot.id}`, { headers: bearer });
  expect(await namesFor(bearer)).toEqual(authorsAs(null, null));
});

test('a read-only API key sees the history, in its environments', async () => {
  const project = await server.newProject();
  await write(pathOf(project), null, project.developer.bearer);
  const { apiKey } = await server.newApiKey(project, { access: 'read', environments: ['production'] });
  const headers = { Authorization: `ApiKey ${apiKey}` };
  expect((await historyOf(pathOf(project), headers)).items).toHaveLength(1);
  const elsewhere = await server.call('GET', `${pathOf(project, 'staging')}/history`, { headers });
  expect(elsewhere.status).toBe(403);
});

test('pages contain every version once, even during writes', async () => {
  const project = await server.newProject();
  const { bearer } = project.developer;
  const path = pathOf(project);
  const count = 70;
  for (let n = 0; n < count; n++) await write(path, n === 0 ? null : n, bearer);
  const first = await historyOf(path, bearer);
  expect([first.items.length, first.hasMore]).toEqual([50, true]);
  await write(path, count, bearer);
  const second = await historyOf(path, bearer, `?cursor=${first.cursor}&limit=50`);
  expect([second.items.length, second.hasMore, second.cursor]).toEqual([20, false, null]);
  const numbers = [...first.items, ...second.items].map(({ version }) => version);
  expect(numbers).toEqual(Array.from({ length: count }, (_, i) => count - i));
  const three = await historyOf(path, bearer, '?limit=3');
  expect(three.items.map(({ version }) => version)).toEqual([71, 70, 69]);
  for (const [query, length] of [
    ['?limit=0', 1],
    ['?limit=-5', 1],
    ['?limit=1000', 50],
  ] as const) {
    expect((await historyOf(path, bearer, query)).items).toHaveLength(length);
  }
});

test('a cursor from another project, environment or list is malformed', async () => {
  const project = await server.newProject();
  const other = await server.newProject(project.developer);
  const { bearer } = project.developer;
  for (const path of [pathOf(project), pathOf(project, 'staging'), pathOf(other)]) {
    await write(path, null, bearer);
    await write(path, 1, bearer);
  }
  const { cursor } = await historyOf(pathOf(project), bearer, '?limit=1');
  expect((await historyOf(pathOf(project), bearer, `?limit=1&cursor=${cursor}`)).items).toHaveLength(1);
  const list = await server.call('GET', `/v1/${project.developer.accountId}/projects?limit=1`, { headers: bearer });
  const ofProjects = (list.json as Page).cursor;
  for (const [path, query] of [
    [pathOf(other), `cursor=${cursor}`],
    [pathOf(project, 'staging'), `cursor=${cursor}`],
    [pathOf(project), `cursor=${ofProjects}`],
    [pathOf(project), 'cursor=x'],
    [pathOf(project), 'limit=1.5'],
    [pathOf(project), 'limit=1&limit=2'],
  ] as const) {
    const refused = await server.call('GET', `${path}/history?${query}`, { headers: bearer });
    expect([refused.status, (refused.json as { error: string }).error], `${path} ${query}`).toEqual([
      400,
      'validation_error',
    ]);
  }
});
