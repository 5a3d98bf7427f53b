/** Change streams: the limit on their number, how they end, and the memory cost of an unread one. @see docs/contract.md §4.9 */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Store } from '../../packages/server/src/storage/store.ts';
import { startUnhindered } from '../../tooling/readings.ts';
import { type EventReader, readEvents } from '../support/events.ts';
import { openPlace } from '../support/place.ts';
import { startServer, type TestServer, type TestServerOptions } from '../support/server.ts';

async function start(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startServer(options);
  let isStopped = false;
  onTestFinished(async () => {
    if (!isStopped) await server.stop();
  });
  return {
    ...server,
    stop: () => {
      isStopped = true;
      return server.stop();
    },
  };
}

async function newDocument(server: TestServer) {
  const project = await server.newProject();
  const path = `${project.path}/public-state/staging`;
  const headers = project.developer.bearer;
  const write = async (version: number, state: unknown) => {
    const precondition = version === 0 ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` };
    const written = await server.call('PUT', path, { headers: { ...headers, ...precondition }, body: { state } });
    expect(written.status).toBe(200);
  };
  const watch = async (more: Readonly<Record<string, string>> = headers): Promise<EventReader> => {
    const reader = await readEvents(server.baseUrl, `${path}/changes`, more);
    onTestFinished(() => reader.close());
    return reader;
  };
  return { project, path, headers, write, watch };
}

test('a full node answers 503, and has room again once a stream is closed', async () => {
  const server = await start({ settings: { SVC_STREAMS_MAX: '2' } });
  const { watch, path, headers } = await newDocument(server);
  const [first] = [await watch(), await watch()];
  await first?.next();
  const refused = await server.call('GET', `${path}/changes?since=0&wait=5`, { headers });
  expect([refused.status, (refused.json as { error: string }).error]).toEqual([503, 'service_unavailable']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(5);
  first?.close();
  await expect.poll(async () => (await server.call('GET', `${path}/changes`, { headers })).status).toBe(200);
});

test('a long poll frees its slot when its client leaves', async () => {
  const server = await start({ settings: { SVC_STREAMS_MAX: '1' } });
  const { path, headers } = await newDocument(server);
  const leaving = new AbortController();
  const address = `${server.baseUrl}${path}/changes?since=0&wait=50`;
  /** Retries if a status request holds the place at that moment. */
  const waits = async (): Promise<Response> => {
    const response = await fetch(address, { headers, signal: leaving.signal });
    return response.status === 503 ? waits() : response;
  };
  const waiting = waits();
  const status = async () => (await server.call('GET', `${path}/changes`, { headers })).status;
  await expect.poll(status).toBe(503);
  leaving.abort();
  await expect(waiting).rejects.toThrow();
  await expect.poll(status).toBe(200);
});

test('an account without streams gets the slot of an account with several', async () => {
  const server = await start({ settings: { SVC_STREAMS_MAX: '2' } });
  const large = await newDocument(server);
  const [oldest, other] = [await large.watch(), await large.watch()];
  await oldest?.next();
  await other?.next();
  const small = await (await newDocument(server)).watch();
  expect(await small.next()).toMatchObject({ type: 'snapshot' });
  expect(await oldest?.next()).toMatchObject({ type: 'goodbye', data: { reason: 'max_age' } });
  await oldest?.ended();
});

test('one home cannot keep a game’s players, servers and developers out', async () => {
  const server = await start({ settings: { SVC_STREAMS_MAX: '40', SVC_TRUST_PROXY: '127.0.0.1,::1' } });
  const { project, watch } = await newDocument(server);
  const shipped = await server.newApiKey(project, { kind: 'publishable' });
  const secret = await server.newApiKey(project);
  const from = (address: string) => watch({ Authorization: `ApiKey ${shipped.apiKey}`, 'X-Forwarded-For': address });
  // Four networks (/64) of one home (/56).
  const home = (network: number) => from(`2001:db8:7:4${network}::1`);
  const taken: EventReader[] = [];
  for (let i = 0; i < 40; i++) taken.push(await home(i % 4));
  expect(taken.map(({ status }) => status)).toEqual([...Array(38).fill(200), 503, 503]);
  expect(Number(taken.at(-1)?.headers['retry-after'])).toBeGreaterThanOrEqual(5);

  const others = [
    await watch({ Authorization: `ApiKey ${secret.apiKey}` }),
    await watch(project.developer.bearer),
    await from('198.51.100.7'),
    await from('2001:db8:8::1'),
    await home(9),
  ];
  for (const other of others) {
    expect([other.status, (await other.next()).type]).toEqual([200, 'snapshot']);
  }
  // The game's own share was reserved; each of the three players took a place from the home.
  const goodbyes = () => taken.flatMap((reader) => reader.waiting()).filter(({ type }) => type === 'goodbye');
  await expect.poll(goodbyes).toHaveLength(3);
  for (const { data } of goodbyes()) {
    expect(data.reason).toBe('max_age');
    expect(data.retryAfterMs).toBeGreaterThanOrEqual(5_000);
    expect(data.retryAfterMs).toBeLessThan(30_000);
  }
  // Readers that come back are refused: the home still has the most places.
  for (let i = 0; i < 4; i++) expect((await home(i)).status).toBe(503);
  for (const other of others) expect(other.waiting()).toEqual([]);
});

test('an address may open 50 streams with a publishable key', async () => {
  const server = await start();
  const { project, watch } = await newDocument(server);
  const { apiKey } = await server.newApiKey(project, { kind: 'publishable' });
  const headers = { Authorization: `ApiKey ${apiKey}` };
  const readers = await Promise.all(Array.from({ length: 50 }, () => watch(headers)));
  expect(new Set(readers.map(({ status }) => status))).toEqual(new Set([200]));
  const refused = await watch(headers);
  expect([refused.status, Number(refused.headers['retry-after']) >= 5]).toEqual([429, true]);
  expect((await watch()).status).toBe(200);
});

test('a connection counts as one request, and its events do not count', async () => {
  const server = await start({ settings: { SVC_RATE_LIMIT_PER_MINUTE: '3' } });
  const { project } = await newDocument(server);
  const { apiKey } = await server.newApiKey(project);
  const headers = { Authorization: `ApiKey ${apiKey}` };
  const path = `${project.path}/public-state/staging/changes`;
  for (const left of [2, 1, 0]) {
    const reader = await readEvents(server.baseUrl, path, headers);
    onTestFinished(() => reader.close());
    expect([reader.status, reader.headers.ratelimit]).toEqual([200, expect.stringContaining(`r=${left};`)]);
  }
  const refused = await readEvents(server.baseUrl, path, headers);
  expect(refused.status).toBe(429);
});

test('a stopping service sends goodbye to all streams, with different retry times', async () => {
  const server = await start({ settings: { SVC_METRICS_PORT: '0' } });
  const { watch, path, headers } = await newDocument(server);
  const readers = await Promise.all(Array.from({ length: 40 }, () => watch()));
  for (const reader of readers) await reader.next();
  const waiting = server.call('GET', `${path}/changes?since=0&wait=50`, { headers });
  await expect.poll(() => server.openStreams('public_poll')).toBe(1);
  const elapsed = startUnhindered('self');
  const stopping = server.stop();
  const goodbyes = await Promise.all(readers.map((reader) => reader.next()));
  for (const reader of readers) await reader.ended();
  const times = goodbyes.map(({ type, id, data }) => {
    expect([type, id, data.reason]).toEqual(['goodbye', undefined, 'shutdown']);
    return data.retryAfterMs as number;
  });
  expect(Math.min(...times)).toBeGreaterThanOrEqual(1_000);
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(2_500);
  expect((await waiting).json).toMatchObject({ events: [{ type: 'goodbye', reason: 'shutdown' }] });
  await stopping;
  expect(elapsed()).toBeLessThan(9_000); // nothing waited until it was cut off
});

test('a stalled reader gets the whole document once it reads again, and costs little memory', async () => {
  const server = await start();
  const { path, headers, write, project } = await newDocument(server);
  await write(0, { n: 0 });
  const { hostname, port } = new URL(server.baseUrl);
  const { promise: head, resolve: onHead } = Promise.withResolvers<void>();
  let text = '';
  const socket = connect({ host: hostname, port: Number(port) }).on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  socket.on('data', (piece) => {
    text += piece.toString('latin1');
    if (text.includes('event: snapshot')) onHead();
  });
  const lines = ['Accept: text/event-stream', `Authorization: ${headers.Authorization}`, `Host: ${hostname}`];
  socket.write(`GET ${path}/changes HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  await head;
  socket.pause();
  // Every event has nearly the maximum size, so together they exceed the buffers of the connection.
  const before = process.memoryUsage().rss;
  const versions = 700;
  for (let n = 1; n < versions; n++) await write(n, { n, text: String(n % 10).repeat(15_000) });
  expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
  socket.resume();
  await expect.poll(() => text.match(/\nid: (\d+)\n/g)?.at(-1)).toBe(`\nid: ${versions}\n`);
  const told = [...text.matchAll(/event: (\w+)\nid: (\d+)\n/g)].map(([, type, id]) => ({ type, id: Number(id) }));
  expect(told.filter(({ type }) => type === 'snapshot').length).toBeGreaterThan(1);
  for (const [index, { type, id }] of told.entries()) {
    const last = told[index - 1]?.id ?? 0;
    expect(type === 'snapshot' ? id > last : id === last + 1, `${type} ${id} after ${last}`).toBe(true);
  }
  expect(project.slug).toBeDefined();
});

