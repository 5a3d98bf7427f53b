import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal, jsonLine, openWorld, requestText, type World, writeLines } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const health = requestText('GET /healthz');
const healthy = '{"status":"ok"}';

describe('pipelined requests', () => {
  test('are answered in order, whether they need the store or not', async () => {
    const { path, keyLine } = await world.newDocument();
    const connection = await world.connect();
    const update = (version: number) =>
      requestText(`PUT ${path}`, [keyLine, jsonLine, `If-Match: "${version}"`], `{"state":{"v":${version + 1}}}`);
    connection.send(
      [
        requestText(`PUT ${path}`, writeLines(keyLine), '{"state":{"v":1}}'),
        requestText('GET /nothing', ['X-Request-Id: 2']),
        requestText(`GET ${path}`, ['X-Request-Id: 3']),
        health,
        requestText('OPTIONS *', ['X-Request-Id: 5']),
      ].join(''),
    );
    const statuses: number[] = [];
    for (let count = 0; count < 5; count++) statuses.push((await connection.answer()).status);
    expect(statuses).toEqual([200, 404, 401, 200, 204]);
    for (let version = 1; version <= 20; version++) connection.send(update(version));
    for (let version = 2; version <= 21; version++) {
      expect((await connection.answer()).headers.get('etag')).toBe(`"${version}"`);
    }
    connection.close();
  });

  test('a malformed one waits for the responses before it', async () => {
    const { path, keyLine } = await world.newDocument();
    const connection = await world.connect();
    const create = requestText(`PUT ${path}`, writeLines(keyLine), '{"state":{}}');
    const update = requestText(`PUT ${path}`, [keyLine, jsonLine, 'If-Match: "1"'], '{"state":{"a":1}}');
    connection.send(`${create + update}nonsense\r\n\r\n`);
    expect((await connection.answer()).headers.get('etag')).toBe('"1"');
    expect((await connection.answer()).headers.get('etag')).toBe('"2"');
    expectRefusal(await connection.answer(), 400, 'validation_error');
    expect(await connection.ended()).toEqual({ by: 'end', unread: '' });
    connection.close();
  });

  test('a malformed one does not cut off a long response before it', async () => {
    const { path, keyLine } = await world.newDocument();
    const state = JSON.stringify({ state: { text: 'x'.repeat(250_000) } });
    for (let version = 0; version < 8; version++) {
      const precondition = version === 0 ? 'If-None-Match: *' : `If-Match: "${version}"`;
      await world.exchange(requestText(`PUT ${path}`, [keyLine, jsonLine, precondition], state));
    }
    const connection = await world.connect();
    connection.send(`${requestText(`GET ${path}/versions`, [keyLine])}nonsense\r\n\r\n`);
    const answer = await connection.answer();
    expect((JSON.parse(answer.body.toString()) as unknown[]).length).toBe(8);
    expectRefusal(await connection.answer(), 400, 'validation_error');
    connection.close();
  });
});

test('a body that becomes invalid after a refusal gets no second response', async () => {
  const connection = await world.connect();
  connection.send(requestText(`PUT ${world.statePath}`, [jsonLine, 'Transfer-Encoding: chunked']));
  connection.send('c\r\n{"state":{}}\r\n');
  expectRefusal(await connection.answer(), 401, 'unauthorized');
  connection.send('nonsense\r\n');
  expect(await connection.ended()).toEqual({ by: 'end', unread: '' });
  connection.close();
});

describe('a connection continues after', () => {
  test.each([
    ['401', () => requestText(`PUT ${world.statePath}`, [jsonLine], '{"state":{}}'), 401, 'unauthorized'],
    ['404', () => requestText('POST /nothing', [jsonLine], '{"state":{}}'), 404, 'not_found'],
    ['405', () => requestText('PUT /healthz', [jsonLine], '{}'), 405, 'method_not_allowed'],
    ['415', () => requestText(`PUT ${world.statePath}`, [world.keyLine], '{"state":{}}'), 415, 'unsupported_media_type'],
    [
      '400 for the precondition',
      () => requestText(`PUT ${world.statePath}`, [world.keyLine, jsonLine], '{}'),
      400,
      'validation_error',
    ],
    [
      '400 for the body',
      () => requestText(`PUT ${world.statePath}`, writeLines(world.keyLine), '{"state":'),
      400,
      'validation_error',
    ],
    [
      '412',
      () => requestText(`PUT ${world.statePath}`, [world.keyLine, jsonLine, 'If-Match: "9"'], '{"state":{}}'),
      412,
      'version_conflict',
    ],
    ['a GET with a body', () => requestText('GET /nothing', [jsonLine], '{"a":1}'), 404, 'not_found'],
  ] as const)('%s', async (_what, request, status, code) => {
    const connection = await world.connect();
    connection.send(request());
    expectRefusal(await connection.answer(), status, code);
    connection.send(request() + health);
    expectRefusal(await connection.answer(), status, code);
    expect((await connection.answer()).body.toString()).toBe(healthy);
    connection.close();
  });
});

test('Connection: close is honoured', async () => {
  const connection = await world.connect();
  connection.send(requestText('GET /healthz', ['Connection: close']) + health);
  const answer = await connection.answer();
  expect(answer.headers.get('connection')).toBe('close');
  expect(await connection.ended()).toEqual({ by: 'end', unread: '' });
  connection.close();
});

test('a client that disconnects in the middle of its body leaves nothing behind', async () => {
  const { path, keyLine } = await world.newDocument();
  const body = '{"state":{"half":true}}';
  const whole = requestText(`PUT ${path}`, writeLines(keyLine), body);
  for (const leave of ['finish', 'close'] as const) {
    const connection = await world.connect();
    connection.send(whole.slice(0, -5));
    connection[leave]();
    if (leave === 'finish') expectRefusal(await connection.answer(), 400, 'validation_error');
    connection.close();
  }
  const chunkedHead = requestText(`PUT ${path}`, [...writeLines(keyLine), 'Transfer-Encoding: chunked']);
  const cut = await world.connect();
  cut.send(`${chunkedHead}${body.length.toString(16)}\r\n${body}\r\n`); // valid JSON, but without the last chunk
  cut.finish();
  expectRefusal(await cut.answer(), 400, 'validation_error');
  cut.close();
  expect((await world.exchange(requestText(`GET ${path}`, [keyLine]))).status).toBe(204);
});

test('a request in single bytes is read', async () => {
  const { path, keyLine } = await world.newDocument();
  const connection = await world.connect();
  for (const byte of requestText(`PUT ${path}`, writeLines(keyLine), '{"state":{}}')) {
    connection.send(byte);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await connection.answer()).status).toBe(200);
  connection.close();
});
