import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { StoreUnavailable } from '../../store.ts';
import { SocketWatch } from './socket-watch.ts';
import { Wire } from './wire.ts';

test('a connection that has ended is not opened again for the statements that wait for it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const server = createServer((socket) => void socket.destroy()).listen(0, '127.0.0.1');
  const sockets = new SocketWatch(60_000);
  onTestFinished(() => {
    vi.useRealTimers();
    server.close();
    sockets.close();
  });
  await once(server, 'listening');
  const opened: Socket[] = [];
  const connect: SocketWatch['connect'] = (address) => {
    const socket = sockets.connect(address);
    opened.push(socket);
    return socket;
  };
  const onEnd = vi.fn();
  const wire = new Wire({
    url: `postgres://user:password@127.0.0.1:${(server.address() as AddressInfo).port}/database`,
    isPooled: false,
    sockets: { connect } as SocketWatch,
    statementTimeoutMilliseconds: 1_000,
    connectMilliseconds: 60_000,
    onProven: () => undefined,
    onEnd,
  });
  const outcomes = [1, 2, 3].map(() => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    wire.send((connection) => connection.query('SELECT $1', [1]), resolve);
    return promise;
  });
  await vi.advanceTimersByTimeAsync(1);
  await once(opened[0] as Socket, 'close');
  await vi.advanceTimersByTimeAsync(60_000); // the driver waits before it connects again
  for (const outcome of await Promise.all(outcomes)) expect(outcome).toBeInstanceOf(StoreUnavailable);
  expect([opened.length, onEnd.mock.calls.length]).toEqual([1, 1]);
});
