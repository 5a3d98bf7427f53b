/** Earlier versions of user states, over HTTP. @see docs/contract.md §6.4 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Project, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let project: Project;
beforeAll(async () => {
  server = await startServer();
  project = await server.newProject();
});
afterAll(() => server.stop());

interface Item {
  readonly version: number;
  readonly comment: string | null;
  readonly stateSizeBytes: number;
  readonly createdAt: string;
  readonly author: { readonly kind: string; readonly id: string };
}
interface Page {
  readonly items: readonly Item[];
  readonly cursor: string | null;
  readonly hasMore: boolean;
}

const userStates = (of: Project = project) => `${of.path}/user-states/production`;
const get = (path: string, of: Project = project) => server.call('GET', path, { headers: of.developer.bearer });
const precondition = (version: number) => (version === 1 ? { 'If-None-Match': '*' } : { 'If-Match': `"${version - 1}"` });
const set = (gold: number) => ({ ops: [{ op: 'add', path: '/gold', value: gold }] });

/** Writes the versions from `first` to `last` as a player; each version number is also its gold. */
async function play(userId: string, last: number, first = 1, of: Project = project) {
  const { accountId } = of.developer;
  const credential = { accountId, slug: of.slug, environment: 'production' as const, userId, seconds: 900 };
  const token = await server.running.accessTokens.signPlayerToken(credential);
  for (let version = first; version <= last; version++) {
    const headers = { Authorization: `Bearer ${token}`, ...precondition(version) };
    const body = { ...set(version), comment: 'of nobody' };
    expect((await server.call('PATCH', `${of.path}/user-state/production`, { headers, body })).status).toBe(200);
  }
}

async function historyOf(id: string, query = '', of: Project = project): Promise<Page> {
  const read = await get(`${userStates(of)}/${id}/history${query}`, of);
  expect(read.status).toBe(200);
  return read.json as Page;
}
const versionsOf = async (id: string, of: Project = project) =>
  (await historyOf(id, '', of)).items.map((item) => item.version);

async function keep(userStateHistory: unknown, of: Project = project) {
  const path = `${of.path}/auth/end-user/config`;
  return server.call('PATCH', path, { headers: of.developer.bearer, body: { userStateHistory } });
}

test('a player without state has an empty history and no version, and an invalid id is 404', async () => {
  expect((await get(`${userStates()}/nobody/history`)).json).toEqual({ items: [], cursor: null, hasMore: false });
  expect((await get(`${userStates()}/nobody/versions/1`)).status).toBe(404);
  for (const path of ['%00/history', '%00/versions/1']) expect((await get(`${userStates()}/${path}`)).status).toBe(404);
});

test('every version is listed with its author, and read back unchanged', async () => {
  await play('ada', 2);
  const { developer } = project;
  const headers = { ...developer.bearer, 'If-Match': '"2"' };
  const gift = { ...set(500), comment: 'Sorry for the bug' };
  expect((await server.call('PATCH', `${userStates()}/ada`, { headers, body: gift })).status).toBe(200);
  await play('ada', 4, 4);
  const { items, hasMore, cursor } = await historyOf('ada');
  expect([hasMore, cursor]).toEqual([false, null]);
  const player = { kind: 'end_user', id: 'ada' };
  expect(
    items.map(({ version, comment, stateSizeBytes, author }) => [version, comment, stateSizeBytes, author.kind]),
  ).toEqual([
    [4, null, 10, 'end_user'],
    [3, 'Sorry for the bug', 12, items[1]?.author.kind],
    [2, null, 10, 'end_user'],
    [1, null, 10, 'end_user'],
  ]);
  expect(['developer', 'operator']).toContain(items[1]?.author.kind);
  expect([items[0]?.author, items[3]?.author]).toEqual([player, player]);
  const times = items.map((item) => Date.parse(item.createdAt));
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  for (const [version, gold] of [1, 2, 500, 4].entries()) {
    const read = await get(`${userStates()}/ada/versions/${version + 1}`);
    expect([read.status, read.headers.etag]).toEqual([200, `"${version + 1}"`]);
    const comment = version === 2 ? 'Sorry for the bug' : null;
    const stateSizeBytes = version === 2 ? 12 : 10;
    expect(read.json).toEqual({ version: version + 1, state: { gold }, comment, stateSizeBytes });
  }
  expect((await get(`${userStates()}/ada/versions/5`)).status).toBe(404);
  expect((await get(`${userStates()}/ada/versions/0`)).status).toBe(404);
  expect((await get(`${userStates()}/ada`)).json).toEqual({ version: 4, state: { gold: 4 } });
});

