import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chunked, createLine, expectRefusal, jsonLine, openWorld, requestText, type World, writeLines } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

const body = '{"state":{}}';

describe('media type', () => {
  const put = async (typeLines: readonly string[]) => {
    const { path, keyLine } = await world.newDocument();
    return world.exchange(requestText(`PUT ${path}`, [keyLine, createLine, ...typeLines], body));
  };

  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json;',
  ])('%s is accepted', async (type) => {
    expect((await put([`Content-Type: ${type}`])).status).toBe(200);
  });

  test.each([
    [],
    ['Content-Type:'],
    ['Content-Type: text/plain'],
    ['Content-Type: text/json'],
    ['Content-Type: application/json-patch+json'],
    ['Content-Type: application/x-www-form-urlencoded'],
    ['Content-Type: application/jsonx'],
    ['Content-Type: application/json; charset=utf-16'],
    ['Content-Type: application/json; charset=iso-8859-1'],
    ['Content-Type: application/json, text/plain'],
    [jsonLine, 'Content-Encoding: gzip'],
    [jsonLine, 'Content-Encoding: br, identity'],
  ])('415 for %s %s', async (...typeLines) => {
    expectRefusal(await put(typeLines.filter((line) => line !== undefined)), 415, 'unsupported_media_type');
  });

  test('Content-Encoding: identity is accepted', async () => {
    expect((await put([jsonLine, 'Content-Encoding: identity'])).status).toBe(200);
  });

  test('it is checked after the credential and before the precondition', async () => {
    const lines = ['Content-Type: text/plain'];
    expectRefusal(await world.exchange(requestText(`PUT ${world.statePath}`, lines, body)), 401, 'unauthorized');
    const known = await world.exchange(requestText(`PUT ${world.statePath}`, [...lines, world.keyLine], body));
    expectRefusal(known, 415, 'unsupported_media_type');
  });
});

describe('text', () => {
  test.each([
    ['empty', ''],
    ['white space', ' \r\n\t'],
    ['a byte order mark', `\xef\xbb\xbf${body}`],
    ['UTF-16', '{\0"\0s\0t\0a\0t\0e\0"\0:\0{\0}\0}\0'],
    ['an invalid UTF-8 byte', '{"state":{"a":"\xff"}}'],
    ['an overlong encoding', '{"state":{"a":"\xc0\x80"}}'],
    ['a surrogate in UTF-8', '{"state":{"a":"\xed\xa0\x80"}}'],
    ['a truncated character', '{"state":{"a":"\xe2\x82"}}'],
    ['truncated JSON', '{"state":{"a":1}'],
    ['two documents', `${body}${body}`],
    ['a NUL after the document', `${body}\0`],
    ['a comment', '{"state":{}/**/}'],
    ['an extra comma', '{"state":{},}'],
    ['NaN', '{"state":{"a":NaN}}'],
    ['a control character in a string', '{"state":{"a":"\x01"}}'],
    ['an array', '[]'],
    ['null', 'null'],
    ['a form', 'state=%7B%7D'],
  ])('400 for %s', async (_what, text) => {
    const answer = await world.exchange(requestText(`PUT ${world.statePath}`, writeLines(world.keyLine), text));
    expectRefusal(answer, 400, 'validation_error');
  });

  test('a character split between two chunks is read correctly', async () => {
    const { path, keyLine } = await world.newDocument();
    const head = requestText(`PUT ${path}`, [...writeLines(keyLine), 'Transfer-Encoding: chunked']);
    const answer = await world.exchange(head + chunked('{"state":{"euro":"\xe2', '\x82', '\xac"}}'));
    expect(JSON.parse(answer.body.toString())).toMatchObject({ state: { euro: '€' }, stateSizeBytes: 14 });
  });

  test('a missing body counts as empty', async () => {
    const answer = await world.exchange(requestText(`PUT ${world.statePath}`, writeLines(world.keyLine)));
    expectRefusal(answer, 400, 'validation_error');
  });
});

describe('depth', () => {
  /** Alternates arrays and objects to this depth. */
  const nested = (levels: number): string => {
    const openings = Array.from({ length: levels }, (_, level) => (level % 2 === 0 ? '{"a":' : '['));
    const closings = openings.map((opening) => (opening === '[' ? ']' : '}')).reverse();
    return `${openings.join('')}${levels % 2 === 0 ? '' : '0'}${closings.join('')}`;
  };
  const put = async (levels: number) => {
    const { path, keyLine } = await world.newDocument();
    return world.exchange(requestText(`PUT ${path}`, writeLines(keyLine), `{"state":${nested(levels)}}`));
  };

  test('a document of 256 levels is stored and returned', async () => {
    const answer = await put(256);
    expect(answer.status).toBe(200);
    expect(answer.body.toString()).toContain(`"state":${nested(256)}`);
  });

  test.each([257, 1_000, 100_000])('400 for %i levels', async (levels) => {
    expectRefusal(await put(levels), 400, 'validation_error');
  });

  test('400 for 100,000 levels, closed or not', async () => {
    for (const text of ['['.repeat(100_000), '{"a":'.repeat(100_000), `${'['.repeat(100_000)}${']'.repeat(100_000)}`]) {
      const answer = await world.exchange(requestText(`PUT ${world.statePath}`, writeLines(world.keyLine), text));
      expectRefusal(answer, 400, 'validation_error');
    }
  });

  test('a patch cannot exceed the depth of a document', async () => {
    const { path, keyLine } = await world.newDocument();
    await world.exchange(requestText(`PUT ${path}`, writeLines(keyLine), `{"state":${nested(256)}}`));
    const pointer = Array.from({ length: 256 }, (_, level) => (level % 2 === 0 ? '/a' : '/0')).join('');
    const parent = pointer.slice(0, pointer.lastIndexOf('/'));
    const ops = JSON.stringify({ ops: [{ op: 'add', path: `${parent}/-`, value: [] }] });
    const answer = await world.exchange(requestText(`PATCH ${path}`, [keyLine, jsonLine, 'If-Match: "1"'], ops));
    expect(answer.status).toBe(400);
    const read = await world.exchange(requestText(`GET ${path}`, [keyLine]));
    expect(read.headers.get('etag')).toBe('"1"');
  });
});
