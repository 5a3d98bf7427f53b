/** The published package: packed, unpacked in an empty folder, and used from JavaScript and TypeScript. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

/** Runs a program and returns its output. An error contains all of it. */
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
  for (const scope of ['@types', '@openfeature']) mkdirSync(join(folder, 'node_modules', scope));
  for (const name of [
    'zod',
    'valibot',
    'react',
    'react-dom',
    'csstype',
    'undici-types',
    '@types/react',
    '@types/react-dom',
    '@types/node',
    '@openfeature/core',
    '@openfeature/web-sdk',
  ]) {
    const from = join(root, 'node_modules', name);
    if (existsSync(from)) symlinkSync(from, join(folder, 'node_modules', name), 'junction');
  }
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

/** Compiler options for programs that use the package: as strict as possible, declarations included. */
const strictest = {
  target: 'es2022',
  lib: ['es2022', 'dom'],
  types: [],
  jsx: 'react-jsx',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  skipLibCheck: false,
};

/** Compiles files of a folder, and returns the compiler's messages. */
async function compile(
  at: string,
  files: Readonly<Record<string, string>>,
  options: object,
  manifest = '{"type":"module"}',
) {
  const here = join(folder, at);
  mkdirSync(here);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(here, name), text);
  writeFileSync(join(here, 'package.json'), manifest);
  const compilerOptions = { ...strictest, ...options };
  writeFileSync(join(here, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
  return run('tsc', ['-p', '.'], here);
}

test.each([
  ['bundler', 'esnext'],
  ['nodenext', 'nodenext'],
])('TypeScript finds its types, moduleResolution %s', async (moduleResolution, module) => {
  const text = readFileSync(join(import.meta.dirname, 'types.ts'), 'utf8');
  const options = { module, moduleResolution, skipLibCheck: true }; // types of the schema libraries need more of the runtime
  expect(await compile(moduleResolution, { 'types.ts': text }, options)).toBe('');
  const alone = "import { createClient } from '@holdfast/client';\nexport const client = createClient;";
  expect(await compile(`${moduleResolution}-alone`, { 'main.ts': alone }, { module, moduleResolution })).toBe('');
});

test('CommonJS gets its types and functions, and recognises errors from both builds', async () => {
  const text = `
import { createClient, HoldfastError, isHoldfastError } from '@holdfast/client';
import holdfast = require('@holdfast/client');
import { flagProvider } from '@holdfast/client/flags';
import { signInWithBrowser } from '@holdfast/client/node';
import { usePublicState } from '@holdfast/client/react';
export const client = createClient<{ userState: { gold: number } }>({
  baseUrl: 'https://x.example', accountId: 'acc_1', project: 'p', environment: 'staging', auth: { apiKey: 'svck_x' },
});
export const gold: Promise<number | undefined> = client.userState.get().then((record) => record?.state.gold);
export const same: boolean = holdfast.isHoldfastError(new HoldfastError('timeout', ''), 'timeout');
void [isHoldfastError, flagProvider, signInWithBrowser, usePublicState];
`;
  const options = { module: 'node16', moduleResolution: 'node16', skipLibCheck: true };
  expect(await compile('common', { 'main.ts': text }, options, '{}')).toBe('');
  const program = `
const required = require('@holdfast/client');
import('@holdfast/client').then(({ HoldfastError, isHoldfastError }) => {
  const failures = [new HoldfastError('timeout', ''), new required.HoldfastError('timeout', ''), new Error('timeout')];
  console.log(JSON.stringify(failures.map((one) => [isHoldfastError(one), required.isHoldfastError(one, 'timeout')])));
});`;
  writeFileSync(join(folder, 'common/main.cjs'), program);
  const printed = await run(process.execPath, ['main.cjs'], join(folder, 'common'));
  expect(JSON.parse(printed)).toEqual([
    [true, true],
    [true, true],
    [false, false],
  ]);
});

/** Names that the programs of a page use without declaring them: earlier programs or the reader's code define them. */
const declared = `
interface Config { motd: string; price: number }
interface Save { gold: number; items?: string[] }
type Documents = { publicState: Config; userState: Save };
declare const client: import('@holdfast/client').Client<Documents>;
declare const publicState: typeof client.publicState, userState: typeof client.userState;
declare const baseUrl: string, accountId: string, project: string, environment: 'production';
declare const root: import('react-dom/client').Root;
declare const Suspense: typeof import('react').Suspense;
declare function configure(state: Config | null): void;
declare function show(state: unknown): void;
`;

test('the programs of its README compile', async () => {
  const page = 'packages/client/README.md';
  const text = readFileSync(join(root, page), 'utf8');
  const programs = [...text.matchAll(/^```(tsx?)\n(.*?)^```/gms)];
  expect(programs.length).toBeGreaterThan(0);
  const files = Object.fromEntries(
    programs.map(([, kind, program], index) => [`program-${index}.${kind}`, `${program}\nexport {};\n`]),
  );
  Object.assign(files, { 'declared.d.ts': declared });
  const options = {
    module: 'esnext',
    moduleResolution: 'bundler',
    types: ['node', 'react', 'react-dom'],
    skipLibCheck: true,
  };
  expect(await compile(page.replaceAll(/\W/g, '-'), files, options)).toBe('');
});

test('hooks are for the browser, and server components get query options', async () => {
  expect(readFileSync(join(dist, 'react.js'), 'utf8')).toMatch(/^'use client';/);
  const program = `
import { queryOptions, useUserState } from '@holdfast/client/react';
const client = { id: 'x', auth: { user: { id: 'ada' } }, userState: { get: () => 7 } };
console.log(JSON.stringify([queryOptions(client, 'userState').queryKey, queryOptions(client, 'userState').queryFn({}), typeof useUserState]));`;
  writeFileSync(join(folder, 'server-component.mjs'), program);
  for (const words of [['--conditions=react-server'], []]) {
    const printed = await run(process.execPath, [...words, 'server-component.mjs'], folder);
    expect(JSON.parse(printed)).toEqual([['holdfast', 'x', 'userState', 'ada'], 7, 'function']);
  }
});

test('publint and attw find no fault', async () => {
  expect(await run('publint', [dist, '--strict'], folder)).toContain('All good');
  expect(await run('attw', ['--pack', dist, '--profile', 'node16', '--format', 'ascii'], folder)).not.toContain('❌');
});

test('its declarations and manifest name nothing that is missing', () => {
  const manifest = JSON.parse(readFileSync(join(dist, 'package.json'), 'utf8'));
  expect(manifest.dependencies).toEqual({ 'eventsource-parser': expect.any(String) });
  expect(manifest.devDependencies).toBeUndefined();
});