test('a service account appears as the author with its name', async () => {
  const { developer } = project;
  const accounts = `/v1/${developer.accountId}/service-accounts`;
  const created = await server.call('POST', accounts, {
    headers: developer.bearer,
    body: { name: 'Game', role: 'server' },
  });
  const { id, clientSecret } = created.json as { id: string; clientSecret: string };
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: clientSecret });
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const token = await server.call('POST', '/v1/auth/token', { headers, body: form.toString() });
  const { access_token: accessToken } = token.json as { access_token: string };
  const bearer = { Authorization: `Bearer ${accessToken}` };
  const written = await server.call('PATCH', `${userStates()}/bob`, {
    headers: { ...bearer, ...precondition(1) },
    body: set(1),
  });
  expect(written.status).toBe(200);
  expect((await historyOf('bob')).items[0]?.author).toEqual({ kind: 'service_account', id, name: 'Game' });
  expect((await server.call('GET', `${userStates()}/bob/history`, { headers: bearer })).status).toBe(200);
});

test('pages continue at the cursor, which is valid for one player', async () => {
  await play('cyd', 9);
  const seen: number[] = [];
  let page = await historyOf('cyd', '?limit=4');
  for (; page.cursor !== null; page = await historyOf('cyd', `?limit=4&cursor=${page.cursor}`)) {
    expect([page.items.length, page.hasMore]).toEqual([4, true]);
    expect((await get(`${userStates()}/ada/history?cursor=${page.cursor}`)).status).toBe(400);
    seen.push(...page.items.map((item) => item.version));
  }
  expect([...seen, ...page.items.map((item) => item.version)]).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
  expect((await get(`${userStates()}/cyd/history?cursor=x`)).status).toBe(400);
  expect((await get(`${userStates()}/cyd/history?limit=x`)).status).toBe(400);
});

test('20 versions are kept for 30 days by default, and a change applies immediately', async () => {
  const own = await server.newProject();
  await play('dee', 30, 1, own);
  expect(await versionsOf('dee', own)).toEqual(Array.from({ length: 21 }, (_, n) => 30 - n));
  expect((await get(`${userStates(own)}/dee/versions/9`, own)).status).toBe(404);
  expect((await keep({ versions: 2, days: 30 }, own)).json).toMatchObject({ userStateHistory: { versions: 2, days: 30 } });
  expect(await versionsOf('dee', own)).toEqual([30, 29, 28]);
  await keep({ versions: 0, days: 30 }, own);
  expect(await versionsOf('dee', own)).toEqual([30]);
  await play('dee', 31, 31, own);
  await keep({ versions: 1_000, days: 400 }, own);
  expect(await versionsOf('dee', own)).toEqual([31]);
  await play('dee', 33, 32, own);
  expect(await versionsOf('dee', own)).toEqual([33, 32, 31]);
});

test('the setting stays if a PUT leaves it out, and is refused out of bounds', async () => {
  const own = await server.newProject();
  const path = `${own.path}/auth/end-user/config`;
  const config = async (method: string, body?: unknown) =>
    server.call(method, path, { headers: own.developer.bearer, body });
  expect((await config('GET')).json).toMatchObject({ userStateHistory: { versions: 20, days: 30 } });
  const put = await config('PUT', { enabled: false, userStateHistory: { versions: 7, days: 3 } });
  expect(put.json).toMatchObject({ userStateHistory: { versions: 7, days: 3 } });
  expect((await config('PUT', { enabled: false })).json).toMatchObject({ userStateHistory: { versions: 7, days: 3 } });
  expect((await config('PATCH', { primaryColor: '#000000' })).json).toMatchObject({ userStateHistory: { versions: 7 } });
  for (const wrong of [
    null,
    7,
    {},
    { versions: 7 },
    { versions: -1, days: 1 },
    { versions: 1_001, days: 1 },
    { versions: 1, days: 401 },
    { versions: 1.5, days: 1 },
    { versions: '1', days: 1 },
  ]) {
    const refused = await keep(wrong, own);
    expect([refused.status, (refused.json as { error: string }).error]).toEqual([400, 'validation_error']);
  }
  expect((await config('GET')).json).toMatchObject({ userStateHistory: { versions: 7, days: 3 } });
});

test('only developers can read it, and a deleted player has none', async () => {
  await play('eve', 3);
  for (const path of ['history', 'versions/1']) {
    expect((await server.call('GET', `${userStates()}/eve/${path}`)).status).toBe(401);
    const stranger = await server.newProject();
    expect((await get(`${userStates()}/eve/${path}`, stranger)).status).toBe(403);
    expect((await get(`${project.path}-none/user-states/production/eve/${path}`)).status).toBe(404);
  }
  const removed = await server.call('DELETE', `${project.path}/user-states/eve`, { headers: project.developer.bearer });
  expect(removed.status).toBe(204);
  expect(await versionsOf('eve')).toEqual([]);
  expect((await get(`${userStates()}/eve/versions/3`)).status).toBe(404);
});
