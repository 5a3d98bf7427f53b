import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { paceIntake } from './intake.ts';

test('bodies that arrive together are taken in over several turns, whole, and none fills its buffer meanwhile', async () => {
  const bodyBytes = 1024 * 1024;
  const count = 24;
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  let inTurn = 0;
  let inTurnMax = 0;
  let buffered = 0;
  let ended = 0;
  const allEnded = Promise.withResolvers<void>();
  server.on('request', (request: IncomingMessage) => {
    request.on('data', (piece: Buffer) => {
      if (inTurn === 0) {
        setImmediate(() => {
          inTurn = 0;
        });
      }
      inTurn += piece.length;
      inTurnMax = Math.max(inTurnMax, inTurn);
      buffered = Math.max(buffered, request.readableLength);
      paceIntake(request, piece.length);
    });
    request.on('end', () => {
      if (++ended === count) allEnded.resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  for (let n = 0; n < count; n++) {
    const client = connect(port, '127.0.0.1');
    onTestFinished(() => void client.destroy());
    client.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${bodyBytes}\r\n\r\n`);
    client.write(Buffer.alloc(bodyBytes));
  }
  await allEnded.promise;
  // A turn reads 4 MiB, then one more piece per connection.
  expect(inTurnMax).toBeLessThan(4 * 1024 * 1024 + count * 2 * 65_536);
  expect(buffered).toBeLessThanOrEqual(65_536);
});
