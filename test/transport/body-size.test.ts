import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chunked, expectRefusal, openWorld, requestText, type World, writeLines } from './world.ts';

const bytesMax = 100_000;
let world: World;
beforeAll(async () => {
  world = await openWorld({ SVC_REQUEST_SIZE_LIMIT_BYTES: String(bytesMax) });
});
afterAll(() => world.stop());

/** A valid PUT body of exactly this many bytes. */
const bodyOf = (bytes: number) => `{"state":{"a":"${'x'.repeat(bytes - 18)}"}}`;
const health = requestText('GET /healthz');
const healthy = '{"status":"ok"}';

describe('by declared length', () => {
  test('accepts the exact limit, and refuses one byte more', async () => {
    const { path, keyLine } = await world.newDocument();
    const put = (bytes: number) => world.exchange(requestText(`PUT ${path}`, writeLines(keyLine), bodyOf(bytes)));
    expectRefusal(await put(bytesMax + 1), 413, 'payload_too_large');
    expect((await put(bytesMax)).status).toBe(200);
  });

  test('413 immediately, before the first byte of the body', async () => {
    const lines = [...writeLines(world.keyLine), `Content-Length: ${bytesMax + 1}`];
    expectRefusal(await world.exchange(requestText(`PUT ${world.statePath}`, lines)), 413, 'payload_too_large');
  });

  test('413 for a length too large for a double', async () => {
    const lines = [...writeLines(world.keyLine), 'Content-Length: 9007199254740993'];
    expectRefusal(await world.exchange(requestText(`PUT ${world.statePath}`, lines)), 413, 'payload_too_large');
  });

  test('a client that sends the whole body still gets the response, and can continue', async () => {
    const connection = await world.connect();
    connection.send(requestText(`PUT ${world.statePath}`, writeLines(world.keyLine), bodyOf(5_000_000)));
    expectRefusal(await connection.answer(), 413, 'payload_too_large');
    connection.send(health);
    expect((await connection.answer()).body.toString()).toBe(healthy);
    connection.close();
  });

  test('a client that never stops is cut off after its response', async () => {
    const connection = await world.connect();
    connection.send(requestText(`PUT ${world.statePath}`, [...writeLines(world.keyLine), 'Content-Length: 999999999999']));
    const flood = setInterval(() => connection.isOpen() && connection.send('x'.repeat(1_000_000)), 5);
    expectRefusal(await connection.answer(), 413, 'payload_too_large');
    await connection.ended();
    clearInterval(flood);
    connection.close();
  });

  test('a client that stalls is cut off after some seconds', async () => {
    const connection = await world.connect();
    connection.send(requestText(`PUT ${world.statePath}`, [...writeLines(world.keyLine), 'Content-Length: 999999']));
    expectRefusal(await connection.answer(), 413, 'payload_too_large');
    expect((await connection.ended(6_000)).unread).toBe('');
    connection.close();
  });

  test('the content of a refused body is never read as a request', async () => {
    const hidden = requestText(`PUT ${world.statePath}`, writeLines(world.keyLine), '{"state":{"smuggled":true}}');
    const connection = await world.connect();
    connection.send(requestText(`PUT ${world.statePath}`, writeLines(world.keyLine), hidden.repeat(500)));
    expectRefusal(await connection.answer(), 413, 'payload_too_large');
    expect(await connection.unreadAfter(300)).toBe('');
    connection.send(health);
    expect((await connection.answer()).body.toString()).toBe(healthy);
    connection.close();
    expect((await world.exchange(requestText(`GET ${world.statePath}`, [world.keyLine]))).status).toBe(204);
  });
});

