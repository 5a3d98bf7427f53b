/** Attacks by the arrival of bodies: never, slowly, in tiny chunks, or all together. */

import { setTimeout as sleep } from 'node:timers/promises';
import { userStatePath } from '../../tooling/credentials.ts';
import { type Attack, quick, type SiegeCase, type Target } from './case.ts';
import {
  type Connections,
  complete,
  nextAnswer,
  openConnections,
  requestHead,
  statusCounts,
  wholeRequest,
  written,
} from './wire.ts';

const bodyBytesMax = 2 * 1024 * 1024;
const formBytesMax = 65_536;
const recordBytesMax = 131_072;
const formType = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** The head of a patch of a player's own state. */
async function userPatch(target: Target, framing: Readonly<Record<string, string>>, userId = 'attacker'): Promise<string> {
  const token = await target.operator.playerToken(target, userId);
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'If-None-Match': '*' };
  return requestHead('PATCH', userStatePath(target, 'development'), target.host, { ...headers, ...framing });
}

/** Sends all but the last byte of a body on this many connections, waits, and returns their outcome. */
async function unfinished(
  target: Target,
  request: { head: string; bodyBytes: number; count: number; addressOf: () => string },
): Promise<string> {
  const { head, bodyBytes, count, addressOf } = request;
  const bytes = Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(bodyBytes - 1, 0x20)]);
  const held = await openConnections(target, count, { addressOf });
  for (const socket of held.sockets) socket.resume();
  await Promise.all(held.sockets.map((socket) => written(socket, bytes, 5_000)));
  await sleep(target.sized(3_000, 800)); // the system has accepted them, and the server is still reading
  const note = `${held.open()} kept`;
  held.close();
  return note;
}

export const bodyCases: readonly SiegeCase[] = [
  {
    name: 'largest bodies without their last byte, of one end user',
    isQuick: true,
    async prepare(target) {
      const count = target.sized(250, 120);
      const head = await userPatch(target, { 'Content-Length': String(bodyBytesMax) });
      const request = { head, bodyBytes: bodyBytesMax, count, addressOf: target.nextAddress };
      return async () => ({ sent: `${count} PATCHes of 2 MiB`, note: await unfinished(target, request) });
    },
  },
  {
    name: 'largest bodies without their last byte, of many end users from many addresses',
    isLarge: true,
    async prepare(target) {
      const users = 250;
      const framing = { 'Content-Length': String(bodyBytesMax) };
      const heads = await Promise.all(
        Array.from({ length: users }, (_, index) => userPatch(target, framing, `user-${index}`)),
      );
      return async () => {
        const notes = await Promise.all(
          heads.map((head) =>
            unfinished(target, { head, bodyBytes: bodyBytesMax, count: 1, addressOf: target.nextAddress }),
          ),
        );
        return { sent: `${users} PATCHes of 2 MiB`, note: `${notes.filter((note) => note.startsWith('1')).length} kept` };
      };
    },
  },
  anonymousUnfinished('forms', '/v1/auth/token', formBytesMax, formType, 3_000, 2_200),
  anonymousUnfinished('records', '/v1/auth/logout', recordBytesMax, { 'Content-Type': 'application/json' }, 2_000, 1_200),
  {
    name: 'a body in chunks of one byte',
    isQuick: true,
    async prepare(target) {
      const head = Buffer.from(await userPatch(target, { 'Transfer-Encoding': 'chunked' }), 'latin1');
      const connections = target.sized(8, 2);
      const chunks = Buffer.from('1\r\n \r\n'.repeat(bodyBytesMax - 16), 'latin1');
      return async () => {
        const held = await openConnections(target, connections, { addressOf: target.nextAddress });
        const answers = await Promise.all(
          held.sockets.map(async (socket) => {
            const answering = nextAnswer(socket);
            await written(socket, Buffer.concat([head, chunks, Buffer.from('2\r\n{}\r\n0\r\n\r\n', 'latin1')]));
            return answering;
          }),
        );
        held.close();
        return { sent: `${connections} × 2 MiB in 2 million chunks`, note: statusCounts(answers) };
      };
    },
  },
  {
    name: 'forms in chunks of one byte, anonymous',
    isQuick: true,
    isApart: true,
    prepare(target) {
      const head = requestHead('POST', '/v1/auth/token', target.host, { ...formType, 'Transfer-Encoding': 'chunked' });
      const bytes = Buffer.from(`${head}${'1\r\na\r\n'.repeat(formBytesMax - 1)}`, 'latin1');
      const count = target.sized(400, 60);
      return async () => {
        const held = await openConnections(target, count, { addressOf: target.nextAddress });
        for (const socket of held.sockets) socket.resume();
        await Promise.all(held.sockets.map((socket) => written(socket, bytes, 10_000)));
        await sleep(target.size.seconds * 300);
        held.close();
        return { sent: `${count} forms of 64 KiB, never completed` };
      };
    },
  },
  quick(
    completing('forms of many parameters completing together', target110, (target) =>
      formRequest(target, 'a&'.repeat(32_768)),
    ),
  ),
  completing('forms of many different parameters completing together', target110, (target) =>
    formRequest(
      target,
      Array.from({ length: 9_000 }, (_, index) => `${index.toString(36)}=%20`)
        .join('&')
        .slice(0, formBytesMax),
    ),
  ),
  quick(
    completing(
      'largest documents completing together',
      () => 24,
      async (target) => {
        const body = JSON.stringify({ ops: [{ op: 'add', path: '/a', value: Array(290_000).fill('ab\n') }] }).slice(0, -4);
        const padded = `${body}${' '.repeat(Math.max(0, bodyBytesMax - 4 - body.length))}`.slice(0, bodyBytesMax - 4);
        const head = await userPatch(target, { 'Content-Length': String(bodyBytesMax) });
        return Buffer.from(`${head}${padded}]}]}`, 'latin1');
      },
    ),
  ),
  completing('records of 128 KiB completing together, anonymous', target110, (target) =>
    wholeRequest('POST', '/v1/auth/logout', target.host, {
      headers: { 'Content-Type': 'application/json' },
      body: `{"refreshToken":[${'[],'.repeat(43_680)}1]}`,
    }),
  ),
  {
    name: 'bodies that come a few bytes at a time',
    isApart: true,
    prepare: (target) => async () => {
      const count = target.sized(2_000, 200);
      const head = Buffer.from(
        requestHead('POST', '/v1/auth/token', target.host, { ...formType, 'Content-Length': '60000' }),
      );
      const held = await openConnections(target, count, { addressOf: target.nextAddress, bytes: head });
      await drip(held, target.size.seconds * 1_000);
      const note = `${held.open()} kept`;
      held.close();
      return { sent: `${count} forms, 3 bytes each 100 ms`, note };
    },
  },
  {
    name: 'endless bodies to a path that is not there',
    isApart: true,
    prepare(target) {
      const head = Buffer.from(requestHead('POST', '/nowhere', target.host, { 'Content-Length': '1000000000' }));
      const piece = Buffer.alloc(1_048_576, 0x61);
      const count = target.sized(100, 20);
      return async () => {
        const held = await openConnections(target, count, { addressOf: target.nextAddress, bytes: head });
        await Promise.all(
          held.sockets.map(async (socket) => {
            socket.resume();
            for (let sent = 0; sent < 20 && !socket.destroyed; sent++) await written(socket, piece, 3_000);
          }),
        );
        held.close();
        return { sent: `${count} bodies of up to 20 MiB` };
      };
    },
  },
];

