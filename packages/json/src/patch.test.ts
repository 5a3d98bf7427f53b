import { describe, expect, test } from 'vitest';
import { diceOf } from './cases.oracle.ts';
import { applyOperations } from './patch.ts';
import { type PatchOperation, readOperations } from './read-operations.ts';
import type { JsonObject, JsonValue } from './text.ts';
import { parseJson, printJson } from './text.ts';

function operationsOf(...ops: object[]): PatchOperation[] {
  const operations = readOperations(ops);
  if ('kind' in operations) throw new Error(operations.message);
  return operations;
}

/** The result as text, or the failure. */
function patch(document: string, ...ops: object[]) {
  const result = applyOperations(parseJson(document) as JsonObject, operationsOf(...ops));
  return result.kind === 'patched' ? printJson(result.document) : result;
}

function add(path: string, value: unknown = 9) {
  return { op: 'add', path, value };
}

function remove(path: string) {
  return { op: 'remove', path };
}

function replace(path: string, value: unknown = 9) {
  return { op: 'replace', path, value };
}

describe('readOperations', () => {
  test.each([
    [undefined, '"ops" is missing'],
    [null, '"ops" is not an array'],
    [{}, '"ops" is not an array'],
    ['add', '"ops" is not an array'],
    [[], '"ops" is empty'],
  ])('ops %j is patch_invalid and names no operation', (ops, fault) => {
    const message = `cannot read the patch: ${fault}`;
    expect(readOperations(ops)).toEqual({ kind: 'failure', code: 'patch_invalid', operation: null, message });
  });

  test.each([
    ['null', 'patch_invalid', 'it is not an object'],
    ['"add"', 'patch_invalid', 'it is not an object'],
    ['[]', 'patch_invalid', 'it is not an object'],
    ['1e400', 'patch_invalid', 'it is not an object'],
    ['{}', 'patch_unsupported_operation', '"op" is missing'],
    ['{"op":null,"path":1}', 'patch_unsupported_operation', '"op" is not a string'],
    ['{"op":["add"],"path":""}', 'patch_unsupported_operation', '"op" is not a string'],
    ['{"op":1e400,"path":""}', 'patch_unsupported_operation', '"op" is not a string'],
    ['{"op":"Add","path":"x"}', 'patch_unsupported_operation', '"op" is "Add", not "add", "remove" or "replace"'],
    ['{"op":"test","path":"x"}', 'patch_unsupported_operation', '"op" is "test", not "add", "remove" or "replace"'],
    ['{"op":"toString","path":"x"}', 'patch_unsupported_operation', '"op" is "toString", not "add", "remove" or "replace"'],
    ['{"__proto__":{"op":"remove"},"path":"/a"}', 'patch_unsupported_operation', '"op" is missing'],
    ['{"op":"add"}', 'patch_invalid_path', '"path" is missing'],
    ['{"op":"add","path":null}', 'patch_invalid_path', '"path" is not a string'],
    ['{"op":"add","path":["a"]}', 'patch_invalid_path', '"path" is not a string'],
    ['{"op":"add","path":1e400}', 'patch_invalid_path', '"path" is not a string'],
    ['{"op":"add","path":"a"}', 'patch_invalid_path', '"path" "a" does not begin with "/"'],
    ['{"op":"add","path":"~0/a"}', 'patch_invalid_path', '"path" "~0/a" does not begin with "/"'],
    ['{"op":"add","path":"/~"}', 'patch_invalid_path', '"path" "/~" has a "~" that is not "~0" or "~1"'],
    ['{"op":"remove","path":"/a~2b"}', 'patch_invalid_path', '"path" "/a~2b" has a "~" that is not "~0" or "~1"'],
    ['{"op":"remove","path":"/~0~"}', 'patch_invalid_path', '"path" "/~0~" has a "~" that is not "~0" or "~1"'],
    ['{"op":"remove","path":"/~~0"}', 'patch_invalid_path', '"path" "/~~0" has a "~" that is not "~0" or "~1"'],
    ['{"op":"add","path":"/a"}', 'patch_missing_value', '"add" needs a "value"'],
    ['{"op":"replace","path":""}', 'patch_missing_value', '"replace" needs a "value"'],
    ['{"op":"add","path":"/a","__proto__":{"value":1}}', 'patch_missing_value', '"add" needs a "value"'],
    ['{"op":"remove","path":""}', 'patch_invalid', 'the root cannot be removed'],
  ])('%s is %s', (operation, code, fault) => {
    const ops = parseJson(`[{"op":"remove","path":"/a"},${operation},null]`);
    expect(readOperations(ops)).toEqual({
      kind: 'failure',
      code,
      operation: 1,
      message: `cannot read operation 1: ${fault}`,
    });
  });

  test('the first operation at fault is reported, whatever follows', () => {
    const missingValue = { op: 'add', path: '/a' };
    const badOp = { op: 'x' };
    expect(readOperations([missingValue, badOp])).toMatchObject({ code: 'patch_missing_value', operation: 0 });
    expect(readOperations([badOp, missingValue])).toMatchObject({ code: 'patch_unsupported_operation', operation: 0 });
  });

  test('null, false, 0 and the empty string are values; unknown members are ignored', () => {
    for (const value of [null, false, 0, '']) {
      expect(operationsOf({ op: 'add', path: '/a', value, from: '/b', x: 1 })).toEqual([{ op: 'add', path: '/a', value }]);
    }
    expect(operationsOf({ ...remove('/a'), value: 1, from: 7 })).toEqual([{ op: 'remove', path: '/a' }]);
  });

  test('inherited members count as absent', () => {
    const inherited = Object.create({ op: 'add', path: '/a', value: 1 });
    expect(readOperations([inherited])).toMatchObject({ code: 'patch_unsupported_operation' });
    inherited.op = 'add';
    expect(readOperations([inherited])).toMatchObject({ code: 'patch_invalid_path' });
    inherited.path = '/a';
    expect(readOperations([inherited])).toMatchObject({ code: 'patch_missing_value' });
  });

  test('a long path is shortened in messages', () => {
    const result = readOperations([{ op: 'add', path: 'x'.repeat(100_000), value: 1 }]);
    expect('kind' in result && result.message.length).toBeLessThan(200);
  });

  test('a pointer of two million segments takes no time', () => {
    const [operation] = operationsOf(remove('/a'.repeat(1_000_000))) as [PatchOperation];
    expect(applyOperations({}, [operation])).toMatchObject({ code: 'patch_path_not_found' });
  });
});

