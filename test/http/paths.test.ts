/** Routing of paths to operations, and the errors for paths without an operation. @see docs/contract.md §1.3 and §2.2 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Developer, TestServer } from '../support/server.ts';
import { startServer } from '../support/server.ts';

let server: TestServer;
let developer: Developer;
beforeAll(async () => {
  server = await startServer();
  developer = await server.newDeveloper();
});
afterAll(() => server.stop());

test.each([
  ['/v1/nobody/projects/hello/public-state/development', 'accountId'],
  ['/v1/auth/projects/hello/public-state/development', 'accountId'],
  ['/v1/api-key/projects/hello/public-state/development', 'accountId'],
  ['/v1/readonly/projects/hello', 'accountId'],
  ['/v1//projects/hello/public-state/development', 'accountId'],
  ['/v1/acc_%zz/projects/hello', 'accountId'],
  ['/v1/acc_1/projects/Hello/public-state/development', 'slug'],
  ['/v1/acc_1/projects/a--b/public-state/development', 'slug'],
  ['/v1/acc_1/projects//public-state/development', 'slug'],
  ['/v1/acc_1/projects/hello/public-state/Development', 'env'],
  ['/v1/acc_1/projects/hello/public-state/dev', 'env'],
  ['/v1/acc_1/projects/hello/public-state/', 'env'],
  ['/v1/acc_1/projects/hello/user-states/PRODUCTION', 'env'],
])('%s: 400 that names %s', async (path, segment) => {
  const answer = await server.call('GET', path, { headers: developer.bearer });
  expect([answer.status, (answer.json as { error: string }).error]).toEqual([400, 'validation_error']);
  expect((answer.json as { message: string }).message).toContain(segment);
});

test.each(['/', '/v1', '/v2/acc_1', '/v1/acc_1/unknown', '/v1/acc_1/projects/hello/unknown', '/healthz/', '//healthz'])(
  '%s: 404',
  async (path) => {
    const answer = await server.call('GET', path, { headers: developer.bearer });
    expect([answer.status, (answer.json as { error: string }).error]).toEqual([404, 'not_found']);
  },
);

const long = (text: string) => text.padEnd(8_000, 'x');

test('an overlong segment, or an empty id or version, is not found', async () => {
  const project = await server.newProject(developer);
  const { path } = project;
  const { accountId, bearer } = developer;
  const call = (method: string, url: string, headers: Record<string, string> = bearer, body?: unknown) =>
    server.call(method, url, { headers, ...(body !== undefined && { body }) });
  const account = `/v1/${accountId}`;
  const tooLong = `${account}/projects/${'x'.repeat(65)}`;
  const requests = [
    ...['', '/public-state/production', '/public-state/production/versions/1', '/api-keys', '/auth/end-user/config'].map(
      (rest) => ['GET', `${tooLong}${rest}`],
    ),
    ['GET', `${account}/projects/${long('x')}/user-states/production`],
    ['GET', `/v1/readonly/${accountId}/projects/${long('x')}/auth/end-user/config`],
    ['DELETE', `${tooLong}/api-keys/key_1`],
    ['GET', `/v1/${long('acc_')}`],
    ['DELETE', `${path}/api-keys/${long('key_')}`],
    ['DELETE', `${account}/users/${long('usr_')}`],
    ['GET', `${account}/identity-providers/${long('oidc.')}`],
    ['DELETE', `${account}/identity-providers/oidc.${'x'.repeat(65)}`],
    ['DELETE', `${path}/user-states/${long('x')}`],
    ['GET', `${path}/public-state/production/versions/0`],
    ['GET', `${path}/public-state/production/versions/`],
    ['GET', `${path}/public-state/production/versions/${'9'.repeat(400)}`],
    ['GET', `${path}/public-state/production/history/`],
    ['GET', `${path}/user-states/production/`],
    ['DELETE', `${path}/user-states/`],
    ['DELETE', `${path}/api-keys/`],
    ['DELETE', `${account}/users/`],
    ['GET', `${account}/identity-providers/`],
  ] as const;
  for (const [method = '', url = ''] of requests) {
    const answer = await call(method, url);
    expect([method, url.slice(0, 150), answer.status, answer.json]).toMatchObject([
      method,
      url.slice(0, 150),
      404,
      { error: 'not_found' },
    ]);
  }
  const provider = { clientId: 'c', clientSecret: 's', issuer: 'https://issuer.example' };
  const put = await call('PUT', `${account}/identity-providers/oidc.${'x'.repeat(65)}`, bearer, provider);
  expect([put.status, put.json]).toMatchObject([404, { error: 'not_found' }]);
  expect((await call('POST', `${account}/projects`, bearer, { slug: 'x'.repeat(65) })).status).toBe(400);

  // A caller without access to the list of projects gets the same answer as for any other project.
  const { apiKey } = await server.newApiKey(project);
  const ofKey = await call('GET', `${tooLong}/public-state/production`, { Authorization: `ApiKey ${apiKey}` });
  expect([ofKey.status, ofKey.text]).toEqual([403, '']);
  const other = await server.newDeveloper();
  expect((await call('GET', tooLong, other.bearer)).status).toBe(403);
});

test('an escaped letter equals the letter; anonymous routes name the faulty segment too', async () => {
  const { path } = await server.newProject(developer);
  const escaped = path.replace('/projects/p', '/projects/%70');
  expect((await server.call('GET', escaped, { headers: developer.bearer })).status).toBe(200);
  const anonymous = await server.call('GET', '/v1/readonly/acc_1/projects/Hello/auth/end-user/config');
  expect(anonymous.status).toBe(400);
  expect((anonymous.json as { message: string }).message).toContain('slug');
});
