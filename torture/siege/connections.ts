/** Attacks by connections and incomplete requests. */

import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApi, expectStatus, writesAfter } from '../../tooling/api.ts';
import { type Credentials, createProject, publicStatePath } from '../../tooling/credentials.ts';
import { createRandom } from '../../tooling/random.ts';
import { mebibytes } from '../../tooling/readings.ts';
import { sumOf } from '../../tooling/statistics.ts';
import { quick, type SiegeCase, type Target } from './case.ts';
import { type Connections, openConnection, openConnections, requestHead, wholeRequest } from './wire.ts';

const oneAddress = (target: Target) => {
  const address = target.nextAddress();
  return { addressOf: () => address };
};
const manyAddresses = (target: Target) => ({ addressOf: () => target.nextAddress() });

/** Holds connections for a while and returns how many the server kept. */
async function hold(connections: Connections, milliseconds: number): Promise<string> {
  await sleep(milliseconds);
  const note = `${connections.open()} kept`;
  connections.close();
  return note;
}

export const connectionCases: readonly SiegeCase[] = [
  {
    name: 'pipelined requests, then hanging up',
    isQuick: true,
    isApart: true,
    prepare(target) {
      const connections = target.sized(8, 2);
      const requests = target.sized(100_000, 50_000);
      const bytes = Buffer.concat(Array(requests).fill(wholeRequest('GET', '/healthz', target.host)));
      return async () => {
        const held = await openConnections(target, connections, manyAddresses(target));
        for (const socket of held.sockets) {
          socket.resume();
          socket.end(bytes);
        }
        await held.untilClosed(target.sized(30_000, 10_000));
        held.close();
        return { sent: `${connections} × ${requests} GET /healthz on one connection` };
      };
    },
  },
  resetPipelines(),
  {
    name: 'pipelined requests whose answers nobody reads',
    isApart: true,
    prepare(target) {
      const connections = target.sized(400, 100);
      const bytes = Buffer.concat(Array(64).fill(wholeRequest('GET', '/openapi.json', target.host)));
      return async () => {
        const held = await openConnections(target, connections, { ...manyAddresses(target), bytes });
        return {
          sent: `${connections} × 64 GET /openapi.json, never read`,
          note: await hold(held, target.size.seconds * 1_000),
        };
      };
    },
  },
  quick(halfHeads('half-sent heads from one address', oneAddress, 'GET /healthz HTTP/1.1\r\nHost: a')),
  halfHeads(
    'half-sent heads of 15 KB from many addresses',
    manyAddresses,
    `GET /healthz HTTP/1.1\r\nHost: a\r\n${Array.from({ length: 15 }, (_, index) => `X-${index}: ${'v'.repeat(1_000)}\r\n`).join('')}`,
    0.7,
  ),
  halfHeads('connections from one address that say nothing', oneAddress, undefined),
  {
    name: 'connections that are opened and reset',
    isApart: true,
    prepare: (target) => async () => {
      let opened = 0;
      const until = performance.now() + target.size.seconds * 1_000;
      const open = async () => {
        while (performance.now() < until) {
          const socket = await openConnection(target, target.nextAddress());
          socket.resetAndDestroy();
          opened++;
        }
      };
      await Promise.all(Array.from({ length: 64 }, open));
      return { sent: `${opened} connections, reset at once` };
    },
  },
  {
    name: 'TLS greetings to a port without TLS',
    isApart: true,
    prepare: (target) => async () => {
      const greeting = Buffer.concat([Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]), Buffer.alloc(508)]);
      const count = target.sized(4_000, 600);
      const held = await openConnections(target, count, { ...manyAddresses(target), bytes: greeting });
      for (const socket of held.sockets) socket.resume();
      await held.untilClosed(3_000);
      held.close();
      return { sent: `${count} TLS greetings` };
    },
  },
  {
    name: 'requests that expect 100-continue and send no body',
    isApart: true,
    prepare: (target) => async () => {
      const headers = {
        Expect: '100-continue',
        'Content-Type': 'application/x-www-form-urlencoded',
        'Content-Length': '65536',
      };
      const bytes = Buffer.from(requestHead('POST', '/v1/auth/token', target.host, headers));
      const count = target.sized(4_000, 500);
      const held = await openConnections(target, count, { ...manyAddresses(target), bytes });
      return { sent: `${count} heads`, note: await hold(held, target.size.seconds * 500) };
    },
  },
  flood('OPTIONS', '/v1/acc_1/projects/a/public-state/development', {
    Origin: 'https://a.example',
    'Access-Control-Request-Method': 'PUT',
  }),
  flood('GET', '/docs'),
  flood('GET', '/.well-known/jwks.json'),
];

