/** An account that sends as many requests as it can does not starve the others. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const json = { 'Content-Type': 'application/json', 'If-None-Match': '*' };

test('a large write does not wait for another account’s large writes', async () => {
  const other = await server.newProject();
  const { developer, slug, path } = await server.newProject();
  const token = await server.running.accessTokens.signPlayerToken({
    accountId: developer.accountId,
    slug,
    environment: 'production',
    userId: 'greedy',
    seconds: 900,
  });
  const flooding = Buffer.from(`{"ops":[{"op":"add","path":"/a","value":[${Array(160_000).fill('1e400').join(',')}]}]}`);
  let answered = 0;
  const flood = Array.from({ length: 40 }, async () => {
    const headers = { ...json, Authorization: `Bearer ${token}` };
    await server.call('PATCH', `${path}/user-state/production`, { headers, body: flooding });
    answered++;
  });

  const answer = await server.call('PUT', `${other.path}/public-state/production`, {
    headers: { ...json, ...other.developer.bearer },
    body: Buffer.from(`{"state":{"text":"${'x'.repeat(80_000)}"}}`),
  });
  expect(answer.status).toBe(200);
  expect(answered).toBeLessThan(30); // 39 if they were answered in sequence
  await Promise.all(flood);
});
