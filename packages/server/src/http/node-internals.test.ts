import { EventEmitter, once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { missingProtections, stopBodies, stopHeads, unfinishedSockets, watchPieces } from './node-internals.ts';

async function listen(onRequest: RequestListener): Promise<{ readonly server: Server; connect(): Socket }> {
  const server = createServer(onRequest).on('clientError', (_, socket) => socket.destroy());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const open = () => {
    const client = connect(port, '127.0.0.1').on('error', () => undefined);
    onTestFinished(() => void client.destroy());
    return client;
  };
  return { server, connect: open };
}

test('a parser that is stopped makes no further requests of the bytes that it has', async () => {
  let requests = 0;
  const { server, connect } = await listen((request) => {
    if (++requests === 10) stopHeads(request.socket);
  });
  const failed = once(server, 'clientError');
  connect().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_000));
  await failed;
  expect(requests).toBe(10);
});

test('a parser that is stopped passes over bodies, and reads those of other connections later', async () => {
  let pieces = 0;
  const { connect } = await listen((request, response) => {
    request.on('data', () => {
      if (++pieces === 10) stopBodies(request.socket);
    });
    request.on('end', () => response.writeHead(200, { Connection: 'close' }).end());
  });
  const head = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
  for (const expected of [10, 10 + 100]) {
    const client = connect();
    client.resume().write(`${head}${'1\r\nx\r\n'.repeat(expected === 10 ? 1_000 : 100)}0\r\n\r\n`);
    await once(client, 'close');
    expect(pieces).toBe(expected);
  }
});

test('a body that nobody reads is seen piece by piece', async () => {
  const seen: string[] = [];
  const { connect } = await listen((request, response) => {
    watchPieces(request, (piece) => seen.push(String(piece)) < 3);
    setTimeout(() => request.on('data', (piece) => seen.push(`read ${piece}`)).on('end', () => response.end()), 50);
  });
  const client = connect();
  client.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n1\r\nb\r\n1\r\nc\r\n0\r\n\r\n');
  await once(client, 'data');
  expect(seen.join()).toMatch(/^a,b,c,(read ab|read a,read b)$/);
});

test('connections with a half-sent head are found', async () => {
  const { server, connect } = await listen(() => undefined);
  const client = connect();
  client.write('GET / HT');
  await once(server, 'connection');
  expect([...unfinishedSockets(server)].map(({ remotePort }) => remotePort)).toEqual([client.localPort]);
});

test('nothing is missing in the runtime that the service is made for', () => {
  expect(missingProtections()).toEqual([]);
});

test('each protection that another runtime does not have is named', () => {
  const { prototype } = EventEmitter;
  const { emit } = prototype;
  // Such a runtime attaches no parser to its connections, and keeps none.
  prototype.emit = () => false;
  try {
    expect(missingProtections()).toEqual([
      'requests that follow a refused one on its connection are parsed to the end',
      'the rest of a refused body in tiny chunks is parsed to the end',
      'connections with a half-sent head are not counted, and not ended early',
    ]);
  } finally {
    prototype.emit = emit;
  }
});
