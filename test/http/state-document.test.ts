/** The programs in docs/state.md run as they stand there. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../support/server.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/state.md'), 'utf8');
/** Each program by the heading that it stands below. */
const programs = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const program = /^```js\n([\s\S]*?)^```/m.exec(section)?.[1];
      return program === undefined ? [] : [[section.slice(0, section.indexOf('\n')), program] as const];
    }),
);

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** Runs the program below a heading; returns what it prints. */
async function run(heading: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const program = programs.get(heading);
  if (program === undefined) throw new Error(`docs/state.md has no program below ${heading}`);
  const env = { ...process.env, ...environment };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { env });
  return stdout;
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

test('the history is printed to its end', async () => {
  const { put, environment } = await newDocument('build server');
  for (let version = 0; version < 60; version++) await put(version, {}, version === 0 ? 'the first' : null);
  const lines = (await run('History', environment)).trimEnd().split('\n');
  expect(lines).toHaveLength(60);
  expect(lines[0]).toMatch(/^60 \d{4}-\S+Z build server $/);
  expect(lines.at(-1)).toMatch(/^1 \S+ build server the first$/);
});

test('each program of the page is run here', () => {
  expect([...programs.keys()]).toEqual(['History']);
  expect([...page.matchAll(/^```js$/gm)]).toHaveLength(programs.size);
});
