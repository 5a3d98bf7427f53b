/** `/client.js`: the client as one module, for pages of any origin. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as client from '@holdfast/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer, type TestServer } from '../support/server.ts';

const root = join(import.meta.dirname, '../..');
const committed = readFileSync(join(root, 'packages/client/bundle/client.js'));
const reference = readFileSync(join(root, 'docs/client-reference.md'), 'utf8');
const [, hashedPath = ''] = /`(\/client\.\w+\.js)`/.exec(reference) ?? [];

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ settings: { SVC_CORS_ORIGINS: 'https://other.example' } });
});
afterAll(() => server.stop());

it.each([
  ['/client.js', 'public, max-age=300'],
  [hashedPath, 'public, max-age=31536000, immutable'],
])('%s is the committed file, for any origin, in every coding', async (path, caching) => {
  for (const [coding, origin] of [
    ['identity', undefined],
    ['gzip', 'https://game.example'],
    ['br', 'https://other.example'],
  ] as const) {
    const headers = { 'Accept-Encoding': coding, ...(origin !== undefined && { Origin: origin }) };
    const head = await server.call('HEAD', path, { headers });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': caching,
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding, Origin',
    });
    expect(head.headers['content-encoding']).toBe(coding === 'identity' ? undefined : coding);
    const { status, headers: own } = await server.call('GET', path, {
      headers: { ...headers, 'If-None-Match': String(head.headers.etag) },
    });
    expect([status, own['cache-control'], own['access-control-allow-origin']]).toEqual([304, caching, '*']);
    const body = Buffer.from(await (await fetch(`${server.baseUrl}${path}`, { headers })).arrayBuffer());
    expect(body.equals(committed)).toBe(true);
  }
});

it.each(['/client.0123456789abcdef.js', '/client..js', `${hashedPath.slice(0, -4)}.js`, `${hashedPath}.js`])(
  '%s is not found, and the response is not stored',
  async (path) => {
    const { status, headers, json } = await server.call('GET', path, { headers: { Origin: 'https://game.example' } });
    expect([status, headers['cache-control'], json]).toMatchObject([404, 'no-store', { error: 'not_found' }]);
  },
);

it('takes no other method', async () => {
  for (const path of ['/client.js', hashedPath]) {
    const { status, headers } = await server.call('POST', path);
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
  }
});

it('has the integrity that the reference gives', () => {
  const integrity = `sha384-${createHash('sha384').update(committed).digest('base64')}`;
  expect(reference).toContain(`"https://holdfast.example${hashedPath}": "${integrity}"`);
});

it('exports everything of the package, and createServer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-client-file-'));
  try {
    const file = join(folder, 'client.mjs');
    writeFileSync(file, committed);
    const loaded = await import(pathToFileURL(file).href);
    expect(Object.keys(loaded).sort()).toEqual([...Object.keys(client), 'createServer'].sort());
    const { publicState } = loaded.createClient({
      baseUrl: server.baseUrl,
      accountId: 'acc_0',
      project: 'none',
      environment: 'production',
      auth: { apiKey: 'svc_wrong' },
    });
    await expect(publicState.get()).rejects.toMatchObject({ code: 'unauthorized' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
