import { type JsonObject, parseJson } from '@holdfast/json';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSame, merge3, pathName } from './merge3.ts';

const none = new Map<string, 'theirs' | 'mine'>();
const merged = (base: JsonObject, theirs: JsonObject, mine: JsonObject) => {
  const merge = merge3(base, theirs, mine);
  return { document: merge.build(none), conflicts: merge.conflicts.map(({ path }) => pathName(path)) };
};
const documents = fc.dictionary(
  fc.constantFrom('a', 'b', 'c'),
  fc.oneof(fc.integer({ min: 0, max: 2 }), fc.dictionary(fc.constantFrom('x', 'y'), fc.integer({ min: 0, max: 2 }))),
) as fc.Arbitrary<JsonObject>;

describe('a merge of two documents', () => {
  it('keeps the changes of both sides if they do not overlap', () => {
    const base = { gold: 1, shop: { sword: 5, bow: 7 }, tags: ['a'] };
    const theirs = { gold: 2, shop: { sword: 5, bow: 7 }, tags: ['a', 't'] };
    const mine = { gold: 1, shop: { sword: 6 }, tags: ['a', 'm'], news: true };
    expect(merged(base, theirs, mine)).toEqual({
      document: { gold: 2, shop: { sword: 6 }, tags: ['a', 't', 'm'], news: true },
      conflicts: [],
    });
  });

  it('reports a conflict only for values that both sides changed', () => {
    const merge = merge3({ a: { x: 1, y: 1 } }, { a: { x: 2, y: 1 } }, { a: { x: 3, y: 4 } });
    expect(merge.conflicts).toEqual([{ path: ['a', 'x'], base: 1, theirs: 2, mine: 3 }]);
    expect(merge.build(new Map([['/a/x', 'theirs']]))).toEqual({ a: { x: 2, y: 4 } });
    expect(merge.build(none)).toEqual({ a: { x: 3, y: 4 } });
  });

  it('reports a conflict if one side removed a value that the other changed', () => {
    const { conflicts } = merge3({ a: 1 }, {}, { a: 2 });
    expect(conflicts).toEqual([{ path: ['a'], base: 1, theirs: undefined, mine: 2 }]);
  });

  it('distinguishes numbers that a double cannot', () => {
    const number = (digits: string) => parseJson(`{"n":${digits}}`) as JsonObject;
    const [base, theirs] = [number('9007199254740992'), number('9007199254740993')];
    expect(isSame(base, theirs)).toBe(false);
    expect(isSame(merge3(base, theirs, base).build(none), theirs)).toBe(true);
  });

  it('treats __proto__ as an ordinary member', () => {
    const mine = parseJson('{"__proto__":{"a":1}}') as JsonObject;
    expect(isSame(merge3({}, { b: 1 }, mine).build(none), parseJson('{"b":1,"__proto__":{"a":1}}'))).toBe(true);
  });

  it('gives the changed side if only one changed, and the same result in either order', () => {
    fc.assert(
      fc.property(documents, documents, documents, (base, one, other) => {
        expect(isSame(merge3(base, one, base).build(none), one)).toBe(true);
        expect(isSame(merge3(base, base, one).build(none), one)).toBe(true);
        const [there, back] = [merge3(base, one, other), merge3(base, other, one)];
        expect(there.conflicts.length).toBe(back.conflicts.length);
        if (there.conflicts.length === 0) expect(isSame(there.build(none), back.build(none))).toBe(true);
      }),
    );
  });
});
