import { expect, it } from 'vitest';
import { readRules, rulesAt } from './read-rules.ts';

const price = { minimum: 1 };
const schema = {
  $defs: { price },
  required: ['season'],
  properties: {
    shop: { properties: { items: { items: { properties: { price, fee: { $ref: '#/$defs/price' } } } } } },
    gone: false,
    limits: { properties: { party: {} }, additionalProperties: false },
    offers: { additionalProperties: { properties: { price } } },
  },
};
const each = [{ name: 'shop' }, { name: 'items' }, 'each'] as const;

it('finds each field once, in the order of the schema', () => {
  const paths = readRules(schema).map(({ path }) =>
    path.map((step) => (typeof step === 'string' ? `(${step})` : step.name)).join('.'),
  );
  expect(paths).toEqual([
    '',
    'shop',
    'shop.items',
    'shop.items.(each)',
    'shop.items.(each).price',
    'shop.items.(each).fee',
    'gone',
    'limits',
    'limits.party',
    'offers',
    'offers.(member)',
    'offers.(member).price',
    'season',
  ]);
});

it('says what holds for a field, and whether it stands in its place', () => {
  expect(rulesAt(schema, [...each, { name: 'price' }])).toMatchObject({ hint: price, isOwn: true, isRequired: false });
  expect(rulesAt(schema, [...each, { name: 'fee' }])).toMatchObject({ hint: price, isOwn: false });
  expect(rulesAt(schema, [{ name: 'season' }])).toMatchObject({ hint: {}, isOwn: true, isRequired: true });
  expect(rulesAt(schema, [{ name: 'gone' }])).toMatchObject({ isForbidden: true });
  expect(rulesAt(schema, [{ name: 'limits' }, { name: 'party' }])).toMatchObject({ isListed: true });
  expect(rulesAt(schema, [{ name: 'offers' }, { name: 'spring' }, { name: 'price' }])).toMatchObject({
    hint: price,
    isOwn: false,
  });
});

it('does not call a field its own if another part of the schema requires it', () => {
  const merged = { allOf: [{ required: ['id'] }], properties: { id: {} } };
  expect(rulesAt(merged, [{ name: 'id' }])).toMatchObject({ isRequired: true, isOwn: false });
});

it('ends in a schema that refers to itself', () => {
  const branches = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, { $ref: '#' }]));
  expect(readRules({ properties: branches }).length).toBe(5_000);
});
