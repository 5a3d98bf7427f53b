/**
 * Requests whose end is ambiguous to parsers. Each is followed by a second request that only one interpretation would accept. It must
 * never get a separate response.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal, jsonLine, openWorld, requestText, type World, writeLines } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const hidden = 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Sends a PUT with these framing lines, followed by `rest`. Expects a single 400 and the end of the connection. */
async function expectRefusedAlone(framingLines: readonly string[], rest: string): Promise<void> {
  const { path, keyLine } = await world.newDocument();
  const connection = await world.connect();
  const lines = [`PUT ${path} HTTP/1.1`, 'Host: localhost', ...writeLines(keyLine), ...framingLines];
  connection.send(`${lines.join('\r\n')}\r\n\r\n${rest}`);
  const answer = await connection.answer();
  expectRefusal(answer, 400, 'validation_error');
  expect(answer.headers.get('connection')).toBe('close');
  expect(await connection.ended()).toEqual({ by: 'end', unread: '' });
  connection.close();
  expect((await world.exchange(requestText(`GET ${path}`, [keyLine]))).status).toBe(204);
}

const body = '{"state":{}}';
const inChunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

describe('framing headers', () => {
  test.each([
    ['a length before chunks', [`Content-Length: ${inChunks.length}`, 'Transfer-Encoding: chunked'], inChunks],
    ['chunks before a length', ['Transfer-Encoding: chunked', 'Content-Length: 4'], inChunks],
    ['two lengths', [`Content-Length: ${body.length}`, 'Content-Length: 0'], body],
    ['the same length twice', [`Content-Length: ${body.length}`, `Content-Length: ${body.length}`], body],
    ['a list of lengths', [`Content-Length: ${body.length}, ${body.length}`], body],
    ['a length with a sign', [`Content-Length: +${body.length}`], body],
    ['a negative length', ['Content-Length: -1'], body],
    ['a length with a space inside', ['Content-Length: 1 2'], body],
    ['a hexadecimal length', ['Content-Length: 0xc'], body],
    ['a length with a fraction', ['Content-Length: 12.0'], body],
    ['an empty length', ['Content-Length:'], body],
    ['a length over 64 bits', ['Content-Length: 18446744073709551628'], body],
    ['a length with an underscore', ['Content-Length: 1_2'], body],
    ['identity', ['Transfer-Encoding: identity'], body],
    ['an unknown coding', ['Transfer-Encoding: xchunked'], inChunks],
    ['an unknown coding after chunked', ['Transfer-Encoding: chunked, identity'], inChunks],
    ['an unknown coding before chunked', ['Transfer-Encoding: gzip, chunked'], inChunks],
    ['chunked twice in a list', ['Transfer-Encoding: chunked, chunked'], inChunks],
    ['chunked in two headers', ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], inChunks],
    ['chunked, then another coding', ['Transfer-Encoding: chunked', 'Transfer-Encoding: x'], inChunks],
    ['an empty coding', ['Transfer-Encoding:'], inChunks],
    ['chunked in quotes', ['Transfer-Encoding: "chunked"'], inChunks],
    ['chunked after a vertical tab', ['Transfer-Encoding: \x0bchunked'], inChunks],
    ['chunked with a parameter', ['Transfer-Encoding: chunked;q=1'], inChunks],
    ['a space before the colon', ['Transfer-Encoding : chunked'], inChunks],
    ['a space before the colon of the length', [`Content-Length : ${body.length}`], body],
    ['a folded line', ['Transfer-Encoding:\r\n chunked'], inChunks],
    ['a folded line after another header', ['X-A: b\r\n Transfer-Encoding: chunked'], inChunks],
    ['a NUL in the name', ['Transfer\0-Encoding: chunked'], inChunks],
    ['a NUL in a value', [`Content-Length: ${body.length}\0`], body],
    ['a bare CR in a value', [`X-A: b\rContent-Length: ${body.length}`], body],
    ['a bare LF between headers', [`X-A: b\nContent-Length: ${body.length}`], body],
    ['an empty name', [': b'], body],
    ['a line that begins with a space', [' X-A: b'], body],
  ])('%s', (_what, framingLines, rest) => expectRefusedAlone(framingLines, rest + hidden));
});

