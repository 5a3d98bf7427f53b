import { describe, expect, it } from 'vitest';
import { hintsOf } from './hints.ts';
import { pathOf, textOfPath, valueAt } from './path-text.ts';

const hints = hintsOf({ properties: { cost: { properties: { max: { title: 'Most it costs' } } } } });
const document = {
  limits: { 'a/b': 1 },
  cost: { max: 8 },
  costMax: 9,
  items: [{ id: 'bow', price: 3 }, { id: 7, price: 4 }, [5]],
};

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
    ['Limits › a/b', 1],
    ['items › BOW', undefined],
    ['Cost › most it costs', 8],
    ['costMax', 9],
    ['cost max', 9],
  ])('%s', (text, value) => {
    expect(valueAt(document, pathOf(text), hints)).toEqual(value);
  });

  it('without text has no steps', () => {
    expect([pathOf(''), pathOf(' / ')]).toEqual([[], []]);
  });
});

it('names list elements by their identifiers, so that the text still finds them when others are added', () => {
  const document = { shop: { items: [{ id: 'bow', price: 3 }, { cost: 4 }] }, tags: ['a'] };
  const text = textOfPath(document, ['shop', 'items', '0', 'price']);
  expect(text).toBe('shop › items › bow › price');
  const later = { shop: { items: [{ id: 'axe', price: 1 }, ...document.shop.items] } };
  expect(valueAt(later, pathOf(text))).toBe(3);
  expect(textOfPath(document, ['shop', 'items', '1', 'cost'])).toBe('shop › items › 1 › cost');
  expect(textOfPath(document, ['tags', '0'])).toBe('tags › 0');
  expect(textOfPath(document, ['gone', 'x'])).toBe('gone › x');
});
