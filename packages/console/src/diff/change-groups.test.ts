import { describe, expect, it } from 'vitest';
import { compare } from '../json-text/changes.ts';
import { groupsOf } from './change-groups.ts';

const groups = (from: object, to: object) =>
  groupsOf(compare(JSON.parse(JSON.stringify(from)), JSON.parse(JSON.stringify(to))).changes).map(({ path, changes }) => [
    path.join('/'),
    changes.length,
  ]);

describe('change groups', () => {
  it('are named after the smallest part of the document that contains all their changes', () => {
    const prices = (price: number) => ({ shop: { items: ['a', 'b', 'c'].map((id) => ({ id, price })) } });
    expect(groups(prices(1), prices(2))).toEqual([['shop/items', 3]]);
  });

  it('start with single changes, then keep the order of the document', () => {
    const from = { last: 1, limits: { a: 1, b: 1, c: 1 }, features: { x: 1, y: 1, z: 1 }, motd: 'hi' };
    const to = { last: 1, limits: { a: 2, b: 2, c: 2 }, features: { x: 2, y: 2, z: 2 }, motd: 'ho' };
    expect(groups(from, to)).toEqual([
      ['', 1],
      ['limits', 3],
      ['features', 3],
    ]);
  });

  it('are never named after one of their changes', () => {
    expect(groups({ a: [1, 2, 3] }, { a: [4, 5, 6] })).toEqual([['a', 3]]);
    expect(groups({}, { a: 1, b: 2, c: 3 })).toEqual([['', 3]]);
  });
});
