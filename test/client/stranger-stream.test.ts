/** A foreign response to a stream request does not end a subscription; a refusal by the service does. */
import { setTimeout as delay } from 'node:timers/promises';
import type { HoldfastError, Snapshot } from '@holdfast/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Answer, clientOf, startAnswering, startHostile } from './stranger.ts';

/** Subscribes, and records the listener's calls. */
function watch(baseUrl: string, more = {}) {
  const seen: Snapshot<Record<string, unknown>>[] = [];
  const errors: HoldfastError[] = [];
  onTestFinished(
    clientOf(baseUrl, more).publicState.subscribe((snapshot) => seen.push(snapshot), { onError: (e) => errors.push(e) }),
  );
  return { seen, errors };
}

/** Makes the client's pauses take a twentieth of their time until the test is over; its timeouts, which are longer, stay. */
function hurry(): void {
  const wait = setTimeout;
  const pauseMax = 8_000;
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal('setTimeout', (work: () => void, milliseconds = 0, ...given: []) =>
    wait(work, milliseconds > pauseMax ? milliseconds : milliseconds / 20, ...given),
  );
}

const hello = 'event: snapshot\ndata: {"type":"snapshot","version":1,"state":{"gold":1}}\n\n';

test.each([
  ['an HTML page with 404', { status: 404, body: '<h1>Not Found</h1>', headers: { 'Content-Type': 'text/html' } }],
  ['an HTML page with 403', { status: 403, body: '<h1>Forbidden</h1>', headers: { 'Content-Type': 'text/html' } }],
  ['a 401 without a body', { status: 401 }],
  ['JSON of another kind', { status: 404, body: '{"error":"not_found"}' }],
  ['a page with 200', { status: 200, body: '<h1>Wi-Fi</h1>', headers: { 'Content-Type': 'text/html' } }],
  ['an empty 204', { status: 204 }],
])('%s from an intermediary does not end a subscription', async (_, foreign: Answer) => {
  hurry();
  let strangers = 2;
  const asked: string[] = [];
  const baseUrl = await startHostile((request, response) => {
    if (!request.url?.includes('/changes')) return void response.writeHead(503).end();
    asked.push(request.headers.accept ?? '');
    if (strangers-- > 0) return void response.writeHead(foreign.status, foreign.headers).end(foreign.body);
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'API-Version': '1' }).write(hello);
  });
  const { seen, errors } = watch(baseUrl);
  await expect.poll(() => seen.at(-1)).toMatchObject({ version: 1, state: { gold: 1 } });
  expect(errors).toEqual([]);
  expect(asked).toEqual(['text/event-stream', 'text/event-stream', 'text/event-stream']);
});

test.each([
  ['an error response', 404, '{"error":"not_found","message":"no such project"}', 'not_found'],
  ['a 403 without a body', 403, '', 'forbidden'],
])('%s from the service ends a subscription', async (_, status, body, code) => {
  const baseUrl = await startAnswering(() => ({ status, body, headers: { 'API-Version': '1' } }));
  const { errors } = watch(baseUrl);
  await expect.poll(() => errors.map((error) => error.code)).toEqual([code]);
});

test('a pause of more than 24 days is not cut to zero', async () => {
  let asked = 0;
  const baseUrl = await startHostile((_, response) => {
    asked++;
    const headers = { 'API-Version': '1', 'Retry-After': '2600000' };
    response.writeHead(402, headers).end('{"code":"QUOTA_API_REQUESTS","message":"used up"}');
  });
  watch(baseUrl);
  await delay(300);
  expect(asked).toBeLessThanOrEqual(2); // includes the read that races the stream
});

test('events that the service never sends are ignored, and requested again', async () => {
  hurry();
  const wrong = [
    'null',
    '5',
    '{',
    '{"version":"x"}',
    '{"version":2,"state":5}',
    '{"version":3,"ops":{}}',
    '{"version":1e400}',
  ];
  let connection = 0;
  const baseUrl = await startHostile((request, response) => {
    if (!request.url?.includes('/changes')) return void response.writeHead(503).end();
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'API-Version': '1' });
    const data = wrong[connection++];
    response.write(
      data === undefined ? hello : `event: ${data.includes('ops') ? 'change' : 'snapshot'}\ndata: ${data}\n\n`,
    );
  });
  const { seen, errors } = watch(baseUrl);
  await expect.poll(() => seen.at(-1)).toMatchObject({ version: 1, state: { gold: 1 } });
  expect([seen.length, errors]).toEqual([1, []]);
});

test.each([
  ['from a different version', '{"type":"change","version":4,"from":3,"ops":[{"op":"add","path":"/gems","value":7}]}'],
  ['without operations', '{"type":"change","version":4,"from":1,"refetch":true}'],
])('a change %s is read whole', async (_, change) => {
  hurry();
  const headers = { 'API-Version': '1', ETag: '"4"', 'Content-Type': 'application/json' };
  const baseUrl = await startHostile((request, response) => {
    const isStream = request.url?.includes('/changes') && request.headers.accept === 'text/event-stream';
    if (!isStream) return void response.writeHead(200, headers).end('{"version":4,"state":{"gold":9}}');
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'API-Version': '1' });
    response.write(`${hello}event: change\ndata: ${change}\n\n`);
  });
  const { seen, errors } = watch(baseUrl, { timeoutMs: 30_000 });
  await expect.poll(() => seen.at(-1)).toMatchObject({ version: 4, state: { gold: 9 } });
  expect(errors).toEqual([]);
});

test('a repeated change is ignored', async () => {
  let reads = 0;
  const change = (version: number) => {
    const ops = [{ op: 'add', path: '/gold', value: version }];
    return `event: change\ndata: ${JSON.stringify({ type: 'change', version, from: version - 1, ops })}\n\n`;
  };
  const baseUrl = await startHostile((request, response) => {
    if (!request.url?.includes('/changes')) return void response.writeHead(503).end(String(reads++));
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'API-Version': '1' });
    response.write(`${hello}${change(2)}${change(2)}${change(3)}`);
  });
  const { seen, errors } = watch(baseUrl);
  await expect.poll(() => seen.map(({ version }) => version)).toEqual([1, 2, 3]);
  expect([seen.at(-1)?.state, reads, errors]).toEqual([{ gold: 3 }, 0, []]);
});
