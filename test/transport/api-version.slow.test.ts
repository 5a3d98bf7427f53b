import { operations } from '@holdfast/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectRaw } from '../support/raw.ts';
import { expectCommonHeaders, expectRefusal, openWorld, requestText, type World, writeLines } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

describe('every response has API-Version', () => {
  test('200, 204 and 304 of a document', async () => {
    const { path, keyLine } = await world.newDocument();
    const answers = [
      await world.exchange(requestText(`GET ${path}`, [keyLine])),
      await world.exchange(requestText(`PUT ${path}`, writeLines(keyLine), '{"state":{}}')),
      await world.exchange(requestText(`GET ${path}`, [keyLine])),
      await world.exchange(requestText(`GET ${path}`, [keyLine, 'If-None-Match: "1"'])),
      await world.exchange(requestText(`GET ${path}/versions`, [keyLine])),
    ];
    expect(answers.map(({ status }) => status)).toEqual([204, 200, 200, 304, 200]);
    for (const answer of answers) expectCommonHeaders(answer);
  });

  test.each([
    ['GET /healthz', 200],
    ['GET /readyz', 200],
    ['GET /openapi.json', 200],
    ['GET /docs', 200],
    ['GET /.well-known/jwks.json', 200],
    ['GET /identity/.well-known/openid-configuration', 200],
    ['GET /identity/jwks.json', 200],
    ['GET /', 404],
    ['GET /v1', 404],
    ['GET /favicon.ico', 404],
    ['POST /healthz', 405],
    ['GET /v1/api-key/info', 401],
    ['GET /v1/acc_1', 401],
  ])('%s, %i', async (line, status) => {
    const answer = await world.exchange(requestText(line));
    expect(answer.status).toBe(status);
    expectCommonHeaders(answer);
  });

  test('every route without a credential', async () => {
    for (const { method, path } of Object.values(operations)) {
      const target = path.replaceAll(/\{\w+\}/g, 'x');
      const answer = await world.exchange(requestText(`${method} ${target}`, ['Content-Length: 0']));
      expectCommonHeaders(answer);
      expect(answer.status, `${method} ${path}`).toBeLessThan(500);
    }
  });

  test('403 with an empty body, for another project’s key', async () => {
    const other = await world.newDocument();
    const answer = await world.exchange(requestText(`GET ${world.statePath}`, [other.keyLine]));
    expect(answer.status).toBe(403);
    expect(answer.body.length).toBe(0);
    expectCommonHeaders(answer);
  });
});

describe('malformed requests get ordinary responses', () => {
  test.each([
    ['no protocol', 'GET /\r\n\r\n'],
    ['an unknown protocol', 'GET / HTTP/3.0\r\nHost: a\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a method with invalid bytes', 'F(O / HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['the start of a TLS connection', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: a\r\nnothing\r\n\r\n'],
    ['a control character in a header', 'GET / HTTP/1.1\r\nHost: a\r\nX-A: \x01\r\n\r\n'],
    ['a space in the target', 'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('400 for %s', async (_what, bytes) => {
    const connection = await world.connect();
    connection.send(bytes);
    const answer = await connection.answer();
    expectRefusal(answer, 400, 'validation_error');
    expect(answer.headers.get('connection')).toBe('close');
    expect(await connection.ended()).toEqual({ by: 'end', unread: '' });
    connection.close();
  });

  test('400 for a request that is cut off in its headers', async () => {
    const connection = await world.connect();
    connection.send('GET /healthz HTTP/1.1\r\nHost: a\r\n');
    connection.finish();
    expectRefusal(await connection.answer(), 400, 'validation_error');
    connection.close();
  });

  test.each([
    ['one long header', `X-Long: ${'a'.repeat(17_000)}\r\n`],
    ['many headers', Array.from({ length: 1_500 }, (_, index) => `X-H${index}: ${index}\r\n`).join('')],
  ])('431 for %s', async (_what, lines) => {
    const answer = await world.exchange(`GET /healthz HTTP/1.1\r\nHost: a\r\n${lines}\r\n`);
    expectRefusal(answer, 431, 'headers_too_large');
  });

  test('431 for an overlong target, 404 for one that just fits', async () => {
    expectRefusal(await world.exchange(requestText(`GET /${'a'.repeat(17_000)}`)), 431, 'headers_too_large');
    expectRefusal(await world.exchange(requestText(`GET /${'a'.repeat(15_000)}`)), 404, 'not_found');
  });

  test('400 for an HTTP/1.1 request without Host', async () => {
    expectRefusal(await world.exchange('GET /healthz HTTP/1.1\r\n\r\n'), 400, 'validation_error');
  });

  test.each(['user@x/path', 'a b', '[::1', '[:::]', '[::1]x', 'x:abc', 'a#b', 'a?b', 'a/b', '%4', `${'a'.repeat(300)}`])(
    '400 for the Host %s',
    async (host) => {
      expectRefusal(await world.exchange(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`), 400, 'validation_error');
    },
  );

  test.each(['localhost', 'a.example:8787', '127.0.0.1:', '[::1]:8787', 'x_y.example', 'caf%C3%A9.example', ''])(
    '200 for the Host %j',
    async (host) => {
      expect((await world.exchange(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).status).toBe(200);
    },
  );

  test.each(['FOO', 'FETCH', 'GETX', 'get', 'M-EVIL'])('405 for the unknown method %s', async (method) => {
    const connection = await world.connect();
    connection.send(`${method} /healthz HTTP/1.1\r\nHost: a\r\n\r\n`);
    const answer = await connection.answer();
    expectRefusal(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')).toContain('PATCH');
    expect(await connection.ended()).toEqual({ by: 'end', unread: '' });
    connection.close();
  });

  test('405 for an unknown method after a valid request', async () => {
    const connection = await world.connect();
    connection.send('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nFOO / HTTP/1.1\r\nHost: a\r\n\r\n');
    expect((await connection.answer()).status).toBe(200);
    expectRefusal(await connection.answer(), 405, 'method_not_allowed');
    connection.close();
  });

  test('405 for CONNECT, which opens no tunnel', async () => {
    const connection = await world.connect();
    connection.send('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n');
    const answer = await connection.answer();
    expectRefusal(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBeDefined();
    expect(await connection.ended()).toEqual({ by: 'end', unread: '' });
    connection.close();
  });

  test('408 for headers that do not arrive, or never begin', async () => {
    const [begun, silent] = await Promise.all([connectRaw(world.baseUrl), connectRaw(world.baseUrl)]);
    begun.send('GET /healthz HTTP/1.1\r\nHost: a\r\n');
    const answers = await Promise.all([begun, silent].map((one) => one.answer({ withinMilliseconds: 45_000 })));
    for (const answer of answers) expectRefusal(answer, 408, 'request_timeout');
    begun.close();
    silent.close();
  });
});