test('a stream is closed after about half an hour, each at a different time', async () => {
  let late = 0;
  const server = await start({ now: () => Date.now() + late });
  const { project, watch } = await newDocument(server);
  const { apiKey } = await server.newApiKey(project);
  const readers = await Promise.all(Array.from({ length: 20 }, () => watch({ Authorization: `ApiKey ${apiKey}` })));
  for (const reader of readers) await reader.next();
  late = 23.9 * 60_000;
  await sleep(1_500);
  expect(readers.flatMap((reader) => reader.waiting())).toEqual([]);
  late = 30 * 60_000;
  const ended = () => readers.filter((reader) => reader.waiting().length > 0).length;
  await expect.poll(ended).toBeGreaterThan(0);
  await sleep(500);
  expect(ended()).toBeLessThan(20);
  late = 36.1 * 60_000;
  for (const reader of readers) {
    expect(await reader.next()).toMatchObject({ type: 'goodbye', data: { reason: 'max_age' } });
    await reader.ended();
  }
});

test('the log has one line for a stream, written at its end', async () => {
  const lines: string[] = [];
  const server = await start({
    settings: { SVC_LOG_LEVEL: 'info' },
    logOutput: { write: (line: string) => void lines.push(line), close: async () => {} },
  });
  const { project, write, watch } = await newDocument(server);
  const reader = await watch({ ...project.developer.bearer, 'X-Request-Id': 'stream-1' });
  await reader.next();
  await write(0, { n: 0 });
  await reader.next();
  const own = () => lines.filter((line) => line.includes('"requestId":"stream-1"')).map((line) => JSON.parse(line));
  expect(own()).toEqual([]);
  reader.close();
  await expect.poll(own).toHaveLength(1);
  expect(own()[0]).toMatchObject({
    msg: 'stream ended',
    operation: 'readPublicStateChanges',
    reason: 'closed',
    events: 2,
    bytes: expect.any(Number),
    account: project.developer.accountId,
    project: project.slug,
  });
  expect(own()[0].bytes).toBeGreaterThan(100);
});

