import { type JsonObject, parseJson } from '@holdfast/json';
import { describe, expect, it } from 'vitest';
import { compareGenerated } from './changes.fixture.ts';
import { compare } from './changes.ts';

const listed = (from: JsonObject, to: JsonObject) =>
  compare(from, to).changes.map(({ path, kind }) => `${kind} ${path.join('/')}`);
const taken = (from: JsonObject, to: JsonObject, path: string) => {
  const { changes, build } = compare(from, to);
  return build((id) => changes.find((change) => change.id === id)?.path.join('/') === path);
};

describe('the differences between two documents', () => {
  it('are one change per value, even if a patch would be shorter', () => {
    const flags = (value: boolean) => ({ features: { a: value, b: value, c: value, d: value } });
    expect(listed(flags(false), flags(true))).toEqual(['a', 'b', 'c', 'd'].map((name) => `replace features/${name}`));
    expect(taken(flags(false), flags(true), 'features/c')).toEqual({ features: { a: false, b: false, c: true, d: false } });
  });

  it('are found by id among the objects of a list, even after a move', () => {
    const from = {
      items: [
        { id: 'a', price: 1 },
        { id: 'b', price: 2 },
        { id: 'c', price: 3 },
      ],
    };
    const to = {
      items: [
        { id: 'n', price: 9 },
        { id: 'a', price: 1 },
        { id: 'c', price: 4 },
      ],
    };
    expect(listed(from, to)).toEqual(['remove items/id b', 'replace items/id c/price', 'add items/id n']);
    expect(taken(from, to, 'items/id c/price')).toEqual({
      items: [
        { id: 'a', price: 1 },
        { id: 'b', price: 2 },
        { id: 'c', price: 4 },
      ],
    });
    expect(taken(from, to, 'items/id n')).toEqual({ items: [{ id: 'n', price: 9 }, ...from.items] });
  });

  it('are a new order of a list if nothing else changed', () => {
    const [a, b, c] = [{ key: 'a' }, { key: 'b' }, { key: 'c' }];
    expect(listed({ items: [a, b, c] }, { items: [c, a, b] })).toEqual(['move items']);
  });

  it('are found by position in a list whose elements have no id, or share one', () => {
    expect(listed({ tags: ['a', 'b', 'd'] }, { tags: ['a', 'c', 'b', 'd'] })).toEqual(['add tags/# 1']);
    expect(listed({ tags: ['a', 'b', 'c', 'd'] }, { tags: ['b', 'x', 'd', 'e'] })).toEqual([
      'remove tags/# 0',
      'replace tags/# 1',
      'add tags/# 3',
    ]);
    expect(taken({ tags: ['a', 'b'] }, { tags: ['b', 'c'] }, 'tags/# 1')).toEqual({ tags: ['a', 'b', 'c'] });
    const twice = [
      { id: 1, n: 1 },
      { id: 1, n: 2 },
    ];
    expect(
      listed(
        { items: twice },
        {
          items: [
            { id: 1, n: 1 },
            { id: 1, n: 3 },
          ],
        },
      ),
    ).toEqual(['replace items/# 1/n']);
  });

  it('include digits that exceed a double, and members called __proto__', () => {
    const number = (digits: string) => parseJson(`{"n":${digits},"__proto__":{"x":${digits}}}`) as JsonObject;
    expect(listed(number('9007199254740992'), number('9007199254740993'))).toEqual(['replace n', 'replace __proto__/x']);
  });

  it('give the second document if all are accepted, and the first if none are', () => compareGenerated(400));
});
