/** An image registry on loopback, for rehearsals. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { requireProgram } from '../../tooling/programs.ts';

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
  const child = spawn('docker-registry', ['serve', config], { stdio: ['ignore', log, log] });
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  try {
    const isUp = () =>
      fetch(`http://${address}/v2/`).then(
        ({ ok }) => ok,
        () => false,
      );
    for (const deadline = Date.now() + 30_000; !(await isUp()); await delay(50)) {
      if (child.exitCode !== null || Date.now() > deadline)
        throw new Error(`the registry did not start: see ${folder}/log`);
    }
    await work(address);
  } finally {
    process.off('exit', end);
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
}
