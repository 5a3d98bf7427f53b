/** Sharing of connections at the limit: each address has its share, and busy connections take precedence. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startServer, type TestServer } from '../support/server.ts';

const health = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
const half = 'GET /healthz HTTP/1.1\r\nHost: local';
/** A request without its body. After `100 Continue`, its connection counts as busy. */
const unfinished = [
  'POST /v1/auth/logout HTTP/1.1',
  'Host: localhost',
  'Content-Type: application/json',
  'Content-Length: 9',
  'Expect: 100-continue',
  '\r\n',
].join('\r\n');

async function start(settings: Readonly<Record<string, string>>): Promise<TestServer> {
  const server = await startServer({ settings: { SVC_AUTH_RATE_LIMIT_PER_MINUTE: '0', ...settings } });
  onTestFinished(() => server.stop());
  return server;
}

/** Sends a request over a new connection, which stays open. `first` resolves with the first data, or '' if the connection ends. */
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

async function beBusy(server: TestServer): Promise<Socket> {
  const { socket, first } = await send(server, unfinished);
  expect(await first).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  return socket;
}

const isHealthy = async (server: TestServer, localAddress?: string) =>
  (await (await send(server, health, localAddress)).first).startsWith('HTTP/1.1 200 ');

interface Sent {
  readonly socket: Socket;
  readonly first: Promise<string>;
}

test('connections with incomplete heads make room for others, oldest first', async () => {
  const server = await start({ SVC_CONNECTIONS_MAX: '4' });
  const [oldest, next] = [await send(server, half), await send(server, half)];
  const busy = [await beBusy(server), await beBusy(server)];
  expect(await isHealthy(server)).toBe(true);
  expect(await oldest.first).toBe('');
  expect([next.socket, ...busy].map(({ closed }) => closed)).toEqual([false, false, false]);
  next.socket.write('host\r\n\r\n');
  expect(await next.first).toMatch(/^HTTP\/1\.1 200 /);
});

test('an address may open a quarter of the connections, and others use the rest', async () => {
  const server = await start({ SVC_CONNECTIONS_MAX: '1024' });
  const [first] = await Promise.all(Array.from({ length: 256 }, () => beBusy(server)));
  const refused = await (await send(server, health)).first;
  expect(refused).toMatch(/^HTTP\/1\.1 503 .*\r\nRetry-After: 5\r\n.*this address has reached its limit of connections/s);
  expect(await isHealthy(server, '127.0.0.2')).toBe(true);
  first?.destroy();
  while (!(await isHealthy(server))); // until the server has noticed
  expect(await isHealthy(server)).toBe(true); // replaces the previous connection, which is idle
});

test('a trusted proxy may open connections for many addresses', async () => {
  const server = await start({ SVC_CONNECTIONS_MAX: '1024', SVC_TRUST_PROXY: '127.0.0.1' });
  await Promise.all(Array.from({ length: 300 }, () => beBusy(server)));
  expect(await isHealthy(server)).toBe(true);
});

test('a refused request frees its connection when the client leaves, without displacing others', async () => {
  const server = await start({ SVC_CONNECTIONS_MAX: '1024' }); // of which one address may use 256
  const idle = await send(server, health);
  expect(await idle.first).toMatch(/^HTTP\/1\.1 200 /);
  for (let round = 0; round < 10; round++) {
    const refused = await Promise.all(Array.from({ length: 32 }, () => send(server, 'no request\r\n\r\n')));
    for (const { first, socket } of refused) {
      expect(await first).toMatch(/^HTTP\/1\.1 400 /);
      socket.end();
    }
  }
  expect(idle.socket.closed).toBe(false);
  idle.socket.write(health);
  const [again] = await once(idle.socket, 'data');
  expect(String(again)).toMatch(/^HTTP\/1\.1 200 /);
});

/** The largest possible head, without its end. */
const largeHalf = `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Large: ${'x'.repeat(15_000)}`;

async function sendHalves(server: TestServer, count: number, localAddress: string): Promise<readonly Sent[]> {
  return Promise.all(Array.from({ length: count }, () => send(server, largeHalf, localAddress)));
}

test('large unfinished heads are dropped over the memory limit, first those of the address with most', async () => {
  const server = await start({});
  const kept = await send(server, health, '127.0.0.3');
  expect(await kept.first).toMatch(/^HTTP\/1\.1 200 /);
  const other = await send(server, largeHalf, '127.0.0.2');
  kept.socket.write(largeHalf);
  const [first] = await sendHalves(server, 300, '127.0.0.4'); // 4.3 MiB; the limit for one address is 4
  expect(await first?.first).toBe('');
  expect([other, kept].map(({ socket }) => socket.closed)).toEqual([false, false]);

  for (let address = 5; address < 9; address++) await sendHalves(server, 250, `127.0.0.${address}`);
  const [last] = (await sendHalves(server, 20, '127.0.0.10')).toReversed(); // 18.5 MiB; the limit for all addresses is 16
  other.socket.write('\r\n\r\n');
  last?.socket.write('\r\n\r\n');
  for (const { first: answer } of [other, last as Sent]) expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
});
