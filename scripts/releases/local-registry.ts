/** An npm registry on loopback, for rehearsals: it stores our packages, and gets all others from the configured registry. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { endWithThis } from '../../tooling/child-processes.ts';
import { run } from '../../tooling/programs.ts';
import { responds, until } from '../../tooling/until.ts';

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

/** Resolves once a registry responds. Rejects if it ends, or after a minute; its output is in the file `log` of the folder. */
export function untilStarted(child: ChildProcess, url: string, folder: string): Promise<void> {
  const otherwise = `the registry did not start: see ${join(folder, 'log')}`;
  const isUp = () => {
    if (child.exitCode !== null) throw new Error(otherwise);
    return responds(url);
  };
  return until(isUp, { withinMilliseconds: 60_000, everyMilliseconds: 50, otherwise });
}

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
  const child = endWithThis(spawn(process.execPath, command, { cwd: folder, stdio: ['ignore', log, log] }));
  await untilStarted(child, `http://127.0.0.1:${port}/-/ping`, folder);
  return {
    environment: { npm_config_userconfig: userConfig, npm_config_cache: join(folder, 'cache') },
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
