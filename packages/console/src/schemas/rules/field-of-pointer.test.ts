import { expect, it } from 'vitest';
import { countedField, fieldOf } from './field-of-pointer.ts';
import type { FieldPath } from './field-path.ts';

const price = { minimum: 1 };
const long = 'n'.repeat(65);
const schema = {
  required: ['season', 'level', 'the "level"', long],
  properties: {
    shop: { properties: { items: { items: { properties: { price } } } } },
    offers: { additionalProperties: { properties: { price } } },
  },
};

it.each<[string, string, string, FieldPath]>([
  [
    '/shop/items/3/price',
    'minimum',
    'must be at least 1',
    [{ name: 'shop' }, { name: 'items' }, 'each', { name: 'price' }],
  ],
  ['/offers/spring/price', 'minimum', 'must be at least 1', [{ name: 'offers' }, 'other', { name: 'price' }]],
  ['', 'required', 'must contain "level"', [{ name: 'level' }]],
  ['', 'required', 'must contain "the \\"level\\""', [{ name: 'the "level"' }]],
  ['', 'required', `must contain "${long.slice(1)}…"`, [{ name: long }]],
  ['', 'type', 'must be an object', []],
  ['/a~1b', 'false', 'is not allowed here', [{ name: 'a/b' }]],
])('%s breaks %s: %s', (path, keyword, message, field) => {
  expect(fieldOf(schema, { path, keyword, message })).toEqual(field);
});

it.each<[string, FieldPath]>([
  ['/items/*/price', [{ name: 'items' }, 'each', { name: 'price' }]],
  ['/offers/*', [{ name: 'offers' }, 'member']],
  ['/mixed/*', [{ name: 'mixed' }, 'other']],
])('the place %s that is counted has the field %j', (path, field) => {
  const schema = {
    properties: {
      items: { items: { properties: { price: {} } } },
      offers: { additionalProperties: {} },
      mixed: { properties: { named: {} }, additionalProperties: {} },
    },
  };
  expect(countedField(schema, path)).toEqual(field);
});
