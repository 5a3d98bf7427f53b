/** An npm registry on loopback, for rehearsals: it stores our packages, and gets all others from the configured registry. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { run } from './runtimes.ts';

/** Its dependencies require the tag `cjs` of node-fetch, which some registries lack; 2 is the last major version in CommonJS. */
const wanted = { private: true, dependencies: { verdaccio: '6.10.4' }, overrides: { 'node-fetch': '2.7.0' } };

export interface LocalRegistry {
  /** Variables that make npm use it, with a separate cache. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const configuration = (folder: string, uplink: string) => ({
  storage: join(folder, 'storage'),
  uplinks: { others: { url: uplink, maxage: '60m', timeout: '60s' } },
  packages: {
    '@holdfast/*': { access: '$all', publish: '$all' },
    holdfast: { access: '$all', publish: '$all' },
    '**': { access: '$all', proxy: 'others' },
  },
  max_body_size: '100mb',
  web: { enable: false },
  log: { type: 'stdout', format: 'json', level: 'warn' },
});

/** Installs the program outside the lockfile, without running package scripts. */
function install(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(wanted));
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], folder);
}

/** Starts the registry in a folder, which stores its program and the published packages. Ends with this process at the latest. */
export async function startRegistry(folder: string): Promise<LocalRegistry> {
  mkdirSync(folder, { recursive: true });
  const uplink = run('npm', ['config', 'get', 'registry'], folder).trim();
  const program = join(folder, 'program');
  if (!existsSync(join(program, 'node_modules'))) install(program);
  const port = await freePort();
  const [config, userConfig] = [join(folder, 'config.json'), join(folder, 'npmrc')];
  writeFileSync(config, JSON.stringify(configuration(folder, uplink)));
  // npm publishes nothing without a token. This registry accepts any.
  writeFileSync(userConfig, `registry=http://127.0.0.1:${port}/\n//127.0.0.1:${port}/:_authToken=rehearsal\nyes=true\n`);
  const log = openSync(join(folder, 'log'), 'a');
  const command = [
    join(program, 'node_modules/verdaccio/bin/verdaccio'),
    '--config',
    config,
    '--listen',
    `127.0.0.1:${port}`,
  ];
  const child = spawn(process.execPath, command, { cwd: folder, stdio: ['ignore', log, log] });
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/-/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (const deadline = Date.now() + 60_000; !(await isUp()); await delay(100)) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`the registry did not start: see ${join(folder, 'log')}`);
  }
  return {
    environment: { npm_config_userconfig: userConfig, npm_config_cache: join(folder, 'cache') },
    async stop() {
      process.off('exit', end);
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
