/** Every message about a schema or a violation, as the service sends it. */
import type {
  patternFaultMessages,
  schemaFaultMessages,
  schemaWarningMessages,
  violationMessages,
} from '@holdfast/contract/messages';
import { type JsonObject, type JsonValue, parseJson } from '@holdfast/json';
import { describe, expect, it } from 'vitest';
import { compileStateSchema } from './compile-state-schema.ts';
import { readNewSchema } from './new-schema.ts';
import { SchemaFault } from './schema-fault.ts';
import { StateSchema } from './state-schema.ts';

/** For each pattern, a case. */
type Cases<Messages, Case> = { readonly [Name in keyof Messages]: Case };

const many = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);

const violations: Cases<typeof violationMessages, [string, JsonObject, JsonValue, JsonValue?]> = {
  type: ['must be integer or string', { type: ['integer', 'string'] }, true],
  enum: ['must be one of the allowed values', { enum: [1, 2] }, 3],
  const: ['must be the only allowed value', { const: 1 }, 2],
  multipleOf: ['must be a multiple of 0.5', { multipleOf: 0.5 }, 0.7],
  maximum: ['must be at most 1e+21', { maximum: 1e21 }, 1e22],
  exclusiveMaximum: ['must be less than 9', { exclusiveMaximum: 9 }, 9],
  minimum: ['must be at least 0', { minimum: -0 }, -1],
  exclusiveMinimum: ['must be greater than 1', { exclusiveMinimum: 1 }, 1],
  maxLength: ['must have 2 or fewer characters', { maxLength: 2 }, 'abc'],
  minLength: ['must have 2 or more characters', { minLength: 2 }, 'a'],
  pattern: ['must match the pattern', { pattern: '^x' }, 'a'],
  maxItems: ['must have 1 or fewer entries', { maxItems: 1 }, [1, 2]],
  minItems: ['must have 1 or more entries', { minItems: 1 }, []],
  uniqueItems: ['must not contain the same entry twice', { uniqueItems: true }, [1, 1]],
  maxProperties: ['must have 1 or fewer fields', { maxProperties: 1 }, { b: 1, c: 1 }],
  minProperties: ['must have 1 or more fields', { minProperties: 1 }, {}],
  member: ['must contain "the \\"price\\""', { required: ['the "price"'] }, {}],
  contains: ['must have 1 or more entries that fit "contains"', { contains: { const: 1 } }, []],
  containsUpTo: ['must have 1 to 2 entries that fit "contains"', { contains: { const: 1 }, maxContains: 2 }, []],
  anyOf: ['must fit at least one schema in "anyOf"', { anyOf: [{ const: 1 }, { const: 2 }] }, 3],
  oneOf: ['must fit exactly one schema in "oneOf", not 0', { oneOf: [{ const: 1 }, { const: 2 }] }, 3],
  not: ['must not fit the schema in "not"', { not: { const: 1 } }, 1],
  false: ['is not allowed here', { additionalProperties: false }, { b: 1 }],
  'x-write': ['can only be changed by servers', { 'x-write': 'server' }, 2, 1],
  'x-increase-max': ['may increase by at most 5 per change', { 'x-increase-max': 5 }, 9, 1],
  'x-decrease-max': ['may decrease by at most 0.5 per change', { 'x-decrease-max': 0.5 }, 1, 9],
  numberForEver: ['must be a number and stay one', { 'x-increase-max': 5 }, 'a', 1],
  'x-append-only': ['must keep its entries: new ones may only be added at the end', { 'x-append-only': true }, [2], [1]],
  budget: [
    'is too large or too complex to be checked against the schema',
    { items: { const: 'x'.repeat(100_000) } },
    many(1_000, 'x'.repeat(100_000)),
  ],
};

it.each(Object.entries(violations))('the violation %s', (_, [message, schema, value, before]) => {
  const text = JSON.stringify({ properties: { a: schema } });
  const change = before === undefined ? undefined : { before: { a: before } };
  const [violation] = new StateSchema(compileStateSchema(text).compiled).validate({ a: value }, change);
  expect(violation?.message).toBe(message);
});

it('a violation is also of the keyword `dependentRequired`, and shows 64 characters of a name and 40 of a number', () => {
  const number = '1'.repeat(50);
  const text = `{"dependentRequired":{"a":["${'n'.repeat(65)}"]},"properties":{"a":{"maximum":${number}}}}`;
  const violations = new StateSchema(compileStateSchema(text).compiled).validate(parseJson(`{"a":2${number}}`));
  expect(violations.map(({ keyword, message }) => [keyword, message])).toEqual([
    ['dependentRequired', `must contain "${'n'.repeat(64)}…"`],
    ['maximum', `must be at most ${number.slice(0, 40)}`],
  ]);
});