test('the metrics count streams, the reasons for their end, and events and bytes sent', async () => {
  const server = await start({ settings: { SVC_METRICS_PORT: '0' } });
  const { watch, write, path, headers } = await newDocument(server);
  const page = async () => (await fetch(server.running.metricsUrl as string)).text();
  const reader = await watch();
  await reader.next();
  await write(0, { n: 0 });
  await reader.next();
  await server.call('GET', `${path}/changes`, { headers });
  const open = await page();
  expect(open).toContain('holdfast_streams{kind="public_stream"} 1\n');
  expect(open).toContain('holdfast_streams{kind="public_poll"} 0\n');
  expect(open).toContain('holdfast_stream_events_total 3\n');
  expect(Number(/^holdfast_stream_bytes_total (\d+)$/m.exec(open)?.[1])).toBeGreaterThan(100);
  reader.close();
  await expect.poll(page).toContain('holdfast_streams_ended_total{reason="closed"} 2\n');
  expect(await page()).toContain('holdfast_streams{kind="public_stream"} 0\n');
});

test('a stream is closed if its key is revoked during the check of its request', async () => {
  const place = await openPlace();
  let revoke: (() => Promise<unknown>) | undefined;
  const openStore = async (): Promise<Store> => {
    const store = await place.openStore();
    const findApiKey: Store['findApiKey'] = async (hash) => {
      const key = await store.findApiKey(hash);
      const revoking = revoke;
      revoke = undefined;
      await revoking?.();
      return key;
    };
    return new Proxy(store, {
      get: (target, name) => (name === 'findApiKey' ? findApiKey : Reflect.get(target, name, target)),
    });
  };
  onTestFinished(() => place.remove());
  const server = await start({ place, openStore });
  const { project, watch } = await newDocument(server);
  const { id, apiKey } = await server.newApiKey(project);
  revoke = () => server.call('DELETE', `${project.path}/api-keys/${id}`, { headers: project.developer.bearer });
  const reader = await watch({ Authorization: `ApiKey ${apiKey}` });
  expect([reader.status, revoke]).toEqual([200, undefined]);
  expect(await reader.next()).toMatchObject({ type: 'snapshot' });
  expect(await reader.next()).toMatchObject({ type: 'goodbye', data: { reason: 'revoked' } });
  await reader.ended();
});
