/** Preconditions with nothing to compare, and headers for caches and proxies. @see docs/contract.md §2 and §4.3 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Project, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let project: Project;
beforeAll(async () => {
  server = await startServer();
  project = await server.newProject();
});
afterAll(() => server.stop());

describe('a precondition on a record without an entity tag', () => {
  test.each([
    ['DELETE', () => `${project.path}/user-states/somebody`],
    ['DELETE', () => `${project.path}/api-keys/key_0000000000000000000000`],
    ['DELETE', () => project.path],
    ['PATCH', () => project.path],
    ['PUT', () => `${project.path}/auth/end-user/config`],
  ])('%s is refused, and nothing changes', async (method, path) => {
    for (const condition of [{ 'If-Match': '"999"' }, { 'If-Match': '*' }, { 'If-None-Match': '*' }]) {
      const headers = { ...project.developer.bearer, ...condition };
      const body = method === 'DELETE' ? {} : { body: { name: 'Renamed', enabled: true } };
      const answer = await server.call(method, path(), { headers, ...body });
      expect([answer.status, answer.json]).toEqual([400, expect.objectContaining({ error: 'validation_error' })]);
      expect((answer.json as { message: string }).message).toContain(Object.keys(condition)[0]);
    }
    const read = await server.call('GET', project.path, { headers: project.developer.bearer });
    expect(read.json).toMatchObject({ slug: project.path.split('/').at(-1) });
    expect(read.json).not.toMatchObject({ name: 'Renamed' });
  });

  test('a read ignores it', async () => {
    const headers = { ...project.developer.bearer, 'If-Match': '"999"' };
    expect((await server.call('GET', project.path, { headers })).status).toBe(200);
  });
});

test('more refused writes, one after another, than may be under way leave room for the next', async () => {
  const { path, developer } = await server.newProject();
  const write = (condition: Readonly<Record<string, string>>) =>
    server.call('PUT', `${path}/public-state/staging`, {
      headers: { ...developer.bearer, ...condition },
      body: { state: {} },
    });
  for (let count = 0; count < 300; count++) expect((await write({ 'If-Match': '"7"' })).status).toBe(412);
  expect((await write({ 'If-None-Match': '*' })).status).toBe(200);
});

describe('every response of a route that takes a credential varies by it', () => {
  test.each([
    ['without a credential', 401, () => ({ path: `${project.path}/public-state/production`, headers: {} })],
    [
      'for a malformed segment',
      400,
      () => ({ path: `${project.path}/public-state/Production`, headers: project.developer.bearer }),
    ],
    ['for a record', 200, () => ({ path: project.path, headers: project.developer.bearer })],
    ['for an unknown project', 404, () => ({ path: `${project.path}-gone`, headers: project.developer.bearer })],
    [
      'for an absent state',
      204,
      () => ({ path: `${project.path}/public-state/staging`, headers: project.developer.bearer }),
    ],
  ])('%s: %i', async (_what, status, request) => {
    const { path, headers } = request();
    const answer = await server.call('GET', path, { headers });
    expect([answer.status, answer.headers.vary]).toEqual([status, 'Authorization, Origin']);
  });

  test('anonymous routes do not vary', async () => {
    const anonymous = await server.call('GET', '/.well-known/jwks.json', {});
    expect([anonymous.status, anonymous.headers.vary]).toEqual([200, undefined]);
  });
});
