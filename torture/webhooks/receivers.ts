/** Receivers with faults: they refuse, hang up, hold or delay some first tries, and one is away for a while. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answeringWith } from '../../tooling/answering.ts';
import type { Random } from '../../tooling/random.ts';

/** An event that was accepted, at a time of `performance.now`. */
interface Accepted {
  readonly id: string;
  readonly at: number;
  readonly type: string;
  readonly data: { readonly from?: number; readonly version?: number; readonly count?: number };
}

export interface FaultyReceiver {
  readonly url: string;
  readonly accepted: readonly Accepted[];
  /** Tries that were not accepted. */
  readonly faults: number;
  /** Bodies that differed from an earlier try with the same id. */
  readonly changed: readonly string[];
  /** Refuses connections until it is opened again. */
  away(): Promise<void>;
  back(): Promise<void>;
  close(): Promise<void>;
}

/** One in so many first tries fails. For five seconds after each, versions wait: with eight a second, for two of seven seconds. */
const faultyOneIn = 100;
const delayMilliseconds = 1_000;

/** Starts a receiver on loopback. */
export async function openFaultyReceiver(random: Random): Promise<FaultyReceiver> {
  const accepted: Accepted[] = [];
  const changed: string[] = [];
  const bodies = new Map<string, string>();
  let faults = 0;
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const at = performance.now();
    const body = Buffer.concat(chunks).toString();
    const id = String(request.headers['webhook-id']);
    const before = bodies.get(id);
    bodies.set(id, body);
    if (before !== undefined && before !== body) changed.push(`${id} was ${before}, then ${body}`);
    if (before === undefined && random.oneIn(faultyOneIn)) {
      fault(random, response);
      faults += 1;
      return;
    }
    accepted.push({ id, at, ...(JSON.parse(body) as Pick<Accepted, 'type' | 'data'>) });
    response.writeHead(204).end();
  };
  const server = createServer(answeringWith(receive));
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/events`,
    accepted,
    changed,
    get faults() {
      return faults;
    },
    away: close,
    back: () => listen(port),
    close,
  };
}

/** Fails a try in one of several ways. */
function fault(random: Random, response: ServerResponse): void {
  const ways: readonly (() => void)[] = [
    () => response.writeHead(500).end(),
    () => response.writeHead(302, { Location: '/elsewhere' }).end(),
    () => response.destroy(),
    () => response.writeHead(429).end('x'.repeat(200_000)),
    () => setTimeout(() => response.writeHead(503).end(), delayMilliseconds),
  ];
  random.pick(ways)();
}
