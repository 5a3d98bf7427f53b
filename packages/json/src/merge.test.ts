import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diceOf } from './cases.oracle.ts';
import { pairOfDocuments } from './diff.oracle.ts';
import { diff, isSame } from './diff.ts';
import { conflictName, type Merge, type MergeSide, merge3 } from './merge.ts';
import { printModel } from './model.oracle.ts';
import { applyOperations } from './patch.ts';
import { type JsonObject, parseJson } from './text.ts';

const none = new Map<string, 'theirs' | 'mine'>();
const merged = (base: JsonObject, theirs: JsonObject, mine: JsonObject) => {
  const merge = merge3(base, theirs, mine);
  return { document: merge.build(none), conflicts: merge.conflicts.map(({ pointer }) => pointer) };
};
/** Documents with everything that merges treat differently: members, lists of objects with an identity, and lists without. */
const small = fc.integer({ min: 0, max: 2 });
const elements = fc.uniqueArray(fc.record({ id: fc.constantFrom('p', 'q', 'r', 's'), n: small }), {
  selector: ({ id }) => id,
  maxLength: 4,
});
const value = fc.oneof(small, fc.dictionary(fc.constantFrom('x', 'y'), small), fc.array(small, { maxLength: 3 }), elements);
const documents = fc.dictionary(fc.constantFrom('a', 'b', 'c'), value) as fc.Arbitrary<JsonObject>;
/** Sorts all lists of a value. */
const inAnyOrder = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_name, each) =>
    Array.isArray(each) ? each.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)) : each,
  );
const sides = (merge: Merge, side: MergeSide) =>
  new Map(merge.conflicts.map(({ path }) => [conflictName(path), side] as const));
