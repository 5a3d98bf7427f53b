/** The API description and its page: compressed on request, and not sent again to clients that already have them. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** Uses the runtime's HTTP client, which leaves the body compressed. */
async function get(
  path: string,
  headers: Record<string, string>,
): Promise<{ headers: Headers; bytes: Buffer; status: number }> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    request(`${server.baseUrl}${path}`, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(response.headers as Record<string, string>),
          bytes: Buffer.concat(chunks),
        }),
      );
    })
      .on('error', reject)
      .end();
  });
}

describe.each(['/openapi.json', '/docs', '/docs/reference', '/docs/contract.md', '/llms-full.txt'])('%s', (path) => {
  test('is sent in a coding that the client accepts', async () => {
    const plain = await get(path, {});
    const text = plain.bytes.toString();
    expect(plain.headers.get('content-encoding')).toBeNull();
    const brotli = await get(path, { 'Accept-Encoding': 'gzip, deflate, br' });
    expect([brotli.headers.get('content-encoding'), brotliDecompressSync(brotli.bytes).toString()]).toEqual(['br', text]);
    const gzip = await get(path, { 'Accept-Encoding': 'br;q=0, gzip;q=0.5' });
    expect([gzip.headers.get('content-encoding'), gunzipSync(gzip.bytes).toString()]).toEqual(['gzip', text]);
    expect(gzip.bytes.length * 2).toBeLessThan(plain.bytes.length);
    for (const response of [plain, brotli, gzip]) {
      expect(response.headers.get('vary')).toBe('Accept-Encoding, Origin');
      expect(Number(response.headers.get('content-length'))).toBe(response.bytes.length);
    }
  });

  test('is sent uncompressed if the client accepts no coding, or sends an overlong list', async () => {
    for (const takes of ['identity', 'deflate', '', 'gzip;q=0', `${'x, '.repeat(200)}gzip`]) {
      expect((await get(path, { 'Accept-Encoding': takes })).headers.get('content-encoding')).toBeNull();
    }
  });

  test('is not sent again to a client with a current copy', async () => {
    const { headers } = await get(path, {});
    const tag = headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
    for (const held of [tag, tag.slice(2), `"other", ${tag}`, '*']) {
      const again = await server.call('GET', path, { headers: { 'If-None-Match': held, 'Accept-Encoding': 'gzip' } });
      expect([again.status, again.text, again.headers.etag]).toEqual([304, '', tag]);
    }
    expect((await server.call('GET', path, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
  });
});
