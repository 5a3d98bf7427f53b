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
    'gold: whole number, 0 to 1,000,000, only game servers may change it',
  ]);
});

it.each<[JsonValue, string]>([
  [{ type: 'string', minLength: 1, maxLength: 20, pattern: '^x' }, 'text, 1 to 20 characters, matches ^x'],
  [{ type: ['string', 'null'] }, 'text or nothing'],
  [{ enum: ['a', 'b'] }, 'one of: a, b'],
  [{ const: true }, 'always true'],
  [
    { type: 'number', exclusiveMinimum: 0, maximum: 0.000_01, multipleOf: 0.000_001 },
    'number, at most 0.00001, more than 0, a multiple of 0.000001',
  ],
  [{ type: 'array', maxItems: 1, uniqueItems: true }, 'list, at most 1 entry, no duplicate entries'],
  [{ type: 'array', 'x-append-only': true }, 'list, entries may only be added at the end'],
  [
    { type: 'integer', 'x-increase-max': 3, 'x-decrease-max': 0 },
    'whole number, rises by at most 3 per change, may not fall',
  ],
  [{ type: 'object', additionalProperties: false }, 'group of fields, no other fields'],
  [{ anyOf: [true] }, 'further rules in the JSON'],
  [false, 'not allowed'],
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
    'shop › items: list',
    'shop › items › each entry › price: whole number, at least 1',
    'shop › items › each entry › id: required',
    'season: whole number, at least 1, required',
    'every other field: whole number, at least 1',
  ]);
});

it('ends in a schema that refers to itself', () => {
  const schema = { type: 'array', items: { $ref: '#' } };
  expect(linesOf(schema).length).toBeLessThan(20);
});
