/** Bodies of management requests: limits on their size and number of items. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

test('a body of more than 128 KiB is refused', async () => {
  const { accountId, bearer: headers } = await server.newDeveloper();
  const answer = await server.call('PATCH', `/v1/${accountId}`, {
    headers,
    body: { name: 'x', more: 'x'.repeat(131_072) },
  });
  expect(answer.status).toBe(413);
});

test('duplicate items, and more items than the limit, are refused', async () => {
  const project = await server.newProject();
  const headers = project.developer.bearer;
  const environments = Array.from({ length: 5_000 }, () => 'staging');
  const settings = { enabled: true, redirectUris: environments, allowedIdps: environments };
  for (const [method, path, body] of [
    ['POST', `${project.path}/api-keys`, { name: 'x', environments }],
    ['POST', `${project.path}/api-keys`, { name: 'x', environments: ['staging', 'staging'] }],
    ['PUT', `${project.path}/auth/end-user/config`, settings],
  ] as const) {
    const answer = await server.call(method, path, { headers, body });
    expect([answer.status, (answer.json as { error: string }).error]).toEqual([400, 'validation_error']);
  }
});
