import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type TcpNetConnectOpts } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readTurns } from '../turns/read-turns.ts';
import { type ListenTarget, listen } from './listener.ts';
import { refusalsMax } from './open-files.ts';

async function startListener(target: Partial<ListenTarget> = {}) {
  const whole = { host: '127.0.0.1', port: 0, connectionsMax: 2_000, trustProxy: undefined, ...target };
  const { address, stop } = await listen(whole, (_, response) => void response.end('done'));
  onTestFinished(() => stop(() => true));
  return address.port;
}

/** Starts a listener whose connections are all busy after their first request. */
async function startBusyListener(connectionsMax: number) {
  let requests = 0;
  const target = { host: '127.0.0.1', port: 0, connectionsMax, trustProxy: undefined };
  const { address, stop } = await listen(target, () => requests++);
  onTestFinished(() => stop(() => true));
  return { port: address.port, asked: () => requests };
}

function openConnections(port: number, count: number, options: Partial<TcpNetConnectOpts> = {}) {
  const sockets = Array.from({ length: count }, () =>
    connect({ port, host: '127.0.0.1', ...options }).on('error', () => undefined),
  );
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  return sockets;
}

test.runIf(process.platform === 'linux')('one turn of the event loop accepts many connections', async () => {
  const port = await startListener();
  const turnsBefore = performance.nodeTiming.uvMetricsInfo.loopCount;
  const answers = openConnections(port, 400).map((socket) => {
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    return once(socket, 'data');
  });
  // The clients run on this thread, so all connect before the first is accepted.
  const end = performance.now() + 50;
  while (performance.now() < end);
  await Promise.all(answers);
  expect(performance.nodeTiming.uvMetricsInfo.loopCount - turnsBefore).toBeLessThan(200);
});

test('an address in use is refused, even if the other listener is of this kind', async () => {
  const port = await startListener();
  await expect(startListener({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('connections over the refusal limit are closed without an answer', async () => {
  const connectionsMax = 10;
  const { port, asked } = await startBusyListener(connectionsMax);
  // These clients do not hang up, so a refused one keeps its slot for a while.
  const open = (count: number) => openConnections(port, count, { allowHalfOpen: true });
  for (const socket of open(connectionsMax)) socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(asked).toBe(connectionsMax);
  const outcomes = await Promise.all(
    open(refusalsMax + 40).map(
      (socket) =>
        new Promise<string>((resolve) => {
          socket.once('data', (answer) => resolve(answer.toString('latin1', 9, 12)));
          socket.once('close', () => resolve('closed'));
          socket.once('end', () => resolve('closed'));
        }),
    ),
  );
  const counts = Object.groupBy(outcomes, (outcome) => outcome);
  expect([counts['503']?.length, counts.closed?.length]).toEqual([refusalsMax, 40]);
});

test('a client that hangs up while its CONNECT waits for an earlier answer ends nothing but its connection', async () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);
  process.on('uncaughtException', note);
  onTestFinished(() => void process.off('uncaughtException', note));
  const { promise: asked, resolve } = Promise.withResolvers<ServerResponse>();
  const target = { host: '127.0.0.1', port: 0, connectionsMax: 10, trustProxy: undefined };
  const { address, stop } = await listen(target, (_, response) => resolve(response));
  onTestFinished(() => stop(() => true));
  const [client] = openConnections(address.port, 1);
  client?.write('GET / HTTP/1.1\r\nHost: a\r\n\r\nCONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n');
  const response = await asked;
  const isClosed = once(response, 'close');
  client?.resetAndDestroy();
  await isClosed;
  expect(uncaught).toEqual([]);
});

test('connections that take too long are paused until the last of them has closed', async () => {
  const leave = vi.fn();
  const add = vi.spyOn(readTurns, 'add').mockReturnValue(leave);
  onTestFinished(() => add.mockRestore());
  let requests = 0;
  const target = { host: 'localhost', port: 0, connectionsMax: 10, trustProxy: undefined };
  const { address, stop } = await listen(target, () => requests++);
  const [socket] = openConnections(address.port, 1);
  socket?.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(() => requests).toBe(1);
  const stopped = stop(() => true);
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  expect(leave).not.toHaveBeenCalled();
  socket?.destroy();
  await stopped;
  expect(leave).toHaveBeenCalledOnce();
});
