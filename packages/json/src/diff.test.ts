import { describe, expect, test } from 'vitest';
import { diff } from './diff.ts';
import { applyOperations } from './patch.ts';
import type { JsonObject, JsonValue } from './text.ts';
import { parseJson, printJson } from './text.ts';

/** Returns the operations between two texts, as text. */
function patchBetween(from: string, to: string): string {
  return printJson(diff(parseJson(from) as JsonObject, parseJson(to) as JsonObject) as unknown as JsonValue);
}

/** So long that replacing the surrounding container is never shorter. */
const rest = `"rest":"${'x'.repeat(200)}"`;

function within(member: string): string {
  return `{"in":{${member ? `${member},` : ''}${rest}},${rest}}`;
}

describe('diff', () => {
  test.each([
    ['an added member', '', '"a":1', [{ op: 'add', path: '/in/a', value: 1 }]],
    ['a removed member', '"a":1', '', [{ op: 'remove', path: '/in/a' }]],
    ['a changed value', '"a":1', '"a":"1"', [{ op: 'replace', path: '/in/a', value: '1' }]],
    ['null instead of a missing member', '', '"a":null', [{ op: 'add', path: '/in/a', value: null }]],
    ['an object instead of an array', '"a":[]', '"a":{}', [{ op: 'replace', path: '/in/a', value: {} }]],
    ['an object instead of a number', '"a":1', '"a":{}', [{ op: 'replace', path: '/in/a', value: {} }]],
    ['an object that was null', '"a":null', '"a":{}', [{ op: 'replace', path: '/in/a', value: {} }]],
    ['a name with slash and tilde', '', '"/~":1', [{ op: 'add', path: '/in/~1~0', value: 1 }]],
    ['an empty name', '"":1', '"":2', [{ op: 'replace', path: '/in/', value: 2 }]],
    [
      'half a surrogate pair',
      '"\ud800":1',
      '"\ud801":1',
      [
        { op: 'add', path: '/in/\ud801', value: 1 },
        { op: 'remove', path: '/in/\ud800' },
      ],
    ],
  ])('%s', (_, from, to, operations) => {
    expect(patchBetween(within(from), within(to))).toBe(JSON.stringify(operations));
  });

  test.each([
    ['equal documents', '{"a":[1,{"b":null}],"c":"x"}', '{"a":[1,{"b":null}],"c":"x"}'],
    ['members in a different order', '{"a":1,"b":{"c":1,"d":2}}', '{"b":{"d":2,"c":1},"a":1}'],
    ['numbers with the same digits', '{"a":1.0,"b":9007199254740993,"c":-0}', '{"a":1e0,"b":9007199254740993,"c":-0}'],
    ['the last of several members with the same name', '{"a":1,"a":2}', '{"a":2}'],
  ])('%s need no operations', (_, from, to) => {
    expect(patchBetween(from, to)).toBe('[]');
  });

  test.each([
    ['9007199254740993', '9007199254740992'],
    ['9007199254740993', '9007199254740995'],
    ['1e400', '10e399'],
    ['0', '-0'],
    ['0.1', '0.10000000000000000001'],
  ])('%s is a different number than %s', (from, to) => {
    expect(patchBetween(within(`"a":${from}`), within(`"a":${to}`))).toBe(
      `[{"op":"replace","path":"/in/a","value":${to}}]`,
    );
    // Even if elements are only compared.
    const patch = patchBetween(`{"a":[1,${from},${rest.slice(7)}]}`, `{"a":[${to},${rest.slice(7)}]}`);
    expect(patch).toBe(`[{"op":"replace","path":"/a/0","value":${to}},{"op":"remove","path":"/a/1"}]`);
  });

  test('__proto__ is an ordinary name', () => {
    const added = '[{"op":"add","path":"/in/__proto__","value":{"a":1}}]';
    expect(patchBetween(within(''), within('"__proto__":{"a":1}'))).toBe(added);
    const from = parseJson(within('"toString":1,"__proto__":{"a":1}')) as JsonObject;
    const to = parseJson(within('"toString":1,"__proto__":{"a":2}')) as JsonObject;
    const operations = diff(from, to);
    expect(operations).toEqual([{ op: 'replace', path: '/in/__proto__/a', value: 2 }]);
    const result = applyOperations(from, operations);
    expect(result.kind === 'patched' && printJson(result.document)).toBe(printJson(to));
    const inArray = '[{"op":"replace","path":"/in/a","value":[{"b":0}]}]';
    expect(patchBetween(within('"a":[1,{"__proto__":{}}]'), within('"a":[{"b":0}]'))).toBe(inArray);
  });

  describe('of arrays', () => {
    const element = (id: number) => ({ id, text: 'x'.repeat(60) });
    const elements = [1, 2, 3, 4, 5, 6].map(element);
    const between = (to: readonly unknown[], from: readonly unknown[] = elements) =>
      diff({ list: from } as JsonObject, { list: to } as JsonObject);

    test('adds at the front, in the middle and at the end', () => {
      const added = (index: number) => [{ op: 'add', path: `/list/${index}`, value: element(9) }];
      for (const index of [0, 3, 6]) expect(between(elements.toSpliced(index, 0, element(9)))).toEqual(added(index));
    });

    test('adds one by one, in order', () => {
      expect(between(elements.toSpliced(2, 0, element(8), element(9)))).toEqual([
        { op: 'add', path: '/list/2', value: element(8) },
        { op: 'add', path: '/list/3', value: element(9) },
      ]);
    });

    test('removes from the end, so that no index moves', () => {
      expect(between(elements.toSpliced(1, 2))).toEqual([
        { op: 'remove', path: '/list/2' },
        { op: 'remove', path: '/list/1' },
      ]);
    });

    test('reports a change of an element at its index, beside a removed one', () => {
      expect(between([element(1), { ...element(2), id: 0 }, element(5), element(6)])).toEqual([
        { op: 'replace', path: '/list/1/id', value: 0 },
        { op: 'remove', path: '/list/3' },
        { op: 'remove', path: '/list/2' },
      ]);
    });

    test('counts no common element for both ends', () => {
      expect(between([1, 1, 1, 1], [1, 1, 1])).toEqual([{ op: 'add', path: '/list/3', value: 1 }]);
      expect(between([1, 2, 1], [1, 2, 1, 2, 1])).toEqual([{ op: 'replace', path: '/list', value: [1, 2, 1] }]);
    });
  });

  test('replaces the container of many changes if that is shorter, and the root at most', () => {
    const changed = '[{"op":"replace","path":"/in/a","value":{"b":3,"c":4}}]';
    expect(patchBetween(within('"a":{"b":1,"c":2}'), within('"a":{"b":3,"c":4}'))).toBe(changed);
    expect(patchBetween('{"a":1,"b":2}', '{"c":1}')).toBe('[{"op":"replace","path":"","value":{"c":1}}]');
    expect(patchBetween('{"a":1,"b":2}', '{}')).toBe('[{"op":"replace","path":"","value":{}}]');
  });

  test('shares values with the new document and changes neither', () => {
    const value = Object.freeze({ a: Object.freeze([1]) });
    const [operation] = diff(Object.freeze({ rest }), Object.freeze({ rest, value }));
    expect(operation).toEqual({ op: 'add', path: '/value', value: { a: [1] } });
    expect(operation?.op === 'add' && operation.value).toBe(value);
  });
});

