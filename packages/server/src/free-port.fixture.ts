/** Ports for servers that are started again at the same address. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ranges from which Linux, macOS and Windows take the ports of outgoing connections. In those ranges, a
 * connection of another test could take the port while the server is down, and a client that keeps trying could be given
 * the very port that it calls, and so reach itself.
 */
const range = { min: 10_000, max: 32_000 };
const attemptsMax = 100;

/** Returns a port of the loopback interface that nobody listens on now. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const port = randomInt(range.min, range.max);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${range.min} to ${range.max} is free`);
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
