/** Connections of an attacker: raw bytes from any loopback address, many in parallel, read or not. */

import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpAnswer, readAnswer } from '../../tooling/http-answers.ts';
import { Counts } from '../../tooling/statistics.ts';

export interface Endpoint {
  readonly hostname: string;
  readonly port: number;
}

const connectMillisecondsMax = 10_000;
const answerMillisecondsMax = 60_000;
/** Connections opened in parallel; more would only fill the queue of the operating system. */
const openedTogether = 500;

/** Opens a connection, and resolves when it is established or has failed. */
export async function openConnection({ hostname, port }: Endpoint, localAddress: string): Promise<Socket> {
  const socket = connect({ host: hostname, port, localAddress, noDelay: true });
  socket.on('error', () => socket.destroy()); // servers may reset
  await new Promise<void>((resolve) => {
    const deadline = setTimeout(resolve, connectMillisecondsMax);
    const settle = () => {
      clearTimeout(deadline);
      resolve();
    };
    socket.once('connect', settle).once('close', settle);
  });
  return socket;
}

/** Opens this many connections, and writes to each. */
export async function openConnections(
  endpoint: Endpoint,
  count: number,
  { addressOf, bytes }: { addressOf(index: number): string; bytes?: Buffer | undefined },
): Promise<Connections> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const together = Math.min(openedTogether, count - sockets.length);
    const from = sockets.length;
    const opening = Array.from({ length: together }, async (_, index) => {
      const socket = await openConnection(endpoint, addressOf(from + index));
      if (bytes !== undefined && !socket.destroyed) socket.write(bytes);
      return socket;
    });
    sockets.push(...(await Promise.all(opening)));
  }
  return connectionsOf(sockets);
}

export interface Connections {
  readonly sockets: readonly Socket[];
  /** How many of them the server keeps open. */
  open(): number;
  /** Resolves when the server, or this side, has closed all of them, or the time is over. */
  untilClosed(milliseconds: number): Promise<void>;
  close(): void;
}

function connectionsOf(sockets: readonly Socket[]): Connections {
  const open = () => sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length;
  return {
    sockets,
    open,
    async untilClosed(milliseconds) {
      const deadline = performance.now() + milliseconds;
      while (open() > 0 && performance.now() < deadline) await sleep(10);
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Resolves when all bytes were handed to the system, the connection ends, or the time is over. */
export function written(socket: Socket, bytes: Buffer, milliseconds = answerMillisecondsMax): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve();
    const deadline = setTimeout(resolve, milliseconds);
    const settle = () => {
      clearTimeout(deadline);
      socket.off('close', settle);
      resolve();
    };
    socket.once('close', settle);
    socket.write(bytes, settle);
  });
}

/** The next response on a connection; undefined if there is none. */
export async function nextAnswer(socket: Socket, isToHead = false): Promise<HttpAnswer | undefined> {
  const answer = await answerOn(socket, isToHead);
  return typeof answer === 'string' ? undefined : answer;
}

/** The next response on a connection, or why there is none. */
export function answerOn(socket: Socket, toHead = false): Promise<HttpAnswer | string> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    const settle = (answer: HttpAnswer | string) => {
      clearTimeout(deadline);
      socket.off('data', onData).off('close', onEnd).off('end', onEnd);
      resolve(answer);
    };
    const onData = (piece: Buffer) => {
      received = Buffer.concat([received, piece]);
      const reading = readAnswer(received, { toHead });
      if (reading.kind === 'answer') settle(reading.answer);
      else if (reading.kind === 'malformed') settle(reading.fault);
    };
    const onEnd = () => settle('the connection was closed');
    const deadline = setTimeout(() => settle(`no answer within ${answerMillisecondsMax / 1000} s`), answerMillisecondsMax);
    socket.on('data', onData).on('close', onEnd).on('end', onEnd);
    if (socket.destroyed) onEnd();
  });
}

/** Sends the last byte of a request on every connection at once. Resolves with the responses. */
export async function complete({ sockets }: Connections, request: Buffer): Promise<(HttpAnswer | undefined)[]> {
  const answering = Promise.all(sockets.map((socket) => nextAnswer(socket)));
  for (const socket of sockets) socket.write(request.subarray(-1));
  return answering;
}

/** Sends one request on a new connection and resolves with the response; undefined if there is none. */
export async function exchange(endpoint: Endpoint, localAddress: string, bytes: Buffer): Promise<HttpAnswer | undefined> {
  const socket = await openConnection(endpoint, localAddress);
  const answering = nextAnswer(socket, bytes.toString('latin1', 0, 5) === 'HEAD ');
  socket.write(bytes);
  const answer = await answering;
  socket.destroy();
  return answer;
}

/** The number of each status, for people. */
export function statusCounts(answers: readonly (HttpAnswer | undefined)[]): string {
  const counts = new Counts();
  for (const answer of answers) counts.add(String(answer?.status ?? 'no answer'));
  return String(counts);
}

/** The start of a request with a body: the head says how long the body is. */
export function requestHead(method: string, path: string, host: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** A complete request. */
export function wholeRequest(
  method: string,
  path: string,
  host: string,
  { headers = {}, body }: { headers?: Readonly<Record<string, string>>; body?: string | Buffer } = {},
): Buffer {
  const bytes = body === undefined ? undefined : Buffer.from(body as string);
  const framing = bytes === undefined ? {} : { 'Content-Length': String(bytes.length) };
  const head = Buffer.from(requestHead(method, path, host, { ...headers, ...framing }), 'latin1');
  return bytes === undefined ? head : Buffer.concat([head, bytes]);
}