const faults: Cases<typeof schemaFaultMessages, [string, string | JsonObject]> = {
  notSchema: ['a schema must be an object or a boolean', { not: 1 }],
  notJson: ['the schema is not valid JSON: cannot parse JSON: the text ends too early at position 1', '{'],
  characters: [
    'the schema has 131073 characters; at most 131072 are allowed',
    JSON.stringify({ title: 'x'.repeat(131_061) }),
  ],
  schemas: ['the schema has more than 5000 schemas', { allOf: many(5_001, true) }],
  levels: ['the schema is nested more than 64 levels deep', `${'{"not":'.repeat(65)}true${'}'.repeat(65)}`],
  references: ['the schema has more than 1000 references', { allOf: many(1_001, { $ref: '#/$defs/a' }) }],
  patterns: ['the schema has too many or too large regular expressions', { anyOf: patternsOf(201) }],
  classes: [
    'the schema uses 401 character classes such as \\p{L}; at most 400 are allowed',
    { pattern: '\\p{L}'.repeat(401) },
  ],
  circle: ['the schema refers to itself without going deeper into the document', { $ref: '#' }],
  draft: [
    '"$schema" must be "https://json-schema.org/draft/2020-12/schema" or left out',
    { $schema: 'http://json-schema.org/draft-07/schema#' },
  ],
  unknown: ['"x-very-new" is not a known keyword', { 'x-very-new': 1 }],
  misspelt: ['"x-wriet" is not a known keyword; did you mean "x-write"?', { 'x-wriet': 'server' }],
  count: ['"maxItems" must be an integer of at least 0', { maxItems: -1 }],
  array: ['"enum" must be an array', { enum: 1 }],
  names: ['"required" must be an array of strings', { required: [1] }],
  repeated: ['"required" must not list anything twice', { required: ['a', 'a'] }],
  noSchemas: ['"anyOf" must have at least one schema', { anyOf: [] }],
  object: ['"properties" must be an object', { properties: 1 }],
  string: ['"pattern" must be a string', { pattern: 1 }],
  boolean: ['"uniqueItems" must be a boolean', { uniqueItems: 1 }],
  number: ['"minimum" must be a number', { minimum: '1' }],
  positive: ['"multipleOf" must be a number greater than 0', { multipleOf: 0 }],
  notNegative: ['"x-increase-max" must be a number of at least 0', { 'x-increase-max': -1 }],
  true: ['"x-append-only" must be true', { 'x-append-only': 1 }],
  server: ['"x-write" must be "server"', { 'x-write': 'client' }],
  types: ['"type" must be one of null, boolean, object, array, number, string, integer', { type: 'text' }],
  exponent: ['"const" has a number with too large an exponent', '{"const":1e99999999999999999999}'],
  pattern: [
    '"patternProperties" is refused: the pattern is not a valid regular expression (ECMA-262 with the flag "u")',
    { patternProperties: { '(': true } },
  ],
  uri: ['"$id" is not a URI reference', { $id: 'http://a b' }],
  fragment: ['"$id" must not have a fragment', { $id: 'https://example.com/a#b' }],
  sameId: ['another schema has the same "$id"', { $defs: { a: { $id: 'b:c' }, b: { $id: 'b:c' } } }],
  anchor: ['"$anchor" must be a name of letters, digits, ".", "_" and "-"', { $anchor: 'a b' }],
  sameAnchor: ['another schema has the same anchor', { $defs: { a: { $anchor: 'a' }, b: { $anchor: 'a' } } }],
  target: ['"$ref" does not lead to a part of this schema: references elsewhere are never fetched', { $ref: '#/no' }],
  escapable: [
    '"x-write" may only be used under properties, items, prefixItems, additionalProperties and a local $ref: elsewhere, a write could get around it',
    { not: { 'x-write': 'server' } },
  ],
};

function patternsOf(count: number): JsonObject[] {
  return Array.from({ length: count }, (_, index) => ({ pattern: `^a${index}` }));
}

const patternFaults: Cases<typeof patternFaultMessages, [string, string]> = {
  characters: ['the pattern has 1001 characters; at most 1000 are allowed', 'a'.repeat(1_001)],
  instructions: ['the pattern compiles to 2702 instructions; at most 2000 are allowed', '[a-z]{900}'.repeat(3)],
  syntax: ['the pattern is not a valid regular expression (ECMA-262 with the flag "u")', '('],
  notLinear: [
    'the pattern uses something unknown, or something that can take more than linear time, such as a back reference or a lookaround',
    '(?=a)',
  ],
};

describe('the fault of a schema', () => {
  const faultOf = (schema: string | JsonObject): string => {
    try {
      readNewSchema(typeof schema === 'string' ? schema : JSON.stringify(schema));
    } catch (error) {
      if (error instanceof SchemaFault) return error.message;
      throw error;
    }
    return '';
  };

  it.each(Object.entries(faults))('%s', (_, [message, schema]) => {
    expect(faultOf(schema)).toBe(message);
  });

  it.each(Object.entries(patternFaults))('in a regular expression: %s', (_, [message, pattern]) => {
    expect(faultOf({ pattern })).toBe(`"pattern" is refused: ${message}`);
  });
});

const warnings: Cases<typeof schemaWarningMessages, [string, JsonObject]> = {
  unknown: ['"gold" is not a keyword of JSON Schema, so it checks nothing', { gold: 1 }],
  misspelt: [
    '"propertys" is not a keyword of JSON Schema, so it checks nothing; did you mean "properties"?',
    { propertys: {} },
  ],
  refusesNothing: ['the schema refuses nothing: every document fits', { type: 'object' }],
  wrapped: [
    'the schema is wrapped in an object with "mode" and "schema", so it checks nothing: send only the content of "schema"',
    { mode: 'enforce', schema: {} },
  ],
};

it.each(Object.entries(warnings))('the warning %s', (_, [message, schema]) => {
  expect(readNewSchema(JSON.stringify(schema)).warnings[0]?.message).toBe(message);
});
