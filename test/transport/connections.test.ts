/** Who may have a connection when there are too many: each address its share, and first those that sent a request. */
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startServer, type TestServer } from '../support/server.ts';

const health = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
const half = 'GET /healthz HTTP/1.1\r\nHost: local';
/** Complete but for its body, so that its connection is busy. */
const unfinished =
  'POST /v1/auth/logout HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n';

async function start(settings: Readonly<Record<string, string>>): Promise<TestServer> {
  const server = await startServer({ settings: { SVC_AUTH_RATE_LIMIT_PER_MINUTE: '0', ...settings } });
  onTestFinished(() => server.stop());
  return server;
}

/** Sends a request over a connection of its own, which stays open; resolves with what comes first, or '' when it ends before. */
async function send({ baseUrl }: TestServer, text: string, localAddress = '127.0.0.1'): Promise<Sent> {
  const socket = connect({ port: Number(new URL(baseUrl).port), host: '127.0.0.1', localAddress });
  onTestFinished(() => void socket.destroy());
  const first = new Promise<string>((resolve) => {
    socket.once('data', (piece) => resolve(piece.toString('latin1')));
    socket.once('close', () => resolve(''));
    socket.on('error', () => resolve(''));
  });
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(text);
  return { socket, first };
}

interface Sent {
  readonly socket: Socket;
  readonly first: Promise<string>;
}

test('connections whose head is not complete make room for others, the oldest first', async () => {
  const server = await start({ SVC_CONNECTIONS_MAX: '4' });
  const oldest = await send(server, half);
  const others = [await send(server, half), await send(server, half), await send(server, unfinished)];
  await setTimeout(50);
  expect(await (await send(server, health)).first).toMatch(/^HTTP\/1\.1 200 /);
  expect(await oldest.first).toBe('');
  expect(others.map(({ socket }) => socket.closed)).toEqual([false, false, false]);
  others[1]?.socket.write('host\r\n\r\n');
  expect(await others[1]?.first).toMatch(/^HTTP\/1\.1 200 /);
});

test('an address may have a quarter of the connections, and the others remain for others', async () => {
  const server = await start({ SVC_CONNECTIONS_MAX: '1024' });
  const busy = await Promise.all(Array.from({ length: 256 }, () => send(server, unfinished)));
  await setTimeout(100);
  const refused = await (await send(server, health)).first;
  expect(refused).toMatch(/^HTTP\/1\.1 503 .*\r\nRetry-After: 5\r\n.*as many connections as one may have/s);
  expect(await (await send(server, health, '127.0.0.2')).first).toMatch(/^HTTP\/1\.1 200 /);
  busy[0]?.socket.destroy();
  await setTimeout(50);
  expect(await (await send(server, health)).first).toMatch(/^HTTP\/1\.1 200 /);
  // It is idle now, and the next of the same address takes its place.
  expect(await (await send(server, health)).first).toMatch(/^HTTP\/1\.1 200 /);
});

test('a trusted proxy brings the connections of many', async () => {
  const server = await start({ SVC_CONNECTIONS_MAX: '1024', SVC_TRUST_PROXY: '127.0.0.1' });
  await Promise.all(Array.from({ length: 300 }, () => send(server, unfinished)));
  expect(await (await send(server, health)).first).toMatch(/^HTTP\/1\.1 200 /);
});