describe('applyOperations: results', () => {
  test.each([
    ['add creates a member', '{"a":1}', [add('/b', null)], '{"a":1,"b":null}'],
    ['add replaces a member in place', '{"a":1,"b":2}', [add('/a', [])], '{"a":[],"b":2}'],
    ['add appends with -', '{"a":[1]}', [add('/a/-', 2)], '{"a":[1,2]}'],
    ['add appends at the length', '{"a":[1]}', [add('/a/1', 2)], '{"a":[1,2]}'],
    ['add inserts before an index', '{"a":[1,3]}', [add('/a/1', 2), add('/a/0', 0)], '{"a":[0,1,2,3]}'],
    ['add fills an empty array', '{"a":[]}', [add('/a/0', 2), add('/a/-', 3)], '{"a":[2,3]}'],
    ['add replaces the root', '{"a":1}', [add('', { b: 2 })], '{"b":2}'],
    ['replace replaces the root', '{"a":1}', [replace('', {})], '{}'],
    ['replace replaces a member', '{"a":{"b":1}}', [replace('/a/b', 2)], '{"a":{"b":2}}'],
    ['replace replaces an element', '{"a":[1,2]}', [replace('/a/1', 3)], '{"a":[1,3]}'],
    ['remove removes a member', '{"a":1,"b":2}', [remove('/a')], '{"b":2}'],
    ['remove removes an element', '{"a":[1,2,3]}', [remove('/a/1'), remove('/a/1')], '{"a":[1]}'],
    ['an empty name is a name', '{"":{"":1}}', [replace('//', 2)], '{"":{"":2}}'],
    ['~0 and ~1 stand for ~ and /', '{"~":1,"/":2,"~1":3}', [remove('/~0'), remove('/~1'), remove('/~01')], '{}'],
    ['- and 01 are names in objects', '{"a":{}}', [add('/a/-', 1), add('/a/01', 2), remove('/a/-')], '{"a":{"01":2}}'],
    ['an index is a name in an object', '{"0":1}', [replace('/0', 2)], '{"0":2}'],
    [
      'the root may have any type between operations',
      '{"a":1}',
      [replace('', 5), add('', [1]), add('', { b: 1 })],
      '{"b":1}',
    ],
    ['an added value can be changed', '{}', [add('/a', { b: [1] }), add('/a/b/-', 2), remove('/a/b/0')], '{"a":{"b":[2]}}'],
    ['members of __proto__', '{"__proto__":{"a":1}}', [add('/__proto__/b', 2)], '{"__proto__":{"a":1,"b":2}}'],
    [
      'a new member __proto__',
      '{"a":{}}',
      [add('/a/__proto__', { x: 1 }), add('/a/y')],
      '{"a":{"__proto__":{"x":1},"y":9}}',
    ],
    ['remove of __proto__', '{"__proto__":1,"a":1}', [remove('/__proto__')], '{"a":1}'],
    [
      'a new member toString',
      '{}',
      [add('/toString', 1), add('/constructor', {}), add('/constructor/a', 1)],
      '{"toString":1,"constructor":{"a":1}}',
    ],
  ])('%s', (_, document, ops, expected) => {
    expect(patch(document, ...ops)).toBe(expected);
  });

  test('numbers that exceed a double stay unchanged, even in operations', () => {
    const ops = operationsOf(...(parseJson('[{"op":"add","path":"/c","value":[1e400]}]') as object[]));
    const result = applyOperations(parseJson('{"a":9007199254740993,"b":[-0]}') as JsonObject, ops);
    expect(result.kind === 'patched' && printJson(result.document)).toBe('{"a":9007199254740993,"b":[-0],"c":[1e400]}');
  });

  test('the prototype is never touched', () => {
    patch('{"a":{}}', add('/__proto__', { polluted: 1 }), add('/a/__proto__', {}), add('/a/__proto__/polluted', 1));
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('applyOperations: refusals', () => {
  const document = '{"a":{"b":{}},"list":[1,[2],{"x":3}],"s":"text","n":1,"big":1e400,"t":true,"z":null}';

  test.each([
    [replace('/c'), 'patch_path_not_found', 'the root has no member "c"'],
    [remove('/a/b/c'), 'patch_path_not_found', '"/a/b" has no member "c"'],
    [add('/a/c/d'), 'patch_path_not_found', '"/a" has no member "c"'],
    [replace('/a/toString'), 'patch_path_not_found', '"/a" has no member "toString"'],
    [remove('/a/__proto__'), 'patch_path_not_found', '"/a" has no member "__proto__"'],
    [add('/constructor/x'), 'patch_path_not_found', 'the root has no member "constructor"'],
    [remove('/list/2/~0~1'), 'patch_path_not_found', '"/list/2" has no member "~/"'],
    [add('/s/x'), 'patch_path_untraversable', '"/s" is neither an object nor an array'],
    [replace('/s/0'), 'patch_path_untraversable', '"/s" is neither an object nor an array'],
    [remove('/s/length'), 'patch_path_untraversable', '"/s" is neither an object nor an array'],
    [add('/n/-'), 'patch_path_untraversable', '"/n" is neither an object nor an array'],
    [add('/big/rawJSON'), 'patch_path_untraversable', '"/big" is neither an object nor an array'],
    [add('/t/x/y'), 'patch_path_untraversable', '"/t" is neither an object nor an array'],
    [remove('/z/x'), 'patch_path_untraversable', '"/z" is neither an object nor an array'],
    [add('/list/0/x'), 'patch_path_untraversable', '"/list/0" is neither an object nor an array'],
    [add('/list/4'), 'patch_invalid_array_index', 'index 4 is out of range, "/list" has length 3'],
    [replace('/list/3'), 'patch_invalid_array_index', 'index 3 is out of range, "/list" has length 3'],
    [remove('/list/3'), 'patch_invalid_array_index', 'index 3 is out of range, "/list" has length 3'],
    [add('/list/3/x'), 'patch_invalid_array_index', 'index 3 is out of range, "/list" has length 3'],
    [add('/list/1/2'), 'patch_invalid_array_index', 'index 2 is out of range, "/list/1" has length 1'],
    [add('/list/99999999999999999999'), 'patch_invalid_array_index', 'index 99999999999999999999 is out of range'],
    [replace('/list/-'), 'patch_invalid_array_index', '"/list" is an array and "-" is not a valid index'],
    [remove('/list/-'), 'patch_invalid_array_index', '"/list" is an array and "-" is not a valid index'],
    [add('/list/-/x'), 'patch_invalid_array_index', '"/list" is an array and "-" is not a valid index'],
    [add('/list/01'), 'patch_invalid_array_index', '"/list" is an array and "01" is not a valid index'],
    [add('/list/-1'), 'patch_invalid_array_index', '"/list" is an array and "-1" is not a valid index'],
    [add('/list/+1'), 'patch_invalid_array_index', '"/list" is an array and "+1" is not a valid index'],
    [add('/list/1e0'), 'patch_invalid_array_index', '"/list" is an array and "1e0" is not a valid index'],
    [add('/list/1.0'), 'patch_invalid_array_index', '"/list" is an array and "1.0" is not a valid index'],
    [add('/list/ 1'), 'patch_invalid_array_index', '"/list" is an array and " 1" is not a valid index'],
    [add('/list/1\n'), 'patch_invalid_array_index', '"/list" is an array and "1\\n" is not a valid index'],
    [add('/list/１'), 'patch_invalid_array_index', '"/list" is an array and "１" is not a valid index'],
    [add('/list/'), 'patch_invalid_array_index', '"/list" is an array and "" is not a valid index'],
    [replace('/list/length'), 'patch_invalid_array_index', '"/list" is an array and "length" is not a valid index'],
    [remove('/list/length/x'), 'patch_invalid_array_index', '"/list" is an array and "length" is not a valid index'],
  ])('%j is %s', (operation, code, fault) => {
    const result = patch(document, add('/list/2/y'), operation, remove('/nowhere'));
    expect(result).toMatchObject({ kind: 'failure', code, operation: 1 });
    expect(typeof result === 'object' && result.message).toContain(`cannot apply operation 1: ${fault}`);
  });

  test.each(['5', '"x"', 'null', 'true', '[1]', '1e400'])(
    'a path below the root %s is patch_invalid_state_root',
    (root) => {
      const value = parseJson(root);
      for (const operation of [add('/0'), replace('/0'), remove('/0'), add('/-'), add('/a/b')]) {
        expect(patch('{}', replace('', value), operation)).toMatchObject({
          code: 'patch_invalid_state_root',
          operation: 1,
        });
      }
    },
  );

  test.each(['5', '"x"', 'null', 'true', '[1]', '1e400'])('the root %s as a result is patch_invalid_state_root', (root) => {
    expect(patch('{}', add('/a'), replace('', parseJson(root)))).toEqual({
      kind: 'failure',
      code: 'patch_invalid_state_root',
      operation: 1,
      message: 'cannot apply operation 1: the resulting root is not an object',
    });
  });

  test('a result nested deeper than 256 is validation_error, but an intermediate one is allowed', () => {
    const nested = (levels: number): JsonValue => parseJson('['.repeat(levels) + ']'.repeat(levels));
    const deep = { op: 'add', path: '/a/b', value: nested(254) };
    expect(patch('{"a":{}}', deep)).toBe(`{"a":{"b":${printJson(nested(254))}}}`);
    const deeper = { op: 'add', path: '/a/b', value: nested(255) };
    const failure = { kind: 'failure', code: 'validation_error', operation: null };
    const message = 'cannot apply the patch: the result is nested deeper than 256 levels';
    expect(patch('{"a":{}}', deeper)).toEqual({ ...failure, message });
    expect(patch('{"a":{}}', deeper, remove('/a/b'))).toBe('{"a":{}}');
    expect(patch('{"a":{}}', deeper, replace('/a', 1))).toBe('{"a":1}');
    expect(patch('{}', { op: 'replace', path: '', value: { a: nested(256) } })).toMatchObject(failure);
    expect(patch('{}', { op: 'replace', path: '', value: { a: nested(255) } })).toBe(`{"a":${printJson(nested(255))}}`);
    expect(
      patch('{"a":{}}', { op: 'add', path: '/a/b', value: nested(254) }, add(`/a/b${'/0'.repeat(253)}/-`, [])),
    ).toMatchObject(failure);
    expect(applyOperations({ a: {} }, operationsOf(add('/a/b', [])), 2)).toEqual({
      ...failure,
      message: 'cannot apply the patch: the result is nested deeper than 2 levels',
    });
  });

  test('a long path is shortened in messages', () => {
    const result = patch(`{"${'x'.repeat(1000)}":{}}`, remove(`/${'x'.repeat(1000)}/${'y'.repeat(1000)}`));
    expect(typeof result === 'object' && result.message.length).toBeLessThan(300);
  });
});

describe('applyOperations leaves unchanged', () => {
  test('the document, even if a later operation fails', () => {
    const document = freeze({ a: { b: [1, { c: 1 }] }, d: {} });
    const text = printJson(document);
    applyOperations(document, operationsOf(add('/a/b/1/c', 2), remove('/d'), add('/a/b/0', 0), remove('/x')));
    expect(printJson(document)).toBe(text);
  });

  test('every untouched part, which is shared, not copied', () => {
    const document: JsonObject = { a: { b: {} }, c: { d: {} } };
    const result = applyOperations(document, operationsOf(add('/a/x', 1)));
    if (result.kind !== 'patched') throw new Error(result.message);
    expect(result.document.c).toBe(document.c);
    expect((result.document.a as JsonObject).b).toBe((document.a as JsonObject).b);
    expect(result.document.a).not.toBe(document.a);
  });

  test('the value of an operation, however often it is used or changed inside', () => {
    const value = freeze({ x: [1] });
    const twice = operationsOf({ op: 'add', path: '/a', value }, add('/a/x/-', 2), { op: 'add', path: '/b', value });
    const operations = [...twice, ...operationsOf(add('/b/x/0', 0), add('/a/y', 1))];
    for (let run = 0; run < 2; run++) {
      const result = applyOperations({}, operations);
      expect(result.kind === 'patched' && printJson(result.document)).toBe('{"a":{"x":[1,2],"y":1},"b":{"x":[0,1]}}');
    }
    const root = freeze({ x: {} }) as JsonObject;
    const rooted = operationsOf({ op: 'add', path: '', value: root }, add('/x/y', 1));
    applyOperations({}, rooted);
    expect(printJson(root)).toBe('{"x":{}}');
  });
});

describe('large arrays', () => {
  test('changed at many indexes give the same result as small steps', () => {
    const dice = diceOf(7);
    const model = Array.from({ length: 6000 }, (_, i): JsonValue => (i % 3 ? i : [i]));
    const document = freeze({ deep: [model, model.slice()] }) as JsonObject;
    const expected = structuredClone(model) as unknown[];
    const ops: object[] = [];
    for (let i = 0; i < 4000; i++) {
      const at = dice(expected.length);
      const kind = dice(6);
      const element = expected[at];
      if (kind === 0) {
        expected.splice(at, 1);
        ops.push(remove(`/deep/0/${at}`));
      } else if (kind === 1) {
        expected[at] = i;
        ops.push(replace(`/deep/0/${at}`, i));
      } else if (kind === 2 && Array.isArray(element)) {
        element.push(i);
        ops.push(add(`/deep/0/${at}/-`, i));
      } else if (kind === 3) {
        expected.push([i]);
        ops.push(add('/deep/0/-', [i]));
      } else if (kind === 4) {
        expected.pop();
        ops.push(remove(`/deep/0/${expected.length}`));
      } else {
        expected.splice(at, 0, [i]);
        ops.push(add(`/deep/0/${at}`, [i]));
      }
    }
    const result = applyOperations(document, operationsOf(...ops));
    expect(result).toEqual({ kind: 'patched', document: { deep: [expected, model] } });
    const outOfRange = operationsOf(...ops, remove(`/deep/0/${expected.length}`));
    expect(applyOperations(document, outOfRange)).toMatchObject({ code: 'patch_invalid_array_index', operation: 4000 });
  });

  test('50,000 insertions at the front of 100,000 elements take time linear in them', () => {
    const document: JsonObject = { list: Array.from({ length: 100_000 }, (_, i) => i) };
    const operations = operationsOf(...Array.from({ length: 50_000 }, (_, i) => add('/list/0', i)));
    const milliseconds = [1, 2, 3].map(() => {
      const begun = process.threadCpuUsage();
      const result = applyOperations(document, operations);
      const { user, system } = process.threadCpuUsage(begun);
      expect(result.kind === 'patched' && (result.document.list as JsonValue[]).length).toBe(150_000);
      return (user + system) / 1_000;
    });
    // Some 40 ms. Moving the elements for each operation would take 2 s.
    expect(Math.min(...milliseconds)).toBeLessThan(700);
  });
});

function freeze<Value extends object>(value: Value): Value {
  for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) freeze(child);
  return Object.freeze(value);
}
