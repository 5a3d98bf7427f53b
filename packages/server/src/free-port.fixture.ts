/** Ports for servers that are started again at the same address. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Below the ranges from which Linux, macOS and Windows take the ports of outgoing connections. In those ranges, a
 * connection of another test could take the port while the server is down, and a client that keeps trying could be given
 * the very port that it calls, and so reach itself. Above 10080, to which `fetch` sends nothing.
 */
const range = { min: 11_000, max: 32_000 };
const attemptsMax = 100;

/** A file for each port that a process of this machine was given. Until the server listens, nothing else tells of it. */
const given = join(tmpdir(), 'holdfast-ports');
const keptMs = 3_600_000;

/** Returns a port of the loopback interface that nobody listens on now, and that no process was given in the last hour. */
export async function freePort(): Promise<number> {
  mkdirSync(given, { recursive: true });
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const port = randomInt(range.min, range.max);
    if (isMine(port) && (await isFree(port))) return port;
  }
  throw new Error(`no port from ${range.min} to ${range.max} is free`);
}

/** Whether this call is the one that takes a port. An old file is only removed: the port is for a later call. */
function isMine(port: number): boolean {
  const file = join(given, String(port));
  try {
    writeFileSync(file, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const takenAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  if (Date.now() - takenAt > keptMs) rmSync(file, { force: true });
  return false;
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
