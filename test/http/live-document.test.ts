/** Runs the programs in docs/live.md unchanged. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startServer, type TestServer } from '../support/server.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/live.md'), 'utf8');
// The first program is only the listening part of a page, not a complete program.
const [, follower, poller] = [...page.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, program = '']) => program);
const command = /^```sh\n([\s\S]*?)^```/m.exec(page)?.[1];

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** Runs a program until the test ends; `lines` returns its output so far. */
function run(program: string, args: readonly string[], environment: Readonly<Record<string, string>>, cwd?: string) {
  const child: ChildProcess = spawn(program, args, { env: { ...process.env, ...environment }, cwd });
  onTestFinished(() => void child.kill());
  let text = '';
  const note = (piece: Buffer) => {
    text += piece.toString('utf8');
  };
  child.stdout?.on('data', note);
  if (program !== 'sh') child.stderr?.on('data', note); // curl draws its progress there
  return { lines: () => text.split('\n').slice(0, -1) };
}

async function newDocument() {
  const project = await server.newProject();
  const { apiKey } = await server.newApiKey(project);
  const path = `${project.path}/public-state/production`;
  const put = async (version: number, state: unknown) => {
    const precondition = version === 0 ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` };
    const headers = { Authorization: `ApiKey ${apiKey}`, ...precondition };
    expect((await server.call('PUT', path, { headers, body: { state } })).status).toBe(200);
  };
  return { put, environment: { HOLDFAST_STATE_URL: `${server.baseUrl}${path}`, HOLDFAST_API_KEY: apiKey } };
}

/** Makes a folder whose data folder has these variables, like a clone after `npm start`. */
async function folderOf(environment: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-live-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'data'));
  const lines = Object.entries(environment).map(([name, value]) => `${name}='${value}'\n`);
  await writeFile(join(folder, 'data/dev.env'), lines.join(''));
  return folder;
}

const patience = { timeout: 60_000 };

test('the command prints the events on the page', async () => {
  const { put, environment } = await newDocument();
  for (let version = 0; version < 7; version++) await put(version, { theme: 'dark', players: 35 + version });
  const { lines } = run('sh', ['-c', command as string], {}, await folderOf(environment));
  await expect.poll(lines, patience).toContain('event: snapshot');
  await put(7, { theme: 'dark', players: 42 });
  await expect.poll(() => lines().length, patience).toBeGreaterThanOrEqual(9);
  const shown = /^```text\n([\s\S]*?)^```/m.exec(page)?.[1] as string;
  const printed = lines().filter((line) => line !== '' && /^(?:event|id|data|retry): /.test(line));
  const expected = shown.split('\n').filter((line) => line !== '');
  expect(printed.map((line) => line.replace(/^retry: \d+$/, 'retry: 3271'))).toEqual(expected);
});

test('the follower shows every version, whatever changes', async () => {
  const { put, environment } = await newDocument();
  const states = [
    { a: 1 },
    { a: 2, 'b/c~d': [1, 2, 3] },
    { 'b/c~d': [1, 9, 2, 3, 4], deep: { x: { y: null } } },
    { 'b/c~d': [9, 2], deep: { x: { y: [] } }, text: 'x'.repeat(17_000) },
    { 'b/c~d': [], last: true },
  ];
  const { lines } = run(process.execPath, ['--input-type=module', '-e', follower as string], environment);
  await expect.poll(lines, patience).toEqual(['0 null']);
  for (const [version, state] of states.entries()) {
    await put(version, state);
    await expect.poll(() => lines().length, patience).toBe(version + 2);
    const [, number, text = ''] = /^(\d+) (.*)$/.exec(lines().at(-1) as string) ?? [];
    expect([Number(number), JSON.parse(text)]).toEqual([version + 1, state]);
  }
});

test('the follower exits if its key may not read', async () => {
  const { environment } = await newDocument();
  const refused = { ...environment, HOLDFAST_API_KEY: 'svck_nonsense' };
  const { lines } = run(process.execPath, ['--input-type=module', '-e', follower as string], refused);
  await expect.poll(() => lines().join('\n'), patience).toContain('this key may not read the document');
});

test('the long poll prints every event', async () => {
  const { put, environment } = await newDocument();
  const { lines } = run(process.execPath, ['--input-type=module', '-e', poller as string], environment);
  await expect.poll(lines, patience).toEqual(['{"type":"snapshot","version":null,"state":null}']);
  await put(0, { n: 0 });
  await expect.poll(() => lines().length, patience).toBe(2);
  await put(1, { n: 1 });
  await expect.poll(() => lines().length, patience).toBe(3);
  expect(JSON.parse(lines().at(-1) as string)).toMatchObject({ type: 'change', version: 2, from: 1 });
});
