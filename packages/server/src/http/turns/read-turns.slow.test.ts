import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../connections/listener.ts';
import { readTurns } from './read-turns.ts';

/** How long a read holds the event loop here. */
const workMilliseconds = 1;
/** 8 ms of work, plus the work before the clock is first and last read. */
const readsMax = 8 / workMilliseconds + 2 * 8;

/** Starts a listener that works for each head and each body piece. Returns a function that returns the number of them in each turn. */
async function startListener() {
  const turns = new Map<number, number>();
  const endTurns = new Map<number, number>();
  const order: number[] = [];
  const work = (counted = turns) => {
    const { loopCount } = performance.nodeTiming.uvMetricsInfo;
    counted.set(loopCount, (counted.get(loopCount) ?? 0) + 1);
    const end = performance.now() + workMilliseconds;
    while (performance.now() < end);
  };
  const target = { host: '127.0.0.1', port: 0, connectionsMax: 2_000, trustProxy: undefined };
  const { address, stop } = await listen(target, (request, response) => {
    work();
    order.push(Number(request.url?.slice(1)));
    request.socket.once('end', () => work(endTurns));
    if (request.url === '/endless') {
      response.write('begun');
      return;
    }
    request.on('data', () => {
      readTurns.noteRead();
      work();
    });
    if (request.readableEnded) response.end('done');
    else request.on('end', () => response.end('done'));
  });
  onTestFinished(() => stop(() => true));
  const counts = (counted: Map<number, number>) => [...counted.values()];
  return { port: address.port, readsOfTurns: () => counts(turns), endsOfTurns: () => counts(endTurns), order: () => order };
}

async function openConnections(port: number, count: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return sockets;
}

const ask = async (socket: Socket, path = '/'): Promise<string> => {
  const answered = once(socket, 'data');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  return String((await answered)[0]).split('\r\n', 1)[0] ?? '';
};

test('connections that send at the same time are read in several turns, and all are answered', async () => {
  const { port, readsOfTurns } = await startListener();
  const sockets = await openConnections(port, 200);
  for (const round of ['first', 'second']) {
    const answers = await Promise.all(sockets.map((socket) => ask(socket)));
    expect(new Set(answers), `the ${round} request of each`).toEqual(new Set(['HTTP/1.1 200 OK']));
  }
  expect(Math.max(...readsOfTurns())).toBeLessThanOrEqual(readsMax);
});

test('bodies that arrive together in tiny pieces are read in several turns, and whole', async () => {
  const { port, readsOfTurns } = await startListener();
  const sockets = await openConnections(port, 200);
  const answers = sockets.map((socket) => once(socket, 'data'));
  for (const socket of sockets) socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n');
  for (let pieces = 0; pieces < 3; pieces++) {
    await setTimeout(50);
    for (const socket of sockets) socket.write('ab');
  }
  for (const answer of answers) expect(String((await answer)[0])).toMatch(/^HTTP\/1.1 200 OK/);
  expect(Math.max(...readsOfTurns())).toBeLessThanOrEqual(readsMax);
});

test('a connection that arrives while hundreds wait to be read is not the last', async () => {
  const { port } = await startListener();
  const sockets = await openConnections(port, 400);
  // Connections are accepted in order: once this one is answered, all have been accepted.
  const [last] = await openConnections(port, 1);
  await ask(last as Socket);
  let answered = 0;
  const answers = sockets.map(async (socket) => {
    await ask(socket);
    answered++;
  });
  await Promise.race(answers);
  const [comer] = await openConnections(port, 1);
  await ask(comer as Socket);
  expect(answered).toBeLessThan(200);
  await Promise.all(answers);
});

test('connections that hang up together end in several turns, while their answers are under way', async () => {
  const { port, endsOfTurns } = await startListener();
  const sockets = await openConnections(port, 200);
  for (const socket of sockets) socket.write('GET /endless HTTP/1.1\r\nHost: a\r\n\r\n');
  await Promise.all(sockets.map((socket) => once(socket, 'data')));
  for (const socket of sockets) socket.end();
  await expect.poll(() => endsOfTurns().reduce((sum, ends) => sum + ends, 0)).toBe(200);
  expect(Math.max(...endsOfTurns())).toBeLessThanOrEqual(readsMax);
});

test('the newest and the oldest unread connections are read first', async () => {
  const { port, order } = await startListener();
  // One turn reads the first connections and pauses the rest; each later turn reads some from both ends.
  const sockets = await openConnections(port, 300);
  const answers = sockets.map((socket, index) => ask(socket, `/${index}`));
  await Promise.all(answers);
  const late = order().slice(60, 120);
  expect(
    late.some((index) => index > 200),
    `${late}`,
  ).toBe(true);
  expect(
    late.some((index) => index < 150),
    `${late}`,
  ).toBe(true);
});
