/** A bounded version history of public state, over HTTP. @see docs/contract.md §5.4 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Project, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const bound = (project: Project, publicStateHistory: unknown) =>
  server.call('PATCH', project.path, { headers: project.developer.bearer, body: { publicStateHistory } });

async function written(count: number): Promise<{ readonly project: Project; readonly path: string }> {
  const project = await server.newProject();
  const path = `${project.path}/public-state/production`;
  for (let version = 0; version < count; version++) {
    const precondition = version === 0 ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` };
    const headers = { ...project.developer.bearer, ...precondition };
    expect((await server.call('PUT', path, { headers, body: { state: { version } } })).status).toBe(200);
  }
  return { project, path };
}

const versionsOf = (body: unknown): number[] =>
  (body as readonly { readonly version: number }[]).map(({ version }) => version);

test('all versions are kept by default; a setting hides older ones immediately, but never the newest', async () => {
  const { project, path } = await written(6);
  const { bearer: headers } = project.developer;
  const get = async (place: string) => server.call('GET', `${path}${place}`, { headers });
  const list = async () => versionsOf((await get('/versions')).json);
  expect((await server.call('GET', project.path, { headers })).json).toMatchObject({ publicStateHistory: null });
  expect(await list()).toEqual([6, 5, 4, 3, 2, 1]);

  const retention = { versions: 2, days: 30 };
  const changed = await bound(project, retention);
  expect([changed.status, changed.json]).toEqual([200, expect.objectContaining({ publicStateHistory: retention })]);
  expect(await list()).toEqual([6, 5, 4]);
  expect((await get('/versions/4')).status).toBe(200);
  const gone = await get('/versions/3');
  expect([gone.status, (gone.json as { error: string }).error]).toEqual([404, 'not_found']);
  expect(gone.json).toEqual((await get('/versions/99')).json);
  const first = (await get('/history?limit=2')).json as { items: { version: number }[]; cursor: string; hasMore: boolean };
  expect([versionsOf(first.items), first.hasMore]).toEqual([[6, 5], true]);
  expect((await get(`/history?limit=2&cursor=${first.cursor}`)).json).toMatchObject({
    items: [{ version: 4 }],
    cursor: null,
    hasMore: false,
  });
  expect((await get('/history?limit=3')).json).toMatchObject({ hasMore: false, cursor: null });

  for (const none of [
    { versions: 0, days: 30 },
    { versions: 9, days: 0 },
  ]) {
    await bound(project, none);
    expect(await list()).toEqual([6]);
    expect((await get('')).json).toMatchObject({ version: 6 });
  }
  // Nothing has been dropped yet, so a mistaken setting can still be undone.
  expect((await bound(project, null)).json).toMatchObject({ publicStateHistory: null });
  expect(await list()).toEqual([6, 5, 4, 3, 2, 1]);
  const renamed = await server.call('PATCH', project.path, { headers, body: { name: 'New' } });
  expect(renamed.json).toMatchObject({ name: 'New', publicStateHistory: null });
});

test.each([
  5,
  'all',
  [],
  {},
  { versions: 1 },
  { days: 1 },
  { versions: -1, days: 1 },
  { versions: 1.5, days: 1 },
  { versions: 1_001, days: 1 },
  { versions: 1, days: 401 },
])('%j: 400', async (value) => {
  const project = await server.newProject();
  const refused = await bound(project, value);
  expect([refused.status, (refused.json as { error: string }).error]).toEqual([400, 'validation_error']);
});
