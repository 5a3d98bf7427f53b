/** Shared by the trials of `@holdfast/client` in other runtimes: the published package, and a service to try it with. */
import { strict as assert } from 'node:assert';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { buildClient } from './client.ts';

const root = join(import.meta.dirname, '../..');

/** Options of a client of the demo project. */
export interface DemoOptions {
  readonly baseUrl: string;
  readonly accountId: string;
  readonly project: string;
  readonly environment: string;
  readonly auth: { readonly apiKey: string };
}

/** Runs a program to its end, and returns its output. Throws with the output if it fails. */
export function run(folder: string, command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', timeout: 180_000 });
  assert.equal(status, 0, `${command} ${args.join(' ')} failed: ${error?.message ?? ''}\n${stdout}${stderr}`);
  return stdout;
}

/** Installs packages in a separate folder, without running their scripts. */
export function installIn(folder: string, ...what: readonly string[]): void {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  run(folder, 'npm', 'install', ...what, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
}

/** Packs the client and installs it. Returns its folder, which also contains the program of the trials. */
export async function installClient(at: string): Promise<string> {
  await buildClient(join(at, 'dist'));
  const file = run(at, 'npm', 'pack', join(at, 'dist'), '--silent', '--pack-destination', at).trim();
  const app = join(at, 'app');
  installIn(app, join(at, file));
  cpSync(join(import.meta.dirname, 'client-program.mjs'), join(app, 'program.mjs'));
  return app;
}

/** Starts the service with its demo project, on a free port. */
export async function startService(at: string): Promise<{ readonly options: DemoOptions; stop(): void }> {
  const env = { ...process.env, SVC_PORT: '0', SVC_DATA_DIR: join(at, 'data'), SVC_RATE_LIMIT_PER_MINUTE: '0' };
  const child = spawn(process.execPath, [join(root, 'packages/server/bin/holdfast.mjs'), 'serve'], {
    env,
    stdio: 'ignore',
  });
  const envFile = join(at, 'data/dev.env');
  const demo = (): NodeJS.Dict<string> => (existsSync(envFile) ? parseEnv(readFileSync(envFile, 'utf8')) : {});
  const isReady = () =>
    fetch(`${demo().HOLDFAST_URL}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (let n = 0; n < 300 && !(await isReady()); n++) await delay(100);
  const found = demo();
  const options: DemoOptions = {
    baseUrl: found.HOLDFAST_URL ?? '',
    accountId: found.HOLDFAST_ACCOUNT_ID ?? '',
    project: found.HOLDFAST_PROJECT ?? '',
    environment: found.HOLDFAST_ENVIRONMENT ?? '',
    auth: { apiKey: found.HOLDFAST_API_KEY ?? '' },
  };
  return { options, stop: () => void child.kill() };
}