function anonymousUnfinished(
  what: string,
  path: string,
  bodyBytes: number,
  headers: Readonly<Record<string, string>>,
  whole: number,
  small: number,
): SiegeCase {
  return {
    name: `${what} without their last byte, from many addresses`,
    isApart: true,
    prepare(target) {
      const count = target.sized(whole, small);
      const head = requestHead('POST', path, target.host, { ...headers, 'Content-Length': String(bodyBytes) });
      let opened = 0;
      let address = target.nextAddress();
      // One address may send 120 requests per minute.
      const addressOf = () => {
        if (++opened % 100 === 0) address = target.nextAddress();
        return address;
      };
      return async () => ({
        sent: `${count} × ${bodyBytes} bytes`,
        note: await unfinished(target, { head, bodyBytes, count, addressOf }),
      });
    },
  };
}

function target110(target: Target): number {
  return target.sized(110, 60);
}

function formRequest(target: Target, body: string): Buffer {
  return wholeRequest('POST', '/v1/auth/token', target.host, { headers: formType, body });
}

/** Sends many bodies except their last bytes, and then these, all together. */
function completing(
  name: string,
  countOf: (target: Target) => number,
  requestOf: (target: Target) => Buffer | Promise<Buffer>,
): SiegeCase {
  return {
    name,
    async prepare(target): Promise<Attack> {
      const request = await requestOf(target);
      const count = countOf(target);
      const held: Connections = await openConnections(target, count, { addressOf: target.nextAddress });
      await Promise.all(held.sockets.map((socket) => written(socket, request.subarray(0, -1), 5_000)));
      await sleep(200);
      return async () => {
        const answers = await complete(held, request);
        held.close();
        return { sent: `${count} bodies of ${request.length} bytes`, note: statusCounts(answers) };
      };
    },
  };
}

async function drip({ sockets }: Connections, milliseconds: number): Promise<void> {
  const until = performance.now() + milliseconds;
  for (const socket of sockets) socket.resume();
  while (performance.now() < until) {
    for (const socket of sockets) if (!socket.destroyed) socket.write('a&a');
    await sleep(100);
  }
}