describe('in chunks, without a declared length', () => {
  const lines = () => [...writeLines(world.keyLine), 'Transfer-Encoding: chunked'];

  test('accepts the exact limit, and refuses one byte more', async () => {
    const { path, keyLine } = await world.newDocument();
    const head = requestText(`PUT ${path}`, [...writeLines(keyLine), 'Transfer-Encoding: chunked']);
    const put = (bytes: number) =>
      world.exchange(head + chunked(bodyOf(bytes).slice(0, 40_000), bodyOf(bytes).slice(40_000)));
    expectRefusal(await put(bytesMax + 1), 413, 'payload_too_large');
    expect((await put(bytesMax)).status).toBe(200);
  });

  test('413 over the limit, while the client is still sending', async () => {
    const connection = await world.connect();
    connection.send(requestText(`PUT ${world.statePath}`, lines()));
    connection.send(`${(bytesMax + 1).toString(16)}\r\n${'x'.repeat(bytesMax + 1)}`);
    expectRefusal(await connection.answer(), 413, 'payload_too_large');
    connection.send(`\r\n0\r\n\r\n${health}`);
    expect((await connection.answer()).body.toString()).toBe(healthy);
    connection.close();
  });

  test('an endless stream is cut off after its response', async () => {
    const connection = await world.connect();
    connection.send(requestText(`PUT ${world.statePath}`, lines()));
    const piece = `f4240\r\n${'x'.repeat(1_000_000)}\r\n`;
    const flood = setInterval(() => connection.isOpen() && connection.send(piece), 5);
    expectRefusal(await connection.answer(), 413, 'payload_too_large');
    await connection.ended();
    clearInterval(flood);
    connection.close();
  });
});

describe('Expect: 100-continue', () => {
  const expecting = (headerLines: readonly string[], bytes: number) =>
    requestText(`PUT ${world.statePath}`, [...headerLines, 'Expect: 100-continue', `Content-Length: ${bytes}`]);

  test('100 if the headers pass all checks, then the response', async () => {
    const { path, keyLine } = await world.newDocument();
    const connection = await world.connect();
    const body = bodyOf(1_000);
    const lines = [...writeLines(keyLine), 'Expect: 100-continue', `Content-Length: ${body.length}`];
    connection.send(requestText(`PUT ${path}`, lines));
    expect((await connection.answer()).status).toBe(100);
    expect(await connection.unreadAfter(100)).toBe('');
    connection.send(body + health);
    expect((await connection.answer()).status).toBe(200);
    expect((await connection.answer()).body.toString()).toBe(healthy);
    connection.close();
  });

  test.each([
    ['too large', () => expecting(writeLines(world.keyLine), bytesMax + 1), 413, 'payload_too_large'],
    ['without a credential', () => expecting(writeLines('X-None: 1'), 10), 401, 'unauthorized'],
    [
      'of another media type',
      () => expecting([world.keyLine, 'If-None-Match: *', 'Content-Type: text/plain'], 10),
      415,
      'unsupported_media_type',
    ],
    [
      'without a precondition',
      () => expecting([world.keyLine, 'Content-Type: application/json'], 10),
      400,
      'validation_error',
    ],
    [
      'to an unknown environment',
      () => expecting(writeLines(world.keyLine), 10).replace('/development', '/Development'),
      400,
      'validation_error',
    ],
    [
      'to an unknown path',
      () => expecting(writeLines(world.keyLine), 10).replace('/public-state', '/nothing'),
      404,
      'not_found',
    ],
  ] as const)('no 100 for a request %s, and the connection is closed', async (_what, request, status, code) => {
    const connection = await world.connect();
    connection.send(request());
    const answer = await connection.answer();
    expectRefusal(answer, status, code);
    expect(answer.headers.get('connection')).toBe('close');
    expect(await connection.ended()).toEqual({ by: 'end', unread: '' });
    connection.close();
  });

  test('a client that does not wait is served too', async () => {
    const { path, keyLine } = await world.newDocument();
    const connection = await world.connect();
    connection.send(requestText(`PUT ${path}`, [...writeLines(keyLine), 'Expect: 100-Continue'], bodyOf(100)));
    expect((await connection.answer()).status).toBe(100);
    expect((await connection.answer()).status).toBe(200);
    connection.close();
  });
});
