import { describe, expect, test } from 'vitest';
import { applyOperations } from './patch.ts';
import { type PatchOperation, readOperations } from './read-operations.ts';
import { isQuickPatch, patchText, spliceOperations } from './splice.ts';
import type { JsonObject, JsonValue } from './text.ts';
import { parseJson, printJson } from './text.ts';

function operationsOf(...ops: object[]): PatchOperation[] {
  const operations = readOperations(ops);
  if ('kind' in operations) throw new Error(operations.message);
  return operations;
}

describe('spliceOperations', () => {
  test.each([
    ['the first member', '{"a":1,"b":2,"c":3}', [{ op: 'remove', path: '/a' }], '{"b":2,"c":3}'],
    ['a middle member', '{"a":1,"b":[2,"]"],"c":3}', [{ op: 'remove', path: '/b' }], '{"a":1,"c":3}'],
    ['the last member', '{"a":1,"b":2}', [{ op: 'remove', path: '/b' }], '{"a":1}'],
    ['the only member', '{"a":{"b":1}}', [{ op: 'remove', path: '/a/b' }], '{"a":{}}'],
    [
      'a new member',
      '{"a":{},"b":{"x":1}}',
      [
        { op: 'add', path: '/a/y', value: 1 },
        { op: 'add', path: '/b/y', value: 2 },
      ],
      '{"a":{"y":1},"b":{"x":1,"y":2}}',
    ],
    [
      'elements',
      '{"a":[[],{"x":",]"},"],["]}',
      [
        { op: 'remove', path: '/a/0' },
        { op: 'replace', path: '/a/1', value: [1] },
      ],
      '{"a":[{"x":",]"},[1]]}',
    ],
    [
      'the last element',
      '{"a":[1,2]}',
      [
        { op: 'remove', path: '/a/1' },
        { op: 'remove', path: '/a/0' },
      ],
      '{"a":[]}',
    ],
    [
      'insertions',
      '{"a":[2]}',
      [
        { op: 'add', path: '/a/0', value: 1 },
        { op: 'add', path: '/a/-', value: 3 },
      ],
      '{"a":[1,2,3]}',
    ],
    [
      'elements added to an empty array',
      '{"a":[]}',
      [
        { op: 'add', path: '/a/0', value: '"' },
        { op: 'add', path: '/a/1', value: 3 },
      ],
      '{"a":["\\"",3]}',
    ],
    [
      'names with the same ending',
      '{"xa":1,"a\\"":2,"\\"a":3,"a":4}',
      [{ op: 'replace', path: '/a', value: 5 }],
      '{"xa":1,"a\\"":2,"\\"a":3,"a":5}',
    ],
    [
      'a name that appears earlier as a value',
      '{"x":"a","y":{"a":1},"a":2}',
      [{ op: 'remove', path: '/a' }],
      '{"x":"a","y":{"a":1}}',
    ],
    [
      'names with escapes',
      '{"\\\\":1,"\\ud800":2,"\\u0000":3}',
      [
        { op: 'remove', path: '/\ud800' },
        { op: 'remove', path: '/\\' },
      ],
      '{"\\u0000":3}',
    ],
    [
      'names that look like indexes, kept in place',
      '{"b":1,"10":2,"9":{}}',
      [
        { op: 'add', path: '/1', value: 0 },
        { op: 'add', path: '/9/2', value: 0 },
      ],
      '{"b":1,"10":2,"9":{"2":0},"1":0}',
    ],
    [
      'the root',
      '{"a":1}',
      [
        { op: 'replace', path: '', value: { b: {} } },
        { op: 'add', path: '/b/c', value: null },
      ],
      '{"b":{"c":null}}',
    ],
    [
      'numbers next to the change, kept as written',
      '{"a":1e400,"b":[-0,1],"c":9007199254740993}',
      [{ op: 'remove', path: '/b/0' }],
      '{"a":1e400,"b":[1],"c":9007199254740993}',
    ],
  ])('%s', (_, text, ops, expected) => {
    expect(spliceOperations(text, operationsOf(...ops))).toMatchObject({ kind: 'patched', text: expected });
  });

  test('a value nested too deep is refused only if it stays', () => {
    const value = parseJson('['.repeat(254) + ']'.repeat(254));
    const ops = operationsOf({ op: 'add', path: '/a/b', value: [value] });
    expect(spliceOperations('{"a":{}}', operationsOf({ op: 'add', path: '/a/b', value }))).toMatchObject({
      kind: 'patched',
    });
    expect(spliceOperations('{"a":{}}', ops)).toEqual(applyOperations({ a: {} }, ops));
    expect(spliceOperations('{"a":{}}', ops)).toMatchObject({ code: 'validation_error', operation: null });
    expect(spliceOperations('{"a":{}}', [...ops, ...operationsOf({ op: 'remove', path: '/a' })])).toMatchObject({
      kind: 'patched',
      text: '{}',
    });
  });

  test('a text that is not compact JSON ends in an error, not in a loop', () => {
    for (const text of ['{', '{"a', '{"a":1', '{"a":[1', '{"a":{"b":2', '{"a":"x']) {
      const operations = operationsOf({ op: 'remove', path: '/x' });
      expect(() => spliceOperations(text, operations), text).toThrow('cannot patch the text: it is not compact JSON');
    }
  });
});

describe('patchText', () => {
  const document = { list: Array.from({ length: 20_000 }, (_, i) => i), a: { b: 1 } };
  const text = JSON.stringify(document);

  test.each([1, 8, 9, 40])('%i operations give the same result as on the parsed document', (count) => {
    const ops = operationsOf(
      ...Array.from({ length: count }, (_, i) => ({ op: 'add', path: `/list/${i * 2}`, value: [i] })),
    );
    const expected = applyOperations(parseJson(text) as JsonObject, ops);
    const expectedText = expected.kind === 'patched' ? printJson(expected.document) : expected;
    expect(patchText(text, ops)).toMatchObject({ kind: 'patched', text: expectedText });
    const failing = [...ops, ...operationsOf({ op: 'remove', path: '/a/c' })];
    expect(patchText(text, failing)).toEqual(applyOperations(parseJson(text) as JsonObject, failing));
  });

  test('a patch that creates a document starts with {}', () => {
    expect(patchText('{}', operationsOf({ op: 'add', path: '/a', value: {} }))).toMatchObject({
      kind: 'patched',
      text: '{"a":{}}',
    });
  });

  test('a document that temporarily grows far over any limit is still patched', () => {
    const value: JsonValue = 'x'.repeat(400_000);
    const ops = operationsOf(
      { op: 'add', path: '/x', value },
      { op: 'add', path: '/y', value },
      { op: 'remove', path: '/x' },
    );
    expect(patchText('{}', ops)).toEqual({ kind: 'patched', text: `{"y":"${value}"}` });
  });
});

describe('isQuickPatch', () => {
  const count = (operations: number) => Array.from({ length: operations }, () => ({ op: 'remove', path: '/a' }) as const);

  test.each([
    [1, 256_000, true],
    [4, 256_000, true],
    [5, 256_000, false],
    [8, 100_000, true],
    [9, 100_000, false],
    [9, 65_536, true],
    [2_000, 65_536, true],
  ])('%i operations on %i characters: %s', (operations, characters, expected) => {
    expect(isQuickPatch(' '.repeat(characters), count(operations))).toBe(expected);
  });
});
