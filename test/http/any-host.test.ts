/** DNS rebinding: a page of another site whose host name resolves to the service. @see docs/security.md, "The machine" */
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describedOperations } from '@holdfast/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Project, startServer, type TestServer } from '../support/server.ts';

const rebound = 'rebound.example';
let server: TestServer;
let project: Project;
beforeAll(async () => {
  server = await startServer();
  project = await server.newProject();
});
afterAll(() => server.stop());

/** Sends a same-origin request as a rebound browser would. It has no cookies or other state for that origin. */
async function ask(method: string, path: string): Promise<{ status: number; everything: string }> {
  const headers = { Host: rebound, Origin: `http://${rebound}`, 'Sec-Fetch-Site': 'same-origin' };
  const sent = request(new URL(path, server.baseUrl), { method, headers, agent: false });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject).end();
  });
  return { status: response.statusCode ?? 0, everything: JSON.stringify(response.headers) + (await text(response)) };
}

const pathOf = (path: string) =>
  path
    .replace('{accountId}', project.developer.accountId)
    .replace('{slug}', project.slug)
    .replace('{env}', 'development')
    .replace('{version}', '1')
    .replace(/\{\w+\}/g, 'one');

test('protected routes give nothing to requests under another host name', async () => {
  const guarded = describedOperations.filter(([, { access }]) => access.length > 0);
  expect(guarded.length).toBeGreaterThan(20);
  for (const [id, { method, path }] of guarded) expect([id, (await ask(method, pathOf(path))).status]).toEqual([id, 401]);
});

test.each([
  '/console/',
  '/authorize',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/docs',
])('%s never uses the name in Host as its own', async (path) => {
  const { status, everything } = await ask('GET', path);
  expect(status).not.toBe(500);
  expect(everything).not.toContain(rebound);
});
