import { describe, expect, test } from 'vitest';
import { StoreFault } from '../contract/errors.ts';
import { toApiKey } from './api-key-rows.ts';
import {
  bytesAt,
  decodedTextAt,
  integerAt,
  jsonAt,
  optionalBytesAt,
  optionalDecodedTextAt,
  optionalIntegerAt,
  optionalTextAt,
  textAt,
  wordAt,
  wordsAt,
} from './columns.ts';
import { environmentAt } from './environment-numbers.ts';
import { encodeText } from './stored-texts.ts';

const words = ['read', 'write'] as const;

describe('the columns of a row', () => {
  test('have the requested type', () => {
    const row = {
      text: 'a',
      integer: -1,
      bytes: Buffer.of(1),
      nothing: null,
      word: 'read',
      words: 'write,read',
      json: '{"a":1}',
      name: encodeText('a\u0000'),
    };
    expect([textAt(row, 'text'), integerAt(row, 'integer'), bytesAt(row, 'bytes')]).toEqual(['a', -1, Buffer.of(1)]);
    expect([decodedTextAt(row, 'name'), optionalDecodedTextAt(row, 'name')]).toEqual(['a\u0000', 'a\u0000']);
    expect([optionalTextAt(row, 'text'), optionalIntegerAt(row, 'integer')]).toEqual(['a', -1]);
    expect(
      [optionalTextAt, optionalDecodedTextAt, optionalIntegerAt, optionalBytesAt].map((read) => read(row, 'nothing')),
    ).toEqual([null, null, null, null]);
    expect([wordAt(row, 'word', words), wordsAt(row, 'words', words), jsonAt(row, 'json')]).toEqual([
      'read',
      ['write', 'read'],
      { a: 1 },
    ]);
  });

  test.each([
    ['text is null', () => textAt({ slug: null }, 'slug'), 'column slug is null, not text'],
    [
      'a number is a string',
      () => integerAt({ version: 'secret' }, 'version'),
      'column version is string, not a safe integer',
    ],
    [
      'a number is a fraction',
      () => integerAt({ version: 1.5 }, 'version'),
      'column version is number, not a safe integer',
    ],
    [
      'a number is too large',
      () => integerAt({ version: 2 ** 53 }, 'version'),
      'column version is number, not a safe integer',
    ],
    ['bytes are a string', () => bytesAt({ hash: 'secret' }, 'hash'), 'column hash is string, not bytes'],
    ['a column is missing', () => optionalTextAt({}, 'name'), 'column name is undefined, not text'],
    ['a word is unknown', () => wordAt({ kind: 'secret' }, 'kind', words), 'column kind is string, not one of read, write'],
    [
      'one of the words is unknown',
      () => wordsAt({ kind: 'read,secret' }, 'kind', words),
      'column kind is string, not one of read, write',
    ],
    ['an encoded text is null', () => decodedTextAt({ name: null }, 'name'), 'column name is null, not text'],
    ['an encoded text is a number', () => decodedTextAt({ name: '5' }, 'name'), 'column name is string, not text as JSON'],
    ['an encoded text is no JSON', () => decodedTextAt({ name: 'secret' }, 'name'), 'column name is string, not JSON'],
    [
      'an environment is unknown',
      () => environmentAt({ environment: 3 }),
      'column environment is number, not the number of an environment',
    ],
    ['a string is not JSON', () => jsonAt({ settings: '{secret' }, 'settings'), 'column settings is string, not JSON'],
  ])('%s: a fault names the column but not the value', (_, read, message) => {
    expect(read).toThrow(StoreFault);
    expect(read).toThrow(expect.objectContaining({ cause: new Error(message) }));
    expect(read).not.toThrow(/secret/);
  });

  test('a row with a wrong type is not a record', () => {
    const names = { account_id: 'acc_1', slug: 's', key_id: 'k', name: '"n"', start: 'sk' };
    const words = { kind: 'secret', access: 'read', environments: 'staging' };
    const times = { created_at: 1, last_used_at: null, expires_at: null };
    const key = { ...names, ...words, ...times, requests_per_minute_max: null };
    expect(toApiKey(key).slug).toBe('s');
    expect(() => toApiKey({ ...key, created_at: '1' })).toThrow(StoreFault);
    expect(() => toApiKey({ ...key, kind: 'other' })).toThrow(StoreFault);
  });
});