/**
 * Resets connections that have writes and large pages waiting: before the first answer, between two, or in the middle of one. The
 * connections of a document continue its versions. In the end, each document is what the write of its last version made.
 */
function resetPipelines(): SiegeCase {
  const [documents, writes, answerBytesMax] = [8, 8, 2_000_000];
  return {
    name: 'pipelined writes and pages, reset in the middle',
    isQuick: true,
    async prepare(target) {
      const resets = target.sized(50, 10);
      const random = createRandom(target.seed);
      const account = await target.operator.newAccount('Resets connections');
      const newOwner = async (slug: string) => ({ ...account, slug, apiKey: await createProject(account, slug) });
      const owners = await Promise.all(Array.from({ length: documents }, (_, index) => newOwner(`reset-${index}`)));
      const page = wholeRequest('GET', '/openapi.json', target.host);
      const resetAll = async (owner: Credentials) => {
        for (let reset = 0; reset < resets; reset++) {
          const { version } = await readNumbered(owner);
          const pipeline = Array.from({ length: writes }, (_, index) => [writeNumbered(owner, version + index), page]);
          const socket = await openConnection(target, target.nextAddress());
          socket.write(Buffer.concat(pipeline.flat()));
          await receive(socket, random.oneIn(4) ? 0 : random.below(answerBytesMax));
          socket.resetAndDestroy();
        }
        return readNumbered(owner);
      };
      return async () => {
        const last = await Promise.all(owners.map(resetAll));
        const broken = last.filter(({ version, number }) => version !== number);
        return {
          sent: `${documents * resets} pipelines of ${writes} writes and ${writes} pages`,
          note: `${sumOf(last, ({ version }) => version)} versions written`,
          faults: broken.map(({ version, number }) => `version ${version} has the number ${number}`),
        };
      };
    },
  };
}

const numberedPath = (owner: Credentials) => publicStatePath(owner, 'production');

/** The write that follows a version, with the number of its own. */
function writeNumbered(owner: Credentials, version: number): Buffer {
  const headers = { Authorization: `ApiKey ${owner.apiKey}`, 'Content-Type': 'application/json', ...writesAfter(version) };
  const body = `{"ops":[{"op":"add","path":"/number","value":${version + 1}}]}`;
  return wholeRequest('PATCH', numberedPath(owner), owner.host, { headers, body });
}

async function readNumbered(owner: Credentials): Promise<{ version: number; number: number }> {
  const api = createApi(owner.baseUrl, `Bearer ${owner.developerToken}`);
  const { status, text } = expectStatus(await api.send('GET', numberedPath(owner)), 200, 204);
  api.close();
  const { version, state } = status === 204 ? { version: 0, state: { number: 0 } } : JSON.parse(text);
  return { version, number: state.number };
}

/** Resolves when so many bytes have arrived, the connection ends, or five seconds are over. */
function receive(socket: Socket, bytes: number): Promise<void> {
  let left = bytes;
  return new Promise((resolve) => {
    socket.on('data', (piece: Buffer) => {
      left -= piece.length;
      if (left <= 0) resolve();
    });
    socket.once('close', () => resolve());
    setTimeout(resolve, bytes === 0 ? 0 : 5_000).unref();
  });
}

/** Tries to take every connection, with less than a request on each. `share` is relative to the connections of the run. */
function halfHeads(
  name: string,
  from: typeof oneAddress,
  text: string | undefined,
  share = 1.02, // slightly more than there are
): SiegeCase {
  return {
    name,
    isApart: true,
    prepare: (target) => async () => {
      const count = Math.round(target.size.connections * share);
      const bytes = text === undefined ? undefined : Buffer.from(text);
      const held = await openConnections(target, count, { ...from(target), bytes });
      const opened = held.open();
      const note = await hold(held, target.size.seconds * 500);
      return { sent: `${count} connections`, note: `${opened} stood, ${note}` };
    },
  };
}

/** Repeats one request, as fast as it is answered, on connections of many addresses. */
function flood(method: string, path: string, headers: Readonly<Record<string, string>> = {}): SiegeCase {
  return {
    name: `a flood of ${method} ${path}`,
    isApart: true,
    isLarge: true,
    prepare: (target) => async () => {
      const bytes = wholeRequest(method, path, target.host, { headers });
      const sixteen = Buffer.concat(Array(16).fill(bytes));
      const held = await openConnections(target, 64, manyAddresses(target));
      let received = 0;
      for (const socket of held.sockets) {
        socket.write(sixteen);
        socket.on('data', (piece: Buffer) => {
          received += piece.length;
          if (!socket.writableNeedDrain) socket.write(bytes);
        });
      }
      await sleep(target.size.seconds * 1_000);
      held.close();
      return { sent: 'on 64 connections, 16 at a time', note: `${mebibytes(received)} MiB of answers` };
    },
  };
}
