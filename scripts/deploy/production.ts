/** A production installation as documented, with the shipped settings, behind a documented proxy. */

import { strict as assert } from 'node:assert';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { nginx, type Ports, type ReverseProxy, startProxy } from '../../tooling/proxies/reverse-proxy.ts';
import { responds, until } from '../../tooling/until.ts';
import { becomeOwner } from './owner.ts';

export interface Installation {
  /** Starts the service at the proxy's address, and resolves once it is ready. */
  start(ports: Ports): Promise<Running>;
  /** An empty folder, for the proxy. */
  readonly folder: string;
  readonly dataDir: string;
  /** Default: nginx. */
  readonly proxy?: ReverseProxy;
  /** Where to store a picture of the console at the end. */
  readonly picture?: string;
}

/** A service of an installation. */
export interface Running {
  /** Runs an operator command beside it. */
  run(...args: readonly string[]): { status: number | null; output: string };
  stop(): Promise<void>;
}

const readyMillisecondsMax = 30_000;
const name = 'My studio';

/**
 * Starts the service, creates an account, and follows the printed link until its owner is signed in to the console. Rejects with
 * differences from the documentation.
 */
export async function tryProduction({ start, folder, dataDir, proxy = nginx, picture }: Installation): Promise<void> {
  const ports = { services: [await freePort()], http: await freePort(), https: await freePort() };
  const proxyFolder = join(folder, 'proxy');
  mkdirSync(proxyFolder);
  const service = await start(ports);
  const stopProxy = await startProxy(proxy, proxyFolder, ports);
  try {
    const { status, output } = service.run('account', 'create', '--name', name);
    assert.equal(status, 0, output);
    await becomeOwner({ printed: output, name, dataDir, port: ports.https, ...(picture !== undefined && { picture }) });
    assert.ok(!existsSync(join(dataDir, 'dev.env')), 'an installation for production has a demo');
  } finally {
    await stopProxy();
    await service.stop();
  }
}

export interface Program {
  /** How its command is started. */
  readonly words: readonly [string, ...string[]];
  /** The settings file, as shipped. */
  readonly envFile: string;
  readonly environment: NodeJS.ProcessEnv;
  /** How the service is started, if by another command. */
  readonly serve?: readonly [string, ...string[]];
}

/** Starts an installed program as a process of this machine. Rejects if it does not become ready. */
export async function startProgram(
  { words, envFile, environment, serve }: Program,
  folder: string,
  dataDir: string,
  { services: [port = 0] }: Ports,
): Promise<Running> {
  const [program, ...rest] = [...words, '--env-file', envFile] as const;
  const env = { ...environment, SVC_DATA_DIR: dataDir, SVC_PORT: String(port) };
  const [started, ...args] = serve ?? [program, ...rest, 'serve'];
  const service = spawn(started, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(service, 'exit');
  const stop = async () => {
    service.kill('SIGTERM');
    await exited;
  };
  const isReady = () => responds(`http://127.0.0.1:${port}/readyz`);
  const patience = { withinMilliseconds: readyMillisecondsMax, everyMilliseconds: 50 };
  await until(isReady, { ...patience, otherwise: 'the service is not ready' }).catch(async (error: Error) => {
    await stop();
    throw error;
  });
  return {
    stop,
    run(...operator) {
      const { status, stdout, stderr } = spawnSync(program, [...rest, ...operator], { cwd: folder, env, encoding: 'utf8' });
      return { status, output: status === 0 ? stdout : stderr };
    },
  };
}
