/** Name look-ups of tenants' addresses, with name servers on loopback. */
import { createHook } from 'node:async_hooks';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createPublicFetch } from './public-fetch.ts';
import { createResolveName } from './resolve-name.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** The name in a query, from its labels. */
function nameIn(query: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; query[at] !== 0; at += 1 + (query[at] as number))
    labels.push(query.toString('ascii', at + 1, at + 1 + (query[at] as number)));
  return labels.join('.');
}

/** The reply with these addresses, each compressed to refer to the queried name. @see RFC 1035 §4.1 */
function replyTo(query: Buffer, addresses: readonly string[]): Buffer {
  const head = Buffer.from(query);
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt16BE(0, 10);
  const questionEnd = query.indexOf(0, 12) + 5;
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([head.subarray(0, questionEnd), ...records]);
}

/** Starts a name server. It answers queries for IPv4 addresses with `addresses` and others with none, or never answers without them. */
async function nameServer(addresses?: readonly string[]) {
  const asked = new Set<string>();
  let onAsked = () => {};
  const socket = createSocket('udp4', (query, { port, address }) => {
    asked.add(nameIn(query));
    onAsked();
    const isForIPv4 = query.readUInt16BE(query.indexOf(0, 12) + 1) === 1;
    if (addresses !== undefined) socket.send(replyTo(query, isForIPv4 ? addresses : []), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  closing.push(() => socket.close());
  /** Resolves once this many names have been asked for. */
  const whenAsked = (count: number) =>
    new Promise<void>((resolve) => {
      onAsked = () => asked.size >= count && resolve();
      onAsked();
    });
  return { resolve: createResolveName([`127.0.0.1:${socket.address().port}`]), asked, whenAsked };
}

/** Counts the look-ups that began on a thread of the pool, and those sent to name servers. */
function countLookUps() {
  const counts = { threads: 0, queries: 0 };
  const hook = createHook({
    init(_, type) {
      if (type === 'GETADDRINFOREQWRAP') counts.threads += 1;
      if (type === 'QUERYWRAP') counts.queries += 1;
    },
  }).enable();
  closing.push(() => hook.disable());
  return counts;
}

describe('a look-up', () => {
  it.each([
    ['public addresses only', createPublicFetch()],
    ['private addresses too', createPublicFetch({ isRefused: () => false })],
  ])('for requests that reach %s takes no thread of the pool by default', async (_, fetch) => {
    const counts = countLookUps();
    const aborting = new AbortController();
    const request = fetch('http://issuer.invalid/', { signal: aborting.signal });
    request.catch(() => undefined);
    while (counts.queries + counts.threads === 0) await new Promise(setImmediate);
    aborting.abort();
    await expect(request).rejects.toThrow();
    expect(counts).toEqual({ threads: 0, queries: 2 });
  });

  it('at a name server that never answers holds no thread of the pool', async () => {
    const counts = countLookUps();
    const { resolve, asked, whenAsked } = await nameServer();
    const aborting = new AbortController();
    const fetch = createPublicFetch({ resolve });
    const names = Array.from({ length: 20 }, (_, index) => `issuer-${index}.example`);
    let settled = 0;
    const requests = names.map((name) =>
      fetch(`http://${name}/`, { signal: aborting.signal }).catch(() => {
        settled += 1;
      }),
    );
    await whenAsked(names.length);
    expect([...asked].sort()).toEqual(names.sort());
    await readFile(import.meta.filename); // on a thread of the pool
    expect({ settled, threads: counts.threads }).toEqual({ settled: 0, threads: 0 });
    aborting.abort();
    await Promise.all(requests);
  });

  it.each([['127.0.0.1'], ['10.0.0.1', '169.254.169.254']])(
    'that yields only %s leads to no connection',
    async (...found) => {
      const { resolve, asked } = await nameServer(found);
      const fetch = createPublicFetch({ resolve });
      await expect(fetch('http://issuer.example/', {})).rejects.toThrow('issuer.example has no public address');
      expect([...asked]).toEqual(['issuer.example']);
    },
  );

  it('yields the addresses that the name server gives', async () => {
    const { resolve } = await nameServer(['192.0.2.1', '192.0.2.2']);
    const { promise, resolve: done } = Promise.withResolvers<unknown>();
    resolve('issuer.example', (error, found) => done([error, found]));
    expect(await promise).toEqual([null, ['192.0.2.1', '192.0.2.2'].map((address) => ({ address, family: 4 }))]);
  });

  it.each(['localhost', 'runs.localhost'])('of %s asks nobody', async (name) => {
    const { resolve, asked } = await nameServer(['192.0.2.1']);
    const { promise, resolve: done } = Promise.withResolvers<string[]>();
    resolve(name, (_, found) => done(found.map(({ address }) => address)));
    expect(await promise).toEqual(['127.0.0.1', '::1']);
    expect(asked.size).toBe(0);
  });
});
