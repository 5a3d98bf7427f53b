import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { stopParsing } from './node-internals.ts';

test('a parser that is stopped makes no further requests of the bytes that it has', async () => {
  let requests = 0;
  const server = createServer((request) => {
    if (++requests === 10) stopParsing(request.socket);
  });
  const failed = once(server, 'clientError');
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_000));
  await failed;
  expect(requests).toBe(10);
});
