/** The package as it is published: packed, unpacked in an empty folder, and used from JavaScript and from TypeScript. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildClient } from '../../scripts/build/client.ts';
import { type ClientWorld, openClientWorld } from './world.ts';

const root = join(import.meta.dirname, '../..');
const binaries = join(root, 'node_modules/.bin');
const env = { ...process.env, PATH: [binaries, process.env.PATH].join(delimiter), NODE_OPTIONS: '' };
let folder: string;
let dist: string;
let world: ClientWorld;

/** Runs a program, and returns what it prints; its whole output is in the failure. */
const run = async (
  command: string,
  args: readonly string[],
  cwd: string,
  more: NodeJS.ProcessEnv = {},
): Promise<string> => {
  const options = { cwd, env: { ...env, ...more }, shell: process.platform === 'win32' };
  const { stdout } = await promisify(execFile)(command, args, options).catch((failure) => {
    throw new Error(`${command} ${args.join(' ')}: ${failure.stdout}${failure.stderr}`);
  });
  return stdout;
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-package-'));
  dist = join(folder, 'dist');
  await buildClient(dist);
  const name = (await run('npm', ['pack', dist, '--silent', '--pack-destination', folder], folder)).trim();
  mkdirSync(join(folder, 'node_modules/@holdfast'), { recursive: true });
  await run('tar', ['-xzf', join(folder, name), '-C', folder], folder);
  cpSync(join(folder, 'package'), join(folder, 'node_modules/@holdfast/client'), { recursive: true });
  cpSync(join(root, 'node_modules/eventsource-parser'), join(folder, 'node_modules/eventsource-parser'), {
    recursive: true,
  });
  world = await openClientWorld();
});
afterAll(async () => {
  await world?.server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const program = `
import { createClient, isHoldfastError } from '@holdfast/client';
const { HOLDFAST_URL: baseUrl, ACCOUNT: accountId, PROJECT: project, KEY: apiKey } = process.env;
const { publicState } = createClient({ baseUrl, accountId, project, environment: 'production', auth: { apiKey } });
await publicState.update((draft) => { draft.gold = (draft.gold ?? 0) + 1; });
const told = await new Promise((resolve) => {
  const end = publicState.subscribe((snapshot) => { resolve(snapshot); setTimeout(() => end()); });
});
const refused = await publicState.put({}, { ifVersion: null }).catch((caught) => isHoldfastError(caught, 'version_conflict'));
console.log(JSON.stringify([told, refused]));
`;

test('JavaScript reads, writes and subscribes with it', async () => {
  writeFileSync(join(folder, 'main.mjs'), program);
  const project = await world.newProject();
  const { apiKey: KEY } = await world.server.newApiKey(project);
  const settings = { HOLDFAST_URL: world.server.baseUrl, ACCOUNT: project.developer.accountId, PROJECT: project.slug, KEY };
  const printed = await run(process.execPath, ['main.mjs'], folder, settings);
  expect(JSON.parse(printed)).toEqual([{ state: { gold: 1 }, version: 1, stale: false }, true]);
});

const typed = `
import { createClient, createStateClient, defineMutators, isHoldfastError, openQueue, type HoldfastErrorCode } from '@holdfast/client';
interface Save { gold: number; items?: string[] }
const client = createClient<{ publicState: { motd: string }; userState: Save }>({
  baseUrl: 'https://x.example', accountId: 'acc_1', project: 'p', environment: 'staging', auth: { redirectUri: 'https://y.example/' },
});
export const record = await client.userState.update((draft) => { draft.gold += 1; }, { initial: { gold: 0 } });
export const gold: number = record.state.gold;
await client.userState.update((draft) => ({ ...draft, items: [] }));
client.publicState.subscribe(({ state, stale }) => { const text: string | undefined = state?.motd; void [text, stale]; });
await client.auth.signIn({ popup: true });
const queue = openQueue(client.userState, defineMutators({ add: (draft: Save, n: number) => { draft.gold += n; } }), { name: 'q' });
await queue.run.add(5);
try { await client.publicState.put({ motd: '' }, { ifVersion: 1 }); } catch (caught) {
  if (isHoldfastError(caught, 'version_conflict')) { const version: number | null = caught.currentVersion; void version; }
  if (isHoldfastError(caught)) { const code: HoldfastErrorCode = caught.code; void code; }
}
const keyed = createStateClient({ baseUrl: '', accountId: '', project: '', environment: 'production', auth: { apiKey: '' } });
// @ts-expect-error: the type of the document
await client.userState.update((draft) => { draft.gold = 'much'; });
// @ts-expect-error: an argument of the mutator
await queue.run.add('5');
// @ts-expect-error: a write says what it replaces
await client.publicState.put({ motd: '' });
// @ts-expect-error: no sign-in with a key
keyed.auth.signIn();
// @ts-expect-error: state alone has no stream
keyed.publicState.subscribe;
`;

test.each([
  ['bundler', 'esnext'],
  ['nodenext', 'nodenext'],
])('TypeScript knows its types, moduleResolution %s', async (moduleResolution, module) => {
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: false,
    module,
    moduleResolution,
  };
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'main.ts'), typed);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
  expect(await run('tsc', ['-p', '.'], folder)).toBe('');
});

test('publint and attw have nothing to say', async () => {
  expect(await run('publint', [dist, '--strict'], folder)).toContain('All good');
  expect(await run('attw', ['--pack', dist, '--profile', 'esm-only', '--format', 'ascii'], folder)).not.toContain('❌');
});

test('its declarations and its manifest name nothing that is not there', () => {
  const manifest = JSON.parse(readFileSync(join(dist, 'package.json'), 'utf8'));
  expect(manifest.dependencies).toEqual({ 'eventsource-parser': expect.any(String) });
  expect(manifest.devDependencies).toBeUndefined();
});
