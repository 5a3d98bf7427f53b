/** An installation for production, as the documentation makes it: with the settings that are shipped, behind the documented nginx. */
import { strict as assert } from 'node:assert';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { becomeOwner } from './owner.ts';
import { nginx, startProxy } from './proxy-process.ts';

export interface Installation {
  /** How its command is started. */
  readonly words: readonly [string, ...string[]];
  /** An empty folder, for the data and for nginx. */
  readonly folder: string;
  /** The file of settings, as it was shipped. */
  readonly envFile: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Where to keep a picture of the console at the end. */
  readonly picture?: string;
}

const readyMillisecondsMax = 30_000;
const name = 'My studio';

/**
 * Starts the service, makes an account, and opens the link that this prints until its owner is signed in to the console. Rejects with what is
 * not as the documentation says.
 */
export async function tryProduction({ words, folder, envFile, environment, picture }: Installation): Promise<void> {
  const [program, ...rest] = [...words, '--env-file', envFile] as const;
  const dataDir = join(folder, 'data');
  const port = await freePort();
  const env = { ...environment, SVC_DATA_DIR: dataDir, SVC_PORT: String(port) };
  const service = spawn(program, [...rest, 'serve'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(service, 'exit');
  const proxyFolder = join(folder, 'nginx');
  mkdirSync(proxyFolder);
  const https = await freePort();
  const stopProxy = await startProxy(nginx, proxyFolder, { services: [port], http: await freePort(), https });
  try {
    await ready(port);
    const create = spawnSync(program, [...rest, 'account', 'create', '--name', name], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    assert.equal(create.status, 0, create.stderr);
    await becomeOwner({ printed: create.stdout, name, dataDir, port: https, ...(picture !== undefined && { picture }) });
    assert.ok(!existsSync(join(dataDir, 'dev.env')), 'an installation for production has a demo');
  } finally {
    await stopProxy();
    service.kill('SIGTERM');
    await exited;
  }
}

async function ready(port: number): Promise<void> {
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status === 200;
  for (const deadline = Date.now() + readyMillisecondsMax; !(await isReady()); await sleep(50))
    assert.ok(Date.now() < deadline, 'the service is not ready');
}