describe('chunks', () => {
  test.each([
    ['a size over 64 bits', 'fffffffffffffffff\r\n'],
    ['a size that overflows to a small one', '1000000000000000c\r\n'],
    ['a negative size', '-c\r\n'],
    ['a size with a sign', '+c\r\n'],
    ['a size with a prefix', '0xc\r\n'],
    ['an invalid size', 'g\r\n'],
    ['an empty size', '\r\n'],
    ['a space before the size', ' c\r\n'],
    ['a bare LF after the size', `c\n${body}\r\n0\r\n\r\n`],
    ['a chunk shorter than its size', `d\r\n${body}\r\n0\r\n\r\n`],
    ['a chunk longer than its size', `b\r\n${body}\r\n0\r\n\r\n`],
    ['a bare LF after a chunk', `c\r\n${body}\n0\r\n\r\n`],
    ['a bare CR after the size', `c\r${body}\r\n0\r\n\r\n`],
    ['a NUL in an extension', `c;a=\0\r\n${body}\r\n0\r\n\r\n`],
    ['a bare LF in an extension', `c;a=\n${body}\r\n0\r\n\r\n`],
    ['a trailer with a space in its name', `c\r\n${body}\r\n0\r\nX A: b\r\n\r\n`],
  ])('%s', (_what, chunks) => expectRefusedAlone(['Transfer-Encoding: chunked'], chunks + hidden));

  test('413 for endless extensions', async () => {
    const { path, keyLine } = await world.newDocument();
    const connection = await world.connect();
    connection.send(requestText(`PUT ${path}`, [...writeLines(keyLine), 'Transfer-Encoding: chunked']));
    connection.send(`c;${'e'.repeat(40_000)}`);
    expectRefusal(await connection.answer(), 413, 'payload_too_large');
    expect((await connection.ended()).unread).toBe('');
    connection.close();
  });

  test('trailers never count as headers', async () => {
    const { path, keyLine } = await world.newDocument();
    const lines = [jsonLine, 'If-None-Match: *', 'Transfer-Encoding: chunked', 'Trailer: Authorization'];
    const connection = await world.connect();
    connection.send(requestText(`PUT ${path}`, lines));
    connection.send(`c\r\n${body}\r\n0\r\n${keyLine}\r\n\r\n`);
    expectRefusal(await connection.answer(), 401, 'unauthorized');
    connection.close();
  });
});

describe('lines', () => {
  test.each([
    ['bare LF everywhere', 'GET /healthz HTTP/1.1\nHost: localhost\n\n'],
    ['bare LF at the end of the headers', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\n'],
    ['a NUL in the target', 'GET /healthz\0 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a tab instead of a space', 'GET\t/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a space before the first header', 'GET /healthz HTTP/1.1\r\n Host: localhost\r\n\r\n'],
    ['no version', 'GET /healthz\r\n\r\n'],
    ['version 0.9', 'GET /healthz HTTP/0.9\r\nHost: localhost\r\n\r\n'],
    ['version 2.0', 'GET /healthz HTTP/2.0\r\nHost: localhost\r\n\r\n'],
    ['version 1.2', 'GET /healthz HTTP/1.2\r\nHost: localhost\r\n\r\n'],
  ])('%s', async (_what, bytes) => {
    const connection = await world.connect();
    connection.send(bytes + hidden);
    expectRefusal(await connection.answer(), 400, 'validation_error');
    expect(await connection.ended()).toEqual({ by: 'end', unread: '' });
    connection.close();
  });

  test.each([
    ['Host', () => ['Host: other.example']],
    ['Authorization', () => [world.keyLine, world.keyLine]],
    ['Authorization in two forms', () => [world.keyLine, world.tokenLine.replace('Authorization', 'authorization')]],
    ['Content-Type', () => [world.keyLine, jsonLine, jsonLine, 'If-None-Match: *', 'Content-Length: 0']],
  ])('400 for %s sent twice', async (_what, lines) => {
    expectRefusal(await world.exchange(requestText(`GET ${world.statePath}`, lines())), 400, 'validation_error');
  });

  test('two preconditions of one name are refused', async () => {
    const lines = [world.keyLine, jsonLine, 'If-Match: "1"', 'If-Match: "2"'];
    expectRefusal(await world.exchange(requestText(`PUT ${world.statePath}`, lines, body)), 400, 'validation_error');
  });
});