const valueAt = (document: JsonObject, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce((value: unknown, name) => (value as Record<string, unknown>)[name], document);
const list = (...ids: string[]): JsonObject => ({ items: ids.map((id) => ({ id })) });

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
    expect(merge.conflicts).toEqual([{ path: ['a', 'x'], pointer: '/a/x', base: 1, theirs: 2, mine: 3 }]);
    expect(merge.build(new Map([['/a/x', 'theirs']]))).toEqual({ a: { x: 2, y: 4 } });
    expect(merge.build(none)).toEqual({ a: { x: 3, y: 4 } });
  });

  it('reports a conflict if one side removed a value that the other changed', () => {
    const { conflicts } = merge3({ a: 1 }, {}, { a: 2 });
    expect(conflicts).toEqual([{ path: ['a'], pointer: '', base: 1, theirs: undefined, mine: 2 }]);
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

  it('merges lists of objects by their identity, in the order of the side that changed it', () => {
    const item = (id: string, price: number) => ({ id, price });
    const base = { items: [item('a', 1), item('b', 2), item('c', 3)] };
    const theirs = { items: [item('n', 9), item('c', 3), item('a', 1), item('b', 5)] };
    const mine = { items: [item('a', 7), item('c', 3), item('m', 8)] };
    expect(merged(base, theirs, mine)).toEqual({
      document: { items: [item('n', 9), item('c', 3), item('m', 8), item('a', 7)] },
      conflicts: ['/items/3'], // b, which theirs changed and mine removed
    });
    const choice = new Map([['/items/id b', 'theirs' as const]]);
    expect(merge3(base, theirs, mine).build(choice)).toEqual({
      items: [item('n', 9), item('c', 3), item('m', 8), item('a', 7), item('b', 5)],
    });
  });

  it('adds to lists what both sides added, the current one first', () => {
    expect(merged(list('a'), list('a', 't'), list('a', 'm')).document).toEqual(list('a', 't', 'm'));
    expect(merged(list('a', 'b'), list('t', 'a', 'u', 'b'), list('m', 'a', 'n', 'b')).document).toEqual(
      list('t', 'm', 'a', 'u', 'n', 'b'),
    );
    expect(merged(list('a', 'b'), list('a', 't', 'b'), list('b', 'a', 'm')).document).toEqual(list('b', 'a', 't', 'm'));
  });

  it('reports one conflict, of the whole list, if both sides moved its elements differently', () => {
    const [base, theirs, mine] = [list('a', 'b', 'c'), list('c', 'a', 'b'), list('b', 'a', 'c')];
    expect(merged(base, theirs, mine)).toEqual({ document: mine, conflicts: ['/items'] });
    expect(merged(base, theirs, theirs)).toEqual({ document: theirs, conflicts: [] });
  });

  it('identifies elements by the first of id, key, slug and name that differs between all elements of each list', () => {
    const of = (...keys: string[]) => ({ l: keys.map((key) => ({ id: 1, key, name: 'same' })) });
    expect(merged(of('a', 'b'), of('b'), of('a', 'b', 'c'))).toEqual({ document: of('b', 'c'), conflicts: [] });
    const twice = { l: [{ id: 1 }, { id: 1 }] };
    expect(merged(twice, { l: [{ id: 1 }] }, { l: [{ id: 2 }, { id: 1 }] }).conflicts).toEqual(['/l']);
  });

  it('merges other lists by position if none changed its length, and otherwise as a whole', () => {
    expect(merged({ l: [1, 2, 3] }, { l: [1, 5, 3] }, { l: [4, 2, 6] }).document).toEqual({ l: [4, 5, 6] });
    expect(merged({ l: [1, 2] }, { l: [1, 5] }, { l: [2] })).toEqual({ document: { l: [2] }, conflicts: ['/l'] });
    expect(merged({ l: [1] }, { l: [1, 2] }, { l: [1, 2] })).toEqual({ document: { l: [1, 2] }, conflicts: [] });
    expect(merged({}, { l: [1] }, { l: [2] }).conflicts).toEqual(['/l']);
  });

  it('points to the nearest container of what is missing in the current document', () => {
    const document = (shop: JsonObject) => ({ 'a/b': [0, shop] });
    const base = document({ items: { x: { y: 1 } } });
    const mine = document({ items: { x: { y: 2 } } });
    expect(merge3(base, document({}), mine).conflicts).toMatchObject([
      { pointer: '/a~1b/1', path: ['a/b', '1', 'items'], theirs: undefined },
    ]);
  });

  it('points no further than 2048 characters, and repeats no long name for each conflict below it', () => {
    const name = '~'.repeat(100_000);
    const members = (value: number) =>
      Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [`m${index}`, value]));
    const document = (value: number) => ({ a: { [name]: members(value) } });
    // Written out, the pointers would take 800 MB.
    const merge = merge3(document(1), document(2), document(3));
    expect(merge.conflicts).toHaveLength(4_000);
    expect(new Set(merge.conflicts.map(({ pointer }) => pointer))).toEqual(new Set(['/a']));
    expect(merge.build('theirs')).toEqual(document(2));
    const pointerOf = (key: string) => merge3({ [key]: 1 }, { [key]: 2 }, { [key]: 3 }).conflicts[0]?.pointer;
    expect(pointerOf('~'.repeat(1_023))).toBe(`/${'~0'.repeat(1_023)}`);
    expect(pointerOf('~'.repeat(1_024))).toBe('');
  });

  it('of 1000 triples of documents: gives the side that changed if one did, and has the same conflicts in either order', () => {
    const property = fc.property(documents, documents, documents, (base, one, other) => {
      expect(merged(base, one, base)).toEqual({ document: one, conflicts: [] });
      expect(merged(base, base, one)).toEqual({ document: one, conflicts: [] });
      expect(merged(base, one, one)).toEqual({ document: one, conflicts: [] });
      const [there, back] = [merge3(base, one, other), merge3(base, other, one)];
      const names = ({ conflicts }: typeof there) => conflicts.map(({ path }) => conflictName(path)).sort();
      expect(names(there)).toEqual(names(back));
      expect(new Set(names(there)).size).toBe(there.conflicts.length);
      for (const { pointer, theirs } of there.conflicts) {
        if (theirs !== undefined) expect(valueAt(one, pointer)).toBe(theirs);
      }
      expect(there.build(sides(there, 'mine'))).toEqual(there.build(none));
      // The order of what both sides added to a list depends on which is the current one.
      expect(inAnyOrder(there.build(sides(there, 'theirs')))).toEqual(inAnyOrder(back.build(none)));
      for (const name of Object.keys({ ...base, ...one, ...other })) {
        if (isSame(one[name], base[name])) expect(there.build(none)[name]).toEqual(other[name]);
      }
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it('of 300 larger documents and two patches each: equals the patch of one side if the other did nothing', () => {
    const property = fc.property(fc.noBias(fc.integer()), (seed) => {
      const [from, to] = pairOfDocuments(diceOf(seed)).map((model) => parseJson(printModel(model)) as JsonObject);
      if (from === undefined || to === undefined) throw new Error('no pair');
      const patched = applyOperations(from, diff(from, to));
      if (patched.kind !== 'patched') throw new Error(patched.message);
      expect(isSame(merge3(from, from, patched.document).build(none), to)).toBe(true);
      expect(isSame(merge3(from, to, from).build(none), to)).toBe(true);
      expect(merge3(from, to, patched.document).conflicts).toEqual([]);
    });
    fc.assert(property, { numRuns: 300 });
  });
});
