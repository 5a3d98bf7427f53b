import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type StrikeKind, startTcpProxy, type TcpProxy } from '../../tooling/proxies/tcp-proxy.ts';

/** An echo server that sends every line back, and records all received data. It ends with its client. */
let received: string;
let server: ReturnType<typeof createServer>;
let proxy: TcpProxy;
const clients: Socket[] = [];

beforeEach(async () => {
  received = '';
  server = createServer({ allowHalfOpen: true }, (socket) => {
    let line = '';
    socket.on('error', () => {});
    socket.on('data', (piece) => {
      received += piece;
      line += piece;
      if (!line.endsWith('\n')) return;
      socket.write(line);
      line = '';
    });
    socket.on('end', () => socket.end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy = await startTcpProxy({ host: '127.0.0.1', port: (server.address() as { port: number }).port });
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await proxy.close();
  server.close();
});

interface Line {
  readonly socket: Socket;
  /** The data received so far. */
  text(): string;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<unknown>;
}

async function open(): Promise<Line> {
  const socket = connect(proxy.port, proxy.host);
  clients.push(socket);
  let text = '';
  socket.on('data', (piece) => {
    text += piece;
  });
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await Promise.race([closed, new Promise((resolve) => socket.once('connect', resolve))]);
  return { socket, text: () => text, closed };
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test('passes on data in both directions, and the end of a side', async () => {
  const line = await open();
  line.socket.end(`${'x'.repeat(1_000_000)}\n`);
  await line.closed;
  expect(line.text()).toHaveLength(1_000_001);
  expect(proxy.connections).toBe(0);
});

test.each<[StrikeKind, string]>([
  ['cut_before', ''],
  ['cut_within', 'one, COMMIT'],
  ['cut_during', 'one, COMMIT, two\n'],
  ['swallow_answer', 'one, COMMIT, two\n'],
])('%s shows the server %j, and the client no response', async (kind, seen) => {
  const bystander = await open();
  const line = await open();
  const struck = proxy.strike({ kind, contains: 'COMMIT' });
  line.socket.write('one, COMMIT, two\n');
  await Promise.all([struck, line.closed]);
  await pause(20);
  expect([received, line.text()]).toEqual([seen, '']);
  bystander.socket.write('still there\n');
  await expect.poll(bystander.text).toBe('still there\n');
});

test('finds its text across the border of two chunks', async () => {
  const line = await open();
  const struck = proxy.strike({ kind: 'cut_within', contains: 'COMMIT' });
  line.socket.write('one, COM');
  await expect.poll(() => received).toBe('one, COM');
  line.socket.write('MIT, two\n');
  await Promise.all([struck, line.closed]);
  await expect.poll(() => received).toBe('one, COMMIT');
});

test('cuts after a given number of bytes', async () => {
  const line = await open();
  const struck = proxy.strike({ kind: 'cut_within', afterClientBytes: 7 });
  line.socket.write('1234\n');
  await expect.poll(line.text).toBe('1234\n');
  line.socket.write('5678\n');
  await Promise.all([struck, line.closed]);
  await expect.poll(() => received).toBe('1234\n56');
});

test('a stall delays, in order, and loses nothing', async () => {
  const line = await open();
  const end = proxy.stall();
  line.socket.write('one\n');
  line.socket.write('two\n');
  await pause(50);
  expect(received).toBe('');
  end();
  await expect.poll(line.text).toBe('one\ntwo\n');
});

test('a black hole loses data, and then resets', async () => {
  const line = await open();
  const end = proxy.blackHole();
  line.socket.write('one\n');
  await pause(50);
  end();
  await line.closed;
  expect([received, line.text()]).toEqual(['', '']);
  const next = await open();
  next.socket.write('two\n');
  await expect.poll(next.text).toBe('two\n');
});

test('refuses new connections while open ones continue, and then accepts them again', async () => {
  const line = await open();
  const end = proxy.refuse();
  await (await open()).closed;
  line.socket.write('one\n');
  await expect.poll(line.text).toBe('one\n');
  end();
  const next = await open();
  next.socket.write('two\n');
  await expect.poll(next.text).toBe('two\n');
});

test('cuts all open connections', async () => {
  const lines = [await open(), await open()];
  await expect.poll(() => proxy.connections).toBe(2);
  expect(proxy.cut()).toBe(2);
  await Promise.all(lines.map(({ closed }) => closed));
});

test('resets a client if its server cannot be reached, and then connects to another one', async () => {
  const { port } = server.address() as { port: number };
  proxy.setTarget({ host: '127.0.0.1', port: 1 });
  await (await open()).closed;
  proxy.setTarget({ host: '127.0.0.1', port });
  const line = await open();
  line.socket.write('one\n');
  await expect.poll(line.text).toBe('one\n');
});

test('rejects pending strikes when it is closed', async () => {
  const struck = proxy.strike({ kind: 'cut_before', contains: 'never' });
  await proxy.close();
  await expect(struck).rejects.toThrow('before a strike had landed');
  proxy = await startTcpProxy({ host: '127.0.0.1', port: 1 });
});
