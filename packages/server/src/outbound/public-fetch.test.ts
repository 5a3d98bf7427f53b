/** Outgoing requests that reach only public addresses, with real listeners that must not be reached. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPublicFetch, createPublicPost } from './public-fetch.ts';
import type { Resolve } from './resolve-name.ts';

let handle: (request: IncomingMessage, response: ServerResponse) => void;
let connections: number;
let port: number;
let close: () => void;
beforeEach(async () => {
  connections = 0;
  handle = (_, response) => response.end('{}');
  const server = createServer((request, response) => handle(request, response)).listen(0, '127.0.0.1');
  server.on('connection', () => connections++);
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
  close = () => {
    server.closeAllConnections();
    server.close();
  };
});
afterEach(() => close());

/** Resolves every name to these addresses. */
function resolving(...addresses: readonly string[]): Resolve {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return (_, done) => done(null, found);
}

const allowingLoopback = () => createPublicFetch({ isRefused: () => false, resolve: resolving('127.0.0.1') });

describe('a host', () => {
  it.each([['127.0.0.1'], ['10.0.0.1'], ['169.254.169.254'], ['::1'], ['::ffff:127.0.0.1'], ['127.0.0.1', '::1']])(
    'that resolves only to %s gets no connection',
    async (...addresses) => {
      const fetch = createPublicFetch({ resolve: resolving(...addresses) });
      await expect(fetch(`http://issuer.example:${port}/`, {})).rejects.toThrow('issuer.example has no public address');
      expect(connections).toBe(0);
    },
  );

  it.each(['127.0.0.1', '0x7f000001', '[::ffff:127.0.0.1]', 'localhost', 'runs.localhost'])(
    'written as %s gets no connection',
    async (host) => {
      await expect(createPublicFetch()(`http://${host}:${port}/`, {})).rejects.toMatchObject({ name: 'FetchFault' });
      expect(connections).toBe(0);
    },
  );

  it('that resolves to private and public addresses is asked at the public ones', async () => {
    const isRefused = (address: string) => address !== '127.0.0.1';
    const fetch = createPublicFetch({ isRefused, resolve: resolving('::1', '10.0.0.1', '127.0.0.1') });
    expect((await fetch(`http://issuer.example:${port}/`, {})).status).toBe(200);
  });

  it('gets the same answer whether its port is open or closed', async () => {
    const refusal = (at: string) => createPublicFetch()(at, {}).catch(({ message }: Error) => message);
    const open = await refusal(`http://127.0.0.1:${port}/`);
    close();
    expect(await refusal(`http://127.0.0.1:${port}/`)).toBe(open);
  });
});

describe('a request', () => {
  it('arrives with its method, headers and body', async () => {
    handle = async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { method, url, headers } = request;
      response.setHeader('Content-Type', 'application/json');
      response.setHeader('Set-Cookie', ['a=1', 'b=2']);
      response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }));
    };
    const body = new URLSearchParams({ code: 'a b' });
    const init = { method: 'POST', headers: { Authorization: 'Basic x' }, body };
    const response = await allowingLoopback()(`http://issuer.example:${port}/token?x=1`, init);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await response.json()).toMatchObject({
      method: 'POST',
      url: '/token?x=1',
      headers: {
        authorization: 'Basic x',
        'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
        'user-agent': 'holdfast',
        host: `issuer.example:${port}`,
      },
      body: 'code=a+b',
    });
  });

  it.each([204, 304])('may be answered %d, without a body', async (status) => {
    handle = (_, response) => response.writeHead(status).end();
    const response = await allowingLoopback()(`http://issuer.example:${port}/`, {});
    expect([response.status, await response.text()]).toEqual([status, '']);
  });

  it('follows no redirect', async () => {
    handle = (_, response) => response.writeHead(302, { Location: '/elsewhere' }).end();
    const response = await allowingLoopback()(`http://issuer.example:${port}/`, {});
    expect([response.status, response.headers.get('location'), connections]).toEqual([302, '/elsewhere', 1]);
  });

  it('ends with its signal, before the response and during it', async () => {
    handle = () => {};
    const waiting = allowingLoopback()(`http://issuer.example:${port}/`, { signal: AbortSignal.timeout(50) });
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });
    handle = (_, response) => response.write('{');
    const begun = await allowingLoopback()(`http://issuer.example:${port}/`, { signal: AbortSignal.timeout(200) });
    await expect(begun.text()).rejects.toThrow();
  });

  it('rejects if nobody listens', async () => {
    close();
    await expect(allowingLoopback()(`http://issuer.example:${port}/`, {})).rejects.toMatchObject({ name: 'FetchFault' });
  });
});

describe('a hostile response', () => {
  const post = createPublicPost({ isRefused: () => false, resolve: resolving('127.0.0.1') });
  const piecesMax = 1_000;

  it('in tiny pieces is read a little, and its status counts', async () => {
    const ended = Promise.withResolvers<number>();
    handle = (_, response) => {
      let pieces = 0;
      const timer = setInterval(() => {
        pieces += 1;
        if (pieces < piecesMax) response.write('x');
        else response.end();
      }, 1);
      response.on('close', () => {
        clearInterval(timer);
        ended.resolve(pieces);
      });
      response.writeHead(201).flushHeaders();
    };
    expect(await post(`http://issuer.example:${port}/`, {})).toMatchObject({ status: 201 });
    expect(await ended.promise).toBeLessThan(piecesMax);
  });

  it('with an impossible status is a failure', async () => {
    handle = (request) => request.socket.end('HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n');
    await expect(allowingLoopback()(`http://issuer.example:${port}/`, {})).rejects.toMatchObject({ name: 'FetchFault' });
  });

  it('that is only announced, again and again, is a failure', async () => {
    handle = (_, response) => {
      for (let count = 0; count < 20; count++) response.writeProcessing();
    };
    await expect(post(`http://issuer.example:${port}/`, {})).rejects.toThrow('it sent 9 interim responses');
  });
});
