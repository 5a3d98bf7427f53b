/** Listeners that fail, or whose clients leave. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { answeringWith } from '../tooling/answering.ts';

/** Starts a server, and notes rejections that nobody handles. */
async function start(answer: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>) {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => void unhandled.push(error);
  process.on('unhandledRejection', note);
  const server = createServer(answeringWith(answer)).listen(0, '127.0.0.1');
  onTestFinished(() => {
    process.off('unhandledRejection', note);
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  return { server, unhandled, port: (server.address() as AddressInfo).port };
}

test('a client that leaves in the middle of its body leaves no rejection behind', async () => {
  const { server, unhandled, port } = await start(text);
  const client = connect(port, '127.0.0.1');
  client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf');
  const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  const closed = once(response, 'close');
  client.destroy();
  await closed;
  await new Promise(setImmediate);
  expect(unhandled).toEqual([]);
});

test('a failed answer is status 500 with its error, or the end of the connection once it has begun', async () => {
  const { unhandled, port } = await start(async ({ url }, response) => {
    if (url === '/begun') response.writeHead(200).write('begun');
    throw new Error('no answer');
  });
  const failed = await fetch(`http://127.0.0.1:${port}/`);
  expect([failed.status, await failed.text()]).toEqual([500, 'Error: no answer']);
  await expect(fetch(`http://127.0.0.1:${port}/begun`).then((begun) => begun.text())).rejects.toThrow();
  expect(unhandled).toEqual([]);
});
