/** Change streams and long polls over HTTP. @see docs/contract.md §4.9 */
import { applyOperations, type JsonObject, type PatchOperation } from '@holdfast/json';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type EventReader, readEvents, type ServerEvent } from '../support/events.ts';
import { type Project, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ settings: { SVC_METRICS_PORT: '0' } });
});
afterAll(() => server.stop());

type Headers = Readonly<Record<string, string>>;

/** A watched document, and how to write it. */
interface Place {
  readonly path: string;
  readonly headers: Headers;
  write(version: number, state: Readonly<Record<string, unknown>>): Promise<number>;
}

const preconditionOf = (version: number): Headers =>
  version === 0 ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` };

function publicPlace({ path: base, developer }: Project): Place {
  const path = `${base}/public-state/staging`;
  const headers = developer.bearer;
  return {
    path,
    headers,
    async write(version, state) {
      const options = { headers: { ...headers, ...preconditionOf(version) }, body: { state } };
      return versionIn(await server.call('PUT', path, options));
    },
  };
}

async function playerHeaders({ developer: { accountId }, slug }: Project, userId = 'ada', seconds = 900): Promise<Headers> {
  const claims = { accountId, slug, environment: 'staging' as const, userId, seconds };
  return { Authorization: `Bearer ${await server.running.accessTokens.signPlayerToken(claims)}` };
}

async function userPlace(project: Project): Promise<Place> {
  const path = `${project.path}/user-state/staging`;
  const headers = await playerHeaders(project);
  return {
    path,
    headers,
    async write(version, state) {
      const ops = [{ op: 'replace', path: '', value: state }];
      const options = { headers: { ...headers, ...preconditionOf(version) }, body: { ops } };
      return versionIn(await server.call('PATCH', path, options));
    },
  };
}

function versionIn(answer: { status: number; json: unknown; text: string }): number {
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return (answer.json as { version: number }).version;
}

async function watch({ path, headers }: Place, more: Headers = {}, query = ''): Promise<EventReader> {
  const reader = await readEvents(server.baseUrl, `${path}/changes${query}`, { ...headers, ...more });
  onTestFinished(() => reader.close());
  return reader;
}

async function poll({ path, headers }: Place, query: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const answer = await server.call('GET', `${path}/changes?${query}`, { headers });
  if (answer.status === 204) return [];
  expect(answer.status).toBe(200);
  return (answer.json as { events: readonly Readonly<Record<string, unknown>>[] }).events;
}

/** Returns the reader's document after an event. */
function apply(state: JsonObject, { type, data }: ServerEvent): JsonObject {
  if (type !== 'change') return data.state as JsonObject;
  const result = applyOperations(state, data.ops as PatchOperation[]);
  if (result.kind !== 'patched') throw new Error(JSON.stringify(result));
  return result.document;
}

describe.each([
  ['public state', async (project: Project) => publicPlace(project)],
  ['user state', userPlace],
])('%s', (_, scopeIn) => {
  const newPlace = async () => scopeIn(await server.newProject());

  test('a stream starts with the document and continues with each change', async () => {
    const place = await newPlace();
    await place.write(0, { a: 1, b: [1, 2, 3] });
    const reader = await watch(place);
    expect(reader.status).toBe(200);
    expect(reader.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'api-version': '1',
    });
    expect(await reader.next()).toEqual({
      type: 'snapshot',
      id: 1,
      data: { version: 1, state: { a: 1, b: [1, 2, 3] } },
    });
    expect(reader.retry()).toBeGreaterThanOrEqual(1_000);
    expect(reader.retry()).toBeLessThan(5_000);
    await place.write(1, { a: 2, b: [1, 2, 3] });
    expect(await reader.next()).toEqual({
      type: 'change',
      id: 2,
      data: { version: 2, from: 1, ops: [{ op: 'replace', path: '/a', value: 2 }] },
    });
  });

  test('a resumed stream without news starts with a comment, and its first event has a retry time', async () => {
    const place = await newPlace();
    await place.write(0, { a: 1 });
    const reader = await watch(place, {}, '?since=1');
    await expect.poll(() => reader.comments()).toBe(1);
    expect([reader.retry(), reader.waiting()]).toEqual([undefined, []]);
    await place.write(1, { a: 2 });
    expect(await reader.next()).toMatchObject({ type: 'change', id: 2 });
    expect(reader.retry()).toBeGreaterThanOrEqual(1_000);
  });

  test('an empty document is followed by a change from 0, and an unchanged document by a change without operations', async () => {
    const place = await newPlace();
    const reader = await watch(place);
    expect(await reader.next()).toEqual({ type: 'snapshot', id: 0, data: { version: null, state: null } });
    await place.write(0, { a: 1 });
    const first = await reader.next();
    expect(first).toMatchObject({ type: 'change', id: 1, data: { version: 1, from: 0 } });
    expect(apply({}, first)).toEqual({ a: 1 });
    await place.write(1, { a: 1 });
    expect(await reader.next()).toEqual({ type: 'change', id: 2, data: { version: 2, from: 1, ops: [] } });
  });

  test('a returning reader gets every missed change once', async () => {
    const place = await newPlace();
    await place.write(0, { n: 0 });
    const reader = await watch(place);
    await reader.next();
    for (let n = 1; n <= 5; n++) await place.write(n, { n });
    for (let n = 1; n <= 3; n++) expect(await reader.next()).toMatchObject({ id: n + 1 });
    reader.close();
    const again = await watch(place, { 'Last-Event-ID': '4' }, '?since=1');
    expect(await again.next()).toMatchObject({ type: 'change', id: 5, data: { from: 4 } });
    expect(await again.next()).toMatchObject({ type: 'change', id: 6, data: { from: 5 } });
    await place.write(6, { n: 7 });
    expect(await again.next()).toMatchObject({ type: 'change', id: 7, data: { from: 6 } });
    const current = await watch(place, {}, '?since=7');
    await place.write(7, { n: 8 });
    expect(await current.next()).toMatchObject({ type: 'change', id: 8, data: { from: 7 } });
  });

  test('the first reader gets operations, even if it already has the document', async () => {
    const place = await newPlace();
    await place.write(0, { n: 0 });
    const reader = await watch(place, { 'Last-Event-ID': '1' });
    await place.write(1, { n: 1 });
    expect(await reader.next()).toMatchObject({ id: 2, data: { from: 1, ops: [{ path: '/n', value: 1 }] } });
  });

  test('every reader ends up with the same document, whatever is written', async () => {
    const place = await newPlace();
    const reader = await watch(place);
    let state: JsonObject = {};
    let version = 0;
    await reader.next();
    for (let n = 0; n < 40; n++) {
      const next = { n, list: Array.from({ length: n % 7 }, (_, i) => i * n), [`k${n % 5}`]: { deep: 'é"\n\u2028' } };
      version = await place.write(version, next);
      const event = await reader.next();
      state = apply(state, event);
      expect([event.id, event.data.from, state]).toEqual([version, version - 1, next]);
    }
  });

  test('numbers keep their digits', async () => {
    const place = await newPlace();
    const reader = await watch(place);
    await reader.next();
    const body = { headers: { ...place.headers, ...preconditionOf(0) } };
    const text = `{"ops":[{"op":"add","path":"/n","value":12345678901234567890.10}]}`;
    const headers = { ...body.headers, 'Content-Type': 'application/json' };
    expect((await server.call('PATCH', place.path, { headers, body: text })).status).toBe(200);
    await reader.next();
    const answer = await server.call('GET', `${place.path}/changes?since=0`, { headers: place.headers });
    expect(answer.text).toContain('12345678901234567890.10');
  });

  test('operations over the length limit are left out', async () => {
    const place = await newPlace();
    await place.write(0, {});
    const reader = await watch(place);
    await reader.next();
    await place.write(1, { text: 'x'.repeat(16_000) });
    expect(await reader.next()).toMatchObject({ id: 2, data: { from: 1, ops: [{ path: '/text' }] } });
    await place.write(2, { text: 'y'.repeat(17_000) });
    expect(await reader.next()).toEqual({ type: 'change', id: 3, data: { version: 3, from: 2, refetch: true } });
    await place.write(3, { text: 'y'.repeat(17_000), n: 1 });
    expect(await reader.next()).toMatchObject({ id: 4, data: { from: 3, ops: [{ path: '/n', value: 1 }] } });
  });

  test('the largest document arrives whole, and a small change of it as operations', async () => {
    const place = await newPlace();
    const text = '€'.repeat(200_000);
    await place.write(0, { text });
    const reader = await watch(place);
    expect((await reader.next()).data).toEqual({ version: 1, state: { text } });
    await place.write(1, { text, n: 1 });
    expect(await reader.next()).toMatchObject({ id: 2, data: { from: 1, ops: [{ op: 'add', path: '/n', value: 1 }] } });
  });

  test('an unknown version is answered with the document', async () => {
    const place = await newPlace();
    await place.write(0, { n: 0 });
    const reader = await watch(place, {}, '?since=99');
    expect(await reader.next()).toEqual({ type: 'reset', id: 1, data: { version: 1, state: { n: 0 } } });
    const nothing = await watch(await newPlace(), {}, '?since=99');
    expect(await nothing.next()).toEqual({ type: 'reset', id: 0, data: { version: null, state: null } });
  });

  test('a long poll has the same events', async () => {
    const place = await newPlace();
    expect(await poll(place, '')).toEqual([{ type: 'snapshot', version: null, state: null }]);
    expect(await poll(place, 'since=0&wait=0')).toEqual([]);
    await place.write(0, { n: 0 });
    expect(await poll(place, '')).toEqual([{ type: 'snapshot', version: 1, state: { n: 0 } }]);
    const first = await poll(place, 'since=0&wait=0');
    expect(first).toMatchObject([{ type: 'change', version: 1, from: 0 }]);
    const waiting = poll(place, 'since=1&wait=20');
    await place.write(1, { n: 1 });
    const change = { type: 'change', version: 2, from: 1, ops: [{ op: 'replace', path: '/n', value: 1 }] };
    expect(await waiting).toEqual([change]);
    expect(await poll(place, 'since=2&wait=1')).toEqual([]);
  });

  test.each([
    ['since=-1', {}],
    ['since=01', {}],
    ['since=1.5', {}],
    ['since=x', {}],
    ['since=99999999999999999999', {}],
    ['since=1&since=2', {}],
    ['wait=56', {}],
    ['wait=-1', {}],
    ['wait=x', {}],
    ['', { 'Last-Event-ID': 'x' }],
  ])('%s %j is refused', async (query, headers) => {
    const place = await newPlace();
    const answer = await server.call('GET', `${place.path}/changes?${query}`, {
      headers: { ...place.headers, ...headers },
    });
    expect([answer.status, (answer.json as { error: string }).error]).toEqual([400, 'validation_error']);
  });

  test.each([
    ['text/event-stream', true],
    ['application/json, text/event-stream;q=0.5', true],
    ['TEXT/EVENT-STREAM', true],
    ['text/event-stream;q=0', false],
    ['*/*', false],
    ['application/json', false],
  ])('with Accept: %s the response is a stream: %s', async (Accept, isStream) => {
    const place = await newPlace();
    const reader = await watch(place, { Accept });
    expect(reader.headers['content-type']).toBe(isStream ? 'text/event-stream' : 'application/json');
  });

  test('HEAD answers like GET, immediately and without a body', async () => {
    const place = await newPlace();
    const headers = { ...place.headers, Accept: 'text/event-stream' };
    const answer = await server.call('HEAD', `${place.path}/changes`, { headers });
    expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([200, 'text/event-stream', '']);
  });
});

describe('public state', () => {
  test('changes missed by everybody are sent from stored versions, up to 50', async () => {
    const place = publicPlace(await server.newProject());
    for (let n = 0; n < 53; n++) await place.write(n, { n });
    const events = await poll(place, 'since=3&wait=0');
    expect(events.map(({ version, from }) => [version, from])).toEqual(
      Array.from({ length: 50 }, (_, i) => [i + 4, i + 3]),
    );
    expect(await poll(place, 'since=2&wait=0')).toEqual([{ type: 'snapshot', version: 53, state: { n: 52 } }]);
    const reader = await watch(place, {}, '?since=1');
    expect(await reader.next()).toEqual({ type: 'snapshot', id: 53, data: { version: 53, state: { n: 52 } } });
  });

  test('the streams of a deleted project get a reset, and are closed', async () => {
    const project = await server.newProject();
    const place = publicPlace(project);
    const { apiKey } = await server.newApiKey(project);
    await place.write(0, { n: 0 });
    const readers = [await watch(place), await watch({ ...place, headers: { Authorization: `ApiKey ${apiKey}` } })];
    for (const reader of readers) await reader.next();
    await server.call('DELETE', project.path, { headers: project.developer.bearer });
    for (const reader of readers) {
      expect(await reader.next()).toEqual({ type: 'reset', id: 0, data: { version: null, state: null } });
      expect(await reader.next()).toMatchObject({ type: 'goodbye', data: { reason: 'revoked' } });
      await reader.ended();
    }
    const gone = await watch(place);
    expect(gone.status).toBe(404);
  });

  test('the streams of a revoked key are closed, and no others', async () => {
    const project = await server.newProject();
    const place = publicPlace(project);
    const keys = await Promise.all([{}, {}, { kind: 'publishable' }].map((options) => server.newApiKey(project, options)));
    const readers = await Promise.all(
      keys.map(({ apiKey }) => watch({ ...place, headers: { Authorization: `ApiKey ${apiKey}` } })),
    );
    for (const reader of readers) await reader.next();
    const [revoked, ...others] = readers;
    await server.call('DELETE', `${project.path}/api-keys/${keys[0]?.id}`, { headers: project.developer.bearer });
    const goodbye = await revoked?.next();
    expect(goodbye).toMatchObject({ type: 'goodbye', id: undefined, data: { reason: 'revoked' } });
    expect(goodbye?.data.retryAfterMs).toBeGreaterThan(0);
    await revoked?.ended();
    await place.write(0, { n: 0 });
    for (const reader of others) expect(await reader.next()).toMatchObject({ type: 'change', id: 1 });
  });

  test('the streams of a deleted account are closed', async () => {
    const project = await server.newProject();
    const reader = await watch(publicPlace(project));
    await reader.next();
    await server.call('DELETE', `/v1/${project.developer.accountId}`, { headers: project.developer.bearer });
    expect(await reader.next()).toMatchObject({ type: 'goodbye', data: { reason: 'revoked' } });
    await reader.ended();
  });

  test('a waiting long poll ends with its key', async () => {
    const project = await server.newProject();
    const place = publicPlace(project);
    const { id, apiKey } = await server.newApiKey(project);
    const waiting = poll({ ...place, headers: { Authorization: `ApiKey ${apiKey}` } }, 'since=0&wait=30');
    await expect.poll(() => server.openStreams('public_poll')).toBe(1);
    await server.call('DELETE', `${project.path}/api-keys/${id}`, { headers: project.developer.bearer });
    expect(await waiting).toMatchObject([{ type: 'goodbye', reason: 'revoked' }]);
  });
});

describe('a publishable key in the query', () => {
  let project: Project;
  let place: Place;
  let key: { id: string; apiKey: string };
  beforeAll(async () => {
    project = await server.newProject();
    place = publicPlace(project);
    await place.write(0, { n: 0 });
    key = await server.newApiKey(project, { kind: 'publishable', environments: ['staging'] });
  });
  const ask = async (query: string, headers: Headers = {}) => {
    const answer = await server.call('GET', `${place.path}/changes?${query}`, { headers });
    return [answer.status, (answer.json as { error?: string } | undefined)?.error];
  };

  test('opens a stream, which can resume from an event id, and ends with the key', async () => {
    const mine = await server.newApiKey(project, { kind: 'publishable' });
    const open = (more: Headers) =>
      watch({ ...place, headers: { Origin: 'https://game.example' } }, more, `?key=${mine.apiKey}`);
    const reader = await open({});
    expect([reader.status, reader.headers['access-control-allow-origin']]).toEqual([200, '*']);
    const { id, data } = await reader.next();
    expect(data).toMatchObject({ version: id, state: {} });
    const again = await open({ 'Last-Event-ID': String(id) });
    await place.write(id ?? 0, { n: id });
    for (const each of [reader, again]) expect(await each.next()).toMatchObject({ type: 'change', data: { from: id } });
    await server.call('DELETE', `${project.path}/api-keys/${mine.id}`, { headers: project.developer.bearer });
    for (const each of [reader, again]) {
      expect(await each.next()).toMatchObject({ type: 'goodbye', data: { reason: 'revoked' } });
    }
    expect(await ask(`key=${mine.apiKey}`)).toEqual([401, 'unauthorized']);
  });

  test('answers a long poll, and HEAD', async () => {
    expect(await ask(`key=${key.apiKey}&wait=0`)).toEqual([200, undefined]);
    const head = await server.call('HEAD', `${place.path}/changes?key=${key.apiKey}&wait=0`);
    expect(head.status).toBe(200);
  });

  test('is refused outside its reach', async () => {
    const production = await server.call('GET', `${project.path}/public-state/production/changes?key=${key.apiKey}`);
    expect([production.status, production.json]).toMatchObject([403, { error: 'forbidden' }]);
    const other = await server.newProject();
    const foreign = await server.call('GET', `${other.path}/public-state/staging/changes?key=${key.apiKey}`);
    expect([foreign.status, foreign.text]).toEqual([403, '']);
  });

  test('beside Authorization, or twice: 400', async () => {
    const bad = [400, 'validation_error'];
    expect(await ask(`key=${key.apiKey}`, { Authorization: `ApiKey ${key.apiKey}` })).toEqual(bad);
    expect(await ask(`key=${key.apiKey}`, project.developer.bearer)).toEqual(bad);
    expect(await ask('key=', project.developer.bearer)).toEqual(bad);
    expect(await ask(`key=${key.apiKey}&key=${key.apiKey}`)).toEqual(bad);
  });

  test('of the wrong kind, or invalid: 401', async () => {
    const secret = await server.newApiKey(project);
    const unknown = `svcp_${'a'.repeat(36)}`;
    const { token } = project.developer;
    for (const text of [secret.apiKey, unknown, token, '', `${key.apiKey}%20`, 'x'.repeat(4_000)]) {
      const answer = await server.call('GET', `${place.path}/changes?key=${text}`);
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([
        401,
        expect.stringMatching(/^Bearer error="invalid_token"/),
      ]);
    }
  });

  test('is ignored by every other route', async () => {
    for (const path of [
      place.path,
      `${place.path}/history`,
      '/v1/api-key/info',
      `${project.path}/user-state/staging/changes`,
    ]) {
      expect((await server.call('GET', `${path}?key=${key.apiKey}`)).status).toBe(401);
    }
  });
});

describe('user state', () => {
  test('deleting a state or creating it again resets the stream', async () => {
    const project = await server.newProject();
    const place = await userPlace(project);
    await place.write(0, { n: 0 });
    await place.write(1, { n: 1 });
    const reader = await watch(place);
    await reader.next();
    const remove = () => server.call('DELETE', `${project.path}/user-states/ada`, { headers: project.developer.bearer });
    await remove();
    expect(await reader.next()).toEqual({ type: 'reset', id: 0, data: { version: null, state: null } });
    const version = await place.write(0, { n: 2 });
    expect(version).toBeGreaterThan(2);
    expect(await reader.next()).toEqual({ type: 'reset', id: version, data: { version, state: { n: 2 } } });
    const next = await place.write(version, { n: 3 });
    expect(await reader.next()).toMatchObject({ type: 'change', id: next, data: { from: version } });
  });

  test('players never get another player’s state', async () => {
    const project = await server.newProject();
    const place = await userPlace(project);
    const other = await watch({ ...place, headers: await playerHeaders(project, 'bob') });
    await other.next();
    const own = await watch(place);
    await own.next();
    await place.write(0, { n: 0 });
    await own.next();
    expect(other.waiting()).toEqual([]);
  });

  test('a stream ends with its token', async () => {
    const project = await server.newProject();
    const place = await userPlace(project);
    const reader = await watch({ ...place, headers: await playerHeaders(project, 'ada', 2) });
    await reader.next();
    expect(await reader.next()).toMatchObject({ type: 'goodbye', data: { reason: 'expired' } });
    await reader.ended();
  });
});
