/** An image registry on loopback, for rehearsals. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { endWithThis, isRunning } from '../../tooling/child-processes.ts';
import { requireProgram } from '../../tooling/programs.ts';
import { untilStarted } from './local-registry.ts';

/** Runs `work` with the address of an empty registry, such as `127.0.0.1:5000`, whose images are stored in `folder`. */
export async function withImageRegistry(folder: string, work: (address: string) => Promise<void>): Promise<void> {
  requireProgram('docker-registry', 'docker-registry');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const address = `127.0.0.1:${await freePort()}`;
  const config = join(folder, 'config.json');
  const storage = { filesystem: { rootdirectory: join(folder, 'images') } };
  writeFileSync(config, JSON.stringify({ version: 0.1, log: { level: 'warn' }, storage, http: { addr: address } }));
  const log = openSync(join(folder, 'log'), 'a');
  const child = endWithThis(spawn('docker-registry', ['serve', config], { stdio: ['ignore', log, log] }));
  try {
    await untilStarted(child, `http://${address}/v2/`, folder);
    await work(address);
  } finally {
    child.kill('SIGTERM');
    if (isRunning(child)) await once(child, 'exit');
  }
}
