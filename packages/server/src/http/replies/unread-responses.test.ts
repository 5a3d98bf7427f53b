import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createUnreadResponses } from './unread-responses.ts';

/** More than a connection's buffers hold. */
const bytes = 16 * 1024 * 1024;

interface Unanswered {
  readonly client: Socket;
  readonly response: ServerResponse;
}

/** Opens connections whose clients read nothing of a response that has begun. */
async function open(): Promise<() => Promise<Unanswered>> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return async () => {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
    onTestFinished(() => void client.destroy());
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
    response.end(Buffer.alloc(bytes));
    expect(response.writableFinished).toBe(false);
    return { client, response };
  };
}

test('if unread responses take too much, the account with the most loses those that stalled longest', async () => {
  const connection = await open();
  let time = 0;
  const unread = createUnreadResponses(() => time++, 4 * bytes);
  onTestFinished(() => unread.close());
  const [small, first, moving, second, last] = [
    await connection(),
    await connection(),
    await connection(),
    await connection(),
    await connection(),
  ];
  unread.watch(small.response, 'small', bytes);
  const watched = [moving, first, second].map(({ response }) => unread.watch(response, 'large', bytes));
  watched[0]?.moved();
  expect([small, first, moving, second].map(({ response }) => response.destroyed)).toEqual(Array(4).fill(false));
  unread.watch(last.response, 'large', bytes);
  expect([small, first, moving, second, last].map(({ response }) => response.destroyed)).toEqual([
    false,
    true,
    false,
    false,
    false,
  ]);
  moving.client.resume();
  await once(moving.response, 'close');
  unread.watch((await connection()).response, 'other', bytes);
  expect([small, second, last].map(({ response }) => response.destroyed)).toEqual([false, false, false]);
});

test('a response that stalls for a minute is cut off', async () => {
  const connection = await open();
  let time = 0;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const unread = createUnreadResponses(() => time);
  onTestFinished(() => unread.close());
  const [still, moving] = [await connection(), await connection()];
  unread.watch(still.response, 'a', bytes);
  const watched = unread.watch(moving.response, 'a', bytes);
  const closed = once(still.response, 'close');
  time = 60_000;
  watched.moved();
  vi.advanceTimersByTime(2_000);
  expect([still.response.destroyed, moving.response.destroyed]).toEqual([false, false]);
  time = 60_001;
  vi.advanceTimersByTime(2_000);
  await closed;
  expect(moving.response.destroyed).toBe(false);
});
