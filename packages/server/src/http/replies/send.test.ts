import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { Reply } from './reply.ts';
import { send } from './send.ts';

const owner = { account: 'acc_1', subject: 'ada' };

/** Sends a reply to a client that does not read. Resolves with the number of times that the response was watched. */
async function watchesOf(body: NonNullable<Reply['body']>): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  onTestFinished(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  let watches = 0;
  const watch = () => {
    watches++;
    return { moved: () => undefined, rest: () => undefined };
  };
  const envelope = { requestId: 'x', further: [], isLast: false };
  void send(response, { status: 200, headers: ['Content-Length', '100000000'], body }, envelope, () => ({ owner, watch }));
  await new Promise((resolve) => setImmediate(resolve));
  return watches;
}

test.each([
  ['a text', 'x'.repeat(10_000)],
  ['bytes', Buffer.alloc(10_000)],
  ['parts', [Buffer.alloc(1_000), Buffer.alloc(9_000)]],
])('%s that the operating system takes immediately is not watched', async (_, body) => {
  expect(await watchesOf(body)).toBe(0);
});

test.each([
  ['bytes', Buffer.alloc(64 * 1024 * 1024)],
  ['parts', [Buffer.alloc(1_000), Buffer.alloc(64 * 1024 * 1024)]],
])('unread %s are watched, once', async (_, body) => {
  expect(await watchesOf(body)).toBe(1);
});

test('a stream reaches its end even if its client reads a little at a time', async () => {
  const piece = '\u20ac'.repeat(32_768);
  const pieces = 60;
  async function* body() {
    for (let portion = 0; portion < pieces; portion++) yield [piece.slice(1), piece, 'x'];
  }
  const server = createServer((_request, response) => {
    void send(response, { status: 200, headers: [], body: body() }, { requestId: 'x', further: [], isLast: true }, () => ({
      owner,
      watch: () => ({ moved: () => {}, rest: () => {} }),
    }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const program = `
    const socket = require('node:net').connect(${(server.address() as AddressInfo).port}, '127.0.0.1');
    let bytes = 0;
    socket.on('data', (piece) => {
      bytes += piece.length;
      socket.pause();
      setTimeout(() => socket.resume(), 1);
    });
    socket.on('close', () => console.log(bytes));
    socket.write('GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n');`;
  // Runs in a separate process: in this one it would take turns with the server.
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], { timeout: 50_000 });
  expect(Number(stdout)).toBeGreaterThan(pieces * (2 * 3 * 32_768 - 2));
});
