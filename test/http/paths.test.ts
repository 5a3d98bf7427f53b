/** Which operation a path reaches, and what is said of one that reaches none. @see docs/contract.md §1.3 and §2.2 */
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
  [`/v1/acc_1/projects/${'x'.repeat(65)}`, 'slug'],
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

test('an escaped letter is the letter; anonymous routes name the segment as well', async () => {
  const { path } = await server.newProject(developer);
  const escaped = path.replace('/projects/p', '/projects/%70');
  expect((await server.call('GET', escaped, { headers: developer.bearer })).status).toBe(200);
  const anonymous = await server.call('GET', '/v1/readonly/acc_1/projects/Hello/auth/end-user/config');
  expect(anonymous.status).toBe(400);
  expect((anonymous.json as { message: string }).message).toContain('slug');
});
