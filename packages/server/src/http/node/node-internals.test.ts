import { EventEmitter, once } from 'node:events';
import { createServer, get, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import {
  chunkSocket,
  interceptConnections,
  missingProtections,
  stopBodies,
  stopHeads,
  takeFromParser,
  takesChunks,
  unfinishedSockets,
  watchPieces,
} from './node-internals.ts';

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

test('a stopped parser makes no more requests from its bytes', async () => {
  let requests = 0;
  const { server, connect } = await listen((request) => {
    if (++requests === 10) stopHeads(request.socket);
  });
  const failed = once(server, 'clientError');
  connect().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_000));
  await failed;
  expect(requests).toBe(10);
});

test('a stopped parser passes over bodies, and reads those of other connections later', async () => {
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

test('an unread body is seen piece by piece', async () => {
  const seen: string[] = [];
  const { connect } = await listen((request, response) => {
    watchPieces(request, (piece) => seen.push(String(piece)) < 3);
    void setTimeout(50).then(() =>
      request.on('data', (piece) => seen.push(`read ${piece}`)).on('end', () => response.end()),
    );
  });
  const client = connect();
  client.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n1\r\nb\r\n1\r\nc\r\n0\r\n\r\n');
  await once(client, 'data');
  expect(seen.join()).toMatch(/^a,b,c,(read ab|read a,read b)$/);
});

test('connections with half a head are found', async () => {
  const { server, connect } = await listen(() => undefined);
  const client = connect();
  client.write('GET / HT');
  await once(server, 'connection');
  expect([...unfinishedSockets(server)].map(({ remotePort }) => remotePort)).toEqual([client.localPort]);
});

test('a connection is parsed only after it is attached', async () => {
  const attached: (() => void)[] = [];
  let requests = 0;
  const { server, connect } = await listen((_, response) => {
    requests++;
    response.end();
  });
  interceptConnections(server, (_, attach) => attached.push(attach));
  const client = connect();
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(server, 'connection');
  await setTimeout(20);
  expect(requests).toBe(0);
  for (const attach of attached) attach();
  expect(String((await once(client, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
  expect([attached.length, requests]).toEqual([1, 1]);
});

test.each(['paused', 'flowing'])('a %s socket taken from its parser returns its remaining bytes', async (mode) => {
  const { server, connect } = await listen(() => undefined);
  const rest = new Promise<string>((resolve) => {
    server.removeAllListeners('clientError').on('clientError', (_, socket: Socket) => {
      if (mode === 'paused') socket.pause();
      takeFromParser(socket, (piece) => resolve(String(piece)));
    });
  });
  const client = connect();
  client.write('malformed\r\n\r\n');
  await once(server, 'clientError');
  await setTimeout(20);
  client.write('the rest');
  expect(await rest).toBe('the rest');
});

test.each([
  ['1.0', false],
  ['1.1', true],
])('support for chunks is known for a client of HTTP/%s', async (version, expected) => {
  let takes: boolean | undefined;
  const { connect } = await listen((_, response) => {
    takes = takesChunks(response);
    response.end();
  });
  const client = connect();
  client.write(`GET / HTTP/${version}\r\nHost: a\r\n\r\n`);
  await once(client, 'data');
  expect(takes).toBe(expected);
});

test('a chunk written to the socket lands between those of the response', async () => {
  const sockets: boolean[] = [];
  const { server } = await listen((_, response) => {
    response.write('one ');
    sockets.push(chunkSocket(response) === undefined); // the head and first piece are still waiting for the next tick
    setImmediate(() => {
      chunkSocket(response)?.write('4\r\ntwo \r\n');
      response.end('three');
    });
  });
  const { port } = server.address() as AddressInfo;
  const [response] = await once(get({ port, host: '127.0.0.1', agent: false }), 'response');
  expect(await text(response)).toBe('one two three');
  expect(sockets).toEqual([true]);
});

test('the runtime of the service has every protection', () => {
  expect(missingProtections()).toEqual([]);
});

test('each missing protection of another runtime is named', () => {
  const { prototype } = EventEmitter;
  const { emit } = prototype;
  // Imitates a runtime that does not attach or store parsers.
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