/** Returns `levels` nested arrays, the innermost around `inside`; `wrap` makes each of the others. */
function nested(levels: number, inside: JsonValue, wrap: (inner: JsonValue) => JsonValue): JsonObject {
  let value = inside;
  for (let level = 0; level < levels; level++) value = wrap(value);
  return { value };
}

describe('the bounds of diff', () => {
  test('documents of 256 levels are compared, deeper ones refused', () => {
    const from = nested(255, 1, (inner) => [inner]);
    const operations = diff(
      from,
      nested(255, 2, (inner) => [inner]),
    );
    expect(operations).toEqual([{ op: 'replace', path: `/value${'/0'.repeat(255)}`, value: 2 }]);
    for (const levels of [256, 100_000]) {
      const deeper = (inside: number) => nested(levels, inside, (inner) => [inner]);
      expect(() => diff(deeper(1), deeper(2)), `${levels}`).toThrow(RangeError);
      const atEnd = (...before: number[]) => ({ list: [...before, deeper(1)] });
      expect(() => diff(atEnd(1, 2), atEnd(2)), `${levels}, at the end of an array`).toThrow(RangeError);
    }
  });

  /** Returns the value, and the number of lookups in it since. */
  function counted(value: JsonObject): { value: JsonObject; lookups: () => number } {
    let lookups = 0;
    const watch = <Value extends JsonValue>(one: Value): Value => {
      if (typeof one !== 'object' || one === null) return one;
      const copy = (Array.isArray(one) ? one.map(watch) : mapMembers(one as JsonObject, watch)) as object;
      const handler: ProxyHandler<object> = {};
      for (const trap of ['get', 'ownKeys', 'getOwnPropertyDescriptor'] as const) {
        // biome-ignore lint/suspicious/noExplicitAny: the three traps take different arguments
        handler[trap] = (...args: any[]) => {
          lookups++;
          return (Reflect[trap] as (...args: unknown[]) => never)(...args);
        };
      }
      return new Proxy(copy, handler) as Value;
    };
    return { value: watch(value), lookups: () => lookups };
  }

  function mapMembers(object: JsonObject, map: (value: JsonValue) => JsonValue): JsonObject {
    return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));
  }

  const pad = Array.from({ length: 20 }, () => 1);
  test.each<[string, (levels: number) => readonly [JsonObject, JsonObject]]>([
    [
      'the difference follows many equal items',
      (levels) => {
        const wrap = (inner: JsonValue) => [pad, { pad, inner }];
        return [nested(levels, 1, wrap), nested(levels, 2, wrap)];
      },
    ],
    [
      'arrays of different lengths differ only at the end',
      (levels) => {
        const wrap = (inner: JsonValue) => [pad, { pad, inner }];
        return [nested(levels, 1, wrap), nested(levels, 2, (inner) => [0, ...wrap(inner)])];
      },
    ],
    [
      'every level gains a near copy of its first element',
      (levels) => {
        let from: JsonValue = [1];
        let to: JsonValue = [2];
        for (let level = 0; level < levels; level++) [from, to] = [[from], [to, from]];
        return [{ from }, { from: to }];
      },
    ],
    [
      'every level loses a near copy of its first element',
      (levels) => {
        let from: JsonValue = [1];
        let to: JsonValue = [2];
        for (let level = 0; level < levels; level++) [from, to] = [[from, to], [to]];
        return [{ from }, { from: to }];
      },
    ],
    [
      'every level ends like the previous one',
      (levels) => {
        let from: JsonValue = [pad, 1];
        let to: JsonValue = [pad, 2];
        for (let level = 0; level < levels; level++)
          [from, to] = [
            [pad, from, [pad, level]],
            [pad, to],
          ];
        return [{ from }, { from: to }];
      },
    ],
  ])('are linear where %s', (_, documents) => {
    const lookupsPerCharacter = [25, 100].map((levels) => {
      const [from, to] = documents(levels).map(counted) as [ReturnType<typeof counted>, ReturnType<typeof counted>];
      const characters = printJson(documents(levels) as unknown as JsonValue).length;
      diff(from.value, to.value);
      return (from.lookups() + to.lookups()) / characters;
    }) as [number, number];
    expect(lookupsPerCharacter[1]).toBeLessThan(lookupsPerCharacter[0] * 1.5);
    expect(lookupsPerCharacter[1]).toBeLessThan(10);
  });
});
