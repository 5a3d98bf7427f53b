/** Long version lists and large states: compressed on request, and not sent again to a client that already has them. */
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Project, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** Uses the runtime's HTTP client, which leaves the body compressed. */
function get(
  project: Project,
  more: Record<string, string>,
  { method = 'GET', path = versions(project) }: { method?: string; path?: string } = {},
): Promise<Answer> {
  const headers = { ...project.developer.bearer, ...more };
  return new Promise((resolve, reject) => {
    const sent = request(`${server.baseUrl}${path}`, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      response.on('end', () => {
        const received = new Headers(response.headers as Record<string, string>);
        resolve({ status: response.statusCode ?? 0, headers: received, bytes: Buffer.concat(chunks) });
      });
    });
    sent.on('error', reject).end();
  });
}

const versions = (project: Project) => `${project.path}/public-state/production/versions`;

async function write(project: Project, version: number, characters: number): Promise<void> {
  const precondition = version === 0 ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` };
  const body = { state: { n: version, text: randomBytes(characters / 2).toString('hex') } };
  const headers = { ...project.developer.bearer, ...precondition };
  const written = await server.call('PUT', versions(project).replace('/versions', ''), { headers, body });
  expect(written.status).toBe(200);
}

test('a long list is compressed for clients that accept gzip, and has the same content', async () => {
  const project = await server.newProject();
  for (let version = 0; version < 6; version++) await write(project, version, 40_000);
  const plain = await get(project, {});
  expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null]);
  const gzipped = await get(project, { 'Accept-Encoding': 'br, gzip;q=0.5' });
  expect(gzipped.headers.get('content-encoding')).toBe('gzip');
  expect(gzipped.headers.get('vary')).toBe('Authorization, Origin, Accept-Encoding');
  expect(gzipped.bytes.length).toBeLessThan(plain.bytes.length * 0.7);
  expect(gunzipSync(gzipped.bytes).equals(plain.bytes)).toBe(true);
  for (const refusal of ['br', 'gzip;q=0', 'identity', 'gzip, '.repeat(500)]) {
    expect((await get(project, { 'Accept-Encoding': refusal })).headers.get('content-encoding')).toBeNull();
  }
  const many = await Promise.all(Array.from({ length: 12 }, () => get(project, { 'Accept-Encoding': 'gzip' })));
  for (const { headers, bytes } of many) {
    const text = headers.get('content-encoding') === 'gzip' ? gunzipSync(bytes) : bytes;
    expect(text.equals(plain.bytes)).toBe(true);
  }
  for (let round = 0; round < 5; round++) {
    const head = await get(project, { 'Accept-Encoding': 'gzip' }, { method: 'HEAD' });
    expect([head.headers.get('content-encoding'), head.bytes.length]).toEqual(['gzip', 0]);
  }
  expect((await get(project, { 'Accept-Encoding': 'gzip' })).headers.get('content-encoding')).toBe('gzip');
});

test('a short list is not compressed', async () => {
  const project = await server.newProject();
  expect((await get(project, { 'Accept-Encoding': 'gzip' })).bytes.toString()).toBe('[]');
  await write(project, 0, 2_000);
  const short = await get(project, { 'Accept-Encoding': 'gzip' });
  expect([short.status, short.headers.get('content-encoding')]).toEqual([200, null]);
  expect(JSON.parse(short.bytes.toString())).toHaveLength(1);
});

test('a list is not sent again to a client with a current copy', async () => {
  const project = await server.newProject();
  await write(project, 0, 100);
  const first = await get(project, {});
  const tag = first.headers.get('etag') ?? '';
  expect(tag).toBe('W/"1"');
  const second = await get(project, { 'If-None-Match': tag });
  expect([second.status, second.bytes.length, second.headers.get('etag')]).toEqual([304, 0, tag]);
  await write(project, 1, 100);
  expect((await get(project, { 'If-None-Match': tag })).status).toBe(200);
});

const current = (project: Project) => versions(project).replace('/versions', '');
const gzip = { 'Accept-Encoding': 'gzip' };

test('a state above 16 KiB is sent as gzip to clients that accept it, under the same entity tag', async () => {
  const project = await server.newProject();
  await write(project, 0, 20_000);
  for (const path of [current(project), `${versions(project)}/1`]) {
    const plain = await get(project, {}, { path });
    expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null]);
    // Repeated, since frequently read responses are cached.
    for (let time = 0; time < 30; time++) {
      const gzipped = await get(project, gzip, { path });
      expect(gzipped.headers.get('content-encoding')).toBe('gzip');
      expect(gzipped.headers.get('etag')).toBe('"1"');
      expect(gzipped.headers.get('vary')).toBe('Authorization, Origin, Accept-Encoding');
      expect(gzipped.headers.get('content-length')).toBe(String(gzipped.bytes.length));
      expect(gunzipSync(gzipped.bytes).equals(plain.bytes)).toBe(true);
    }
    expect(plain.headers.get('vary')).toBe('Authorization, Origin, Accept-Encoding');
    expect(
      (await get(project, { 'Accept-Encoding': 'gzip;q=0, br' }, { path })).headers.get('content-encoding'),
    ).toBeNull();
    const head = await get(project, gzip, { method: 'HEAD', path });
    expect([head.status, head.headers.get('content-encoding'), head.bytes.length]).toEqual([200, 'gzip', 0]);
  }
  const known = await get(project, { ...gzip, 'If-None-Match': '"1"' }, { path: current(project) });
  expect([known.status, known.headers.get('etag'), known.headers.get('vary'), known.bytes.length]).toEqual([
    304,
    '"1"',
    'Authorization, Origin, Accept-Encoding',
    0,
  ]);
});

test('a state of at most 16 KiB is sent uncompressed', async () => {
  const project = await server.newProject();
  await write(project, 0, 16_000);
  const { headers } = await get(project, gzip, { path: current(project) });
  expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([null, 'Authorization, Origin']);
});

test('a new version is never answered with the gzip of an older one', async () => {
  const project = await server.newProject();
  for (let version = 0; version < 10; version++) {
    await write(project, version, 20_000);
    const answers = await Promise.all(Array.from({ length: 12 }, () => get(project, gzip, { path: current(project) })));
    for (const { headers, bytes } of answers) {
      const text = headers.get('content-encoding') === 'gzip' ? gunzipSync(bytes).toString() : bytes.toString();
      expect(JSON.parse(text)).toMatchObject({ version: version + 1, state: { n: version } });
    }
  }
});
