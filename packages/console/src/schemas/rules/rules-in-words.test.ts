import type { JsonValue } from '@holdfast/json';
import { expect, it } from 'vitest';
import { texts as schemasEn } from '../../texts/schemas-en.ts';
import { rulesInWords } from './rules-in-words.ts';

const linesOf = (schema: JsonValue) =>
  rulesInWords(schemasEn, schema, 'en').map(({ path, words }) => {
    const names = path.map((step) => (typeof step === 'string' ? schemasEn.words[step] : step.name));
    return `${names.join(' › ')}: ${words}`;
  });

it('says type, range and writer of a field', () => {
  const gold = { type: 'integer', minimum: 0, maximum: 1_000_000, 'x-write': 'server' };
  expect(linesOf({ type: 'object', properties: { gold } })).toEqual([
    'gold: Must be a whole number, 0 to 1,000,000, only game servers may change it',
  ]);
});

it.each<[JsonValue, string]>([
  [{ type: 'string', minLength: 1, maxLength: 20, pattern: '^x' }, 'Must be a text, 1 to 20 characters, must match ^x'],
  [{ type: ['string', 'null'] }, 'Must be a text or empty (null)'],
  [{ enum: ['a', 'b'] }, 'Must be one of: a, b'],
  [{ const: true }, 'Must be true'],
  [
    { type: 'number', exclusiveMinimum: 0, maximum: 0.000_01, multipleOf: 0.000_001 },
    'Must be a number, at most 0.00001, more than 0, a multiple of 0.000001',
  ],
  [{ type: 'array', maxItems: 1, uniqueItems: true }, 'Must be a list, at most 1 entry, no duplicate entries'],
  [{ type: 'array', 'x-append-only': true }, 'Must be a list, entries may only be added at the end'],
  [
    { type: 'integer', 'x-increase-max': 3, 'x-decrease-max': 0 },
    'Must be a whole number, rises by at most 3 per change, may not fall',
  ],
  [{ type: 'object', additionalProperties: false }, 'Must be a group of fields, no other fields'],
  [{ anyOf: [true] }, 'Further rules in the JSON'],
  [{ minimum: 1, multipleOf: 2 }, 'Must be at least 1, a multiple of 2'],
  [{ minLength: 1, pattern: '^x' }, 'Must have at least 1 character, must match ^x'],
  [false, 'Not allowed'],
])('%j', (schema, words) => {
  expect(linesOf({ properties: { a: schema } })).toEqual([`a: ${words}`]);
});

it('follows lists, groups, other fields and references in the order of the schema, each required field marked', () => {
  const schema = {
    $defs: { price: { type: 'integer', minimum: 1 } },
    required: ['season'],
    properties: {
      shop: {
        type: 'object',
        properties: {
          items: { type: 'array', items: { required: ['id'], properties: { price: { $ref: '#/$defs/price' } } } },
        },
      },
    },
    additionalProperties: { $ref: '#/$defs/price' },
  };
  expect(linesOf(schema)).toEqual([
    'shop › items: Must be a list',
    'shop › items › each entry › price: Must be a whole number, at least 1',
    'shop › items › each entry › id: Must be present',
    'season: Must be a whole number, at least 1, and must be present',
    'every other field: Must be a whole number, at least 1',
  ]);
});

it('ends in a schema that refers to itself', () => {
  const schema = { type: 'array', items: { $ref: '#' } };
  expect(linesOf(schema).length).toBeLessThan(20);
});
