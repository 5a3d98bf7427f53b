/** Runs the programs in docs/state.md unchanged. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startServer, type TestServer } from '../support/server.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/state.md'), 'utf8');
/** Snippets by language and heading. */
const snippets = new Map<string, string>(
  page
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const heading = section.slice(0, section.indexOf('\n'));
      const found = [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)];
      return found.map(([, language, snippet = '']) => [`${language} ${heading}`, snippet]);
    }),
);

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

function snippetOf(name: string): string {
  const snippet = snippets.get(name);
  if (snippet === undefined) throw new Error(`docs/state.md has no snippet ${name}`);
  return snippet;
}

/** Runs the program below a heading; returns its output. */
async function run(heading: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const env = { ...process.env, ...environment };
  const args = ['--input-type=module', '-e', snippetOf(`js ${heading}`)];
  return (await promisify(execFile)(process.execPath, args, { env })).stdout;
}

async function newDocument(name: string) {
  const project = await server.newProject();
  const { apiKey } = await server.newApiKey(project, { name });
  const path = `${project.path}/public-state/production`;
  const headers = { Authorization: `ApiKey ${apiKey}` };
  const put = (version: number, state: unknown, comment: string | null = null) =>
    server.call('PUT', path, {
      headers: { ...headers, ...(version === 0 ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` }) },
      body: { state, comment },
    });
  const environment = { HOLDFAST_STATE_URL: `${server.baseUrl}${path}`, HOLDFAST_API_KEY: apiKey };
  return { path, headers, put, environment };
}

test('the program prints the whole history', async () => {
  const { put, environment } = await newDocument('build server');
  for (let version = 0; version < 60; version++) await put(version, {}, version === 0 ? 'the first' : null);
  const lines = (await run('History', environment)).trimEnd().split('\n');
  expect(lines).toHaveLength(60);
  expect(lines[0]).toMatch(/^60 \d{4}-\S+Z build server $/);
  expect(lines.at(-1)).toMatch(/^1 \S+ build server the first$/);
});

/** A proxy that drops the connection after forwarding each of the first `losses` requests. */
async function withLosses<Result>(losses: number, work: (baseUrl: string) => Promise<Result>): Promise<Result> {
  let passed = 0;
  const proxy = createServer((request, response) => {
    const onward = httpRequest(`${server.baseUrl}${request.url}`, { method: request.method, headers: request.headers });
    onward.on('response', (answer) => {
      if (request.method === 'PATCH' && passed++ < losses) {
        answer.resume();
        response.destroy();
      } else {
        response.writeHead(answer.statusCode as number, answer.headers);
        answer.pipe(response);
      }
    });
    request.pipe(onward);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  try {
    return await work(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
}

test.each([0, 1, 3])('a write with %i lost responses is one write', async (losses) => {
  const { path, put, headers, environment } = await newDocument('game');
  await put(0, { levels: [10] });
  const printed = await withLosses(losses, (baseUrl) =>
    run('Repeats', { ...environment, HOLDFAST_STATE_URL: `${baseUrl}${path}` }),
  );
  expect(printed).toBe('written as version 2\n');
  const read = await server.call('GET', path, { headers });
  expect(read.json).toMatchObject({ version: 2, state: { levels: [15] } });
});

test('the patch on the page replaces the whole document', async () => {
  const { path, put, headers } = await newDocument('editor');
  await put(0, { old: true });
  const body = JSON.parse(snippetOf('json Patch'));
  const answer = await server.call('PATCH', path, { headers: { ...headers, 'If-Match': '"1"' }, body });
  expect([answer.status, answer.json]).toMatchObject([200, { version: 2, state: body.ops[0].value }]);
});

test('the command creates a key to ship', async () => {
  const { accountId, token, bearer } = await server.newDeveloper();
  const projects = `/v1/${accountId}/projects`;
  await server.call('POST', projects, { headers: bearer, body: { slug: 'hello' } });
  const environment = {
    HOLDFAST_URL: server.baseUrl,
    HOLDFAST_ACCOUNT_ID: accountId,
    HOLDFAST_DEVELOPER_TOKEN: token,
  };
  const env = { ...process.env, ...environment };
  const { stdout } = await promisify(execFile)('sh', ['-c', snippetOf('sh Keys to ship')], { env });
  expect(JSON.parse(stdout)).toMatchObject({ kind: 'publishable', access: 'read', environments: ['production'] });
  const headers = { Authorization: `ApiKey ${JSON.parse(stdout).apiKey}` };
  const read = (environmentName: string) =>
    server.call('GET', `${projects}/hello/public-state/${environmentName}`, { headers });
  expect([(await read('production')).status, (await read('staging')).status]).toEqual([204, 403]);
});

test('the command limits the history', async () => {
  const { accountId, token, bearer } = await server.newDeveloper();
  await server.call('POST', `/v1/${accountId}/projects`, { headers: bearer, body: { slug: 'hello' } });
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-state-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'data'));
  const variables = {
    HOLDFAST_URL: server.baseUrl,
    HOLDFAST_ACCOUNT_ID: accountId,
    HOLDFAST_DEVELOPER_TOKEN: token,
  };
  const lines = Object.entries(variables).map(([name, value]) => `${name}='${value}'\n`);
  await writeFile(join(folder, 'data/dev.env'), lines.join(''));
  const { stdout } = await promisify(execFile)('bash', ['-c', snippetOf('bash History')], { cwd: folder });
  expect(JSON.parse(stdout)).toMatchObject({ slug: 'hello', publicStateHistory: { versions: 500, days: 90 } });
});

test('every snippet on the page is run here', () => {
  expect([...snippets.keys()]).toEqual(['js History', 'bash History', 'json Patch', 'js Repeats', 'sh Keys to ship']);
  expect([...page.matchAll(/^```\w+$/gm)]).toHaveLength(snippets.size);
});
