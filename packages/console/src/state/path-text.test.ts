import { describe, expect, it } from 'vitest';
import { pathOf, valueAt } from './path-text.ts';

const document = { limits: { 'a/b': 1 }, items: [{ id: 'bow', price: 3 }, { id: 7, price: 4 }, [5]] };

describe('a path in readable form', () => {
  it.each([
    ['limits › a/b', 1],
    ['/limits/a~1b', 1],
    ['limits/a~1b', 1],
    ['items › bow › price', 3],
    ['items/7/price', 4],
    ['items/0/price', 3],
    ['items/2/0', 5],
    ['items/9', undefined],
    ['limits/toString', undefined],
    ['limits › a/b › c', undefined],
  ])('%s', (text, value) => {
    expect(valueAt(document, pathOf(text))).toEqual(value);
  });

  it('without text has no steps', () => {
    expect([pathOf(''), pathOf(' / ')]).toEqual([[], []]);
  });
});
