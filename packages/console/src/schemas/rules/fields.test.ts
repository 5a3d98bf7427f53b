import { expect, it } from 'vitest';
import { commonKind, fieldsOf, hasFewValues } from './fields.ts';

const document = {
  season: 'autumn',
  shop: {
    items: [
      { id: 'bow', price: 40 },
      { id: 'axe', price: 2.5, sale: true },
    ],
  },
  offers: { spring: { price: 1 }, summer: { price: 2 }, winter: { price: 3 } },
};
const textOf = (path: ReturnType<typeof fieldsOf>[number]['path']) =>
  path.map((step) => (typeof step === 'string' ? `(${step})` : step.name)).join('.');

it('finds the fields of documents and of their schema, with the entries of lists and maps together', () => {
  const schema = { properties: { season: {}, bonus: { properties: { gold: {} } }, offers: { additionalProperties: {} } } };
  expect(fieldsOf([document, { level: 1 }], schema).map(({ path }) => textOf(path))).toEqual([
    '',
    'season',
    'shop',
    'shop.items',
    'shop.items.(each)',
    'shop.items.(each).id',
    'shop.items.(each).price',
    'shop.items.(each).sale',
    'offers',
    'offers.(member)',
    'offers.(member).price',
    'level',
    'bonus',
    'bonus.gold',
  ]);
});

it('says which values and names a field has', () => {
  const fields = fieldsOf([document], {});
  const at = (text: string) => fields.find(({ path }) => textOf(path) === text) ?? fields[0];
  const price = at('shop.items.(each).price');
  expect(price).toMatchObject({ kinds: ['integer', 'number'], values: [40, 2.5] });
  expect(price && [commonKind(price), hasFewValues(price)]).toEqual(['number', true]);
  expect(at('shop.items.(each)')).toMatchObject({ kinds: ['object'], names: ['id', 'price', 'sale'], values: [] });
});

it('knows no common kind of different values, and not all of very many', () => {
  const many = Array.from({ length: 100 }, (_, index) => (index === 0 ? 'x' : index));
  const entry = fieldsOf([{ many }], {}).at(-1);
  expect(entry && [commonKind(entry), hasFewValues(entry)]).toEqual(['any', false]);
});

it('stops at a bound of fields', () => {
  const wide = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`field${index}`, index]));
  expect(fieldsOf([wide], {}).length).toBe(2_000);
});
