/** Faults and warnings for a schema before it is stored. */
import { expect, it } from 'vitest';
import { compileStateSchema } from './compile-state-schema.ts';
import { readNewSchema } from './new-schema.ts';
import { SchemaFault } from './schema-fault.ts';

const warningsOf = (schema: unknown) =>
  readNewSchema(JSON.stringify(schema)).warnings.map(({ schemaLocation, message }) => `${schemaLocation} ${message}`);

it.each([
  ['a misspelled keyword', { propertys: { gold: {} }, required: ['a'] }, [/^#\/propertys .*did you mean "properties"\?$/]],
  [
    'a misspelled keyword in a nested schema',
    { properties: { a: { minimun: 1, type: 'integer' } } },
    [/^#\/properties\/a\/minimun .*"minimum"/],
  ],
  ['a keyword without its last letter', { $def: {}, required: ['a'] }, [/"\$defs"/]],
  ['a keyword from another draft', { dependencies: { a: ['b'] }, minProperties: 1 }, [/"dependentRequired"/]],
  ['an unknown keyword', { title: 'shop', gold: 1, required: ['a'] }, [/^#\/gold .*checks nothing$/]],
  ['no keywords', {}, [/^# the schema refuses nothing/]],
  ['the value true', true, [/^# the schema refuses nothing/]],
  ['only the type object', { type: 'object', properties: {} }, [/refuses nothing/]],
  [
    'subschemas that refuse nothing',
    { $defs: { a: { type: 'string' } }, allOf: [{ properties: { a: { items: true } } }] },
    [/refuses nothing/],
  ],
  [
    'a request body around it',
    { mode: 'enforce', schema: { type: 'object' }, comment: null },
    [/^#\/schema the schema is wrapped in an object/],
  ],
  ['a member named like a keyword', { properties: { propertys: { type: 'string' } } }, []],
  ['only write rules', { properties: { gold: { 'x-write': 'server' } } }, []],
  ['notes for tools', { 'x-ui': { propertys: 1, 'x-else': 2 }, required: ['a'] }, []],
  [
    'every annotation of the draft',
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $comment: '',
      title: '',
      examples: [],
      format: 'email',
      deprecated: true,
      maxProperties: 3,
    },
    [],
  ],
])('a new schema with %s has the expected warnings', (_, schema, warnings) => {
  expect(warningsOf(schema)).toEqual(warnings.map((each) => expect.stringMatching(each)));
});

it.each<unknown>([
  { minimum: 3 },
  { pattern: '^a' },
  { items: { type: 'string' } },
  { prefixItems: [{ type: 'string' }] },
  { uniqueItems: true },
  { contains: { const: 1 } },
  { minProperties: 0 },
  { not: false },
  { oneOf: [true] },
  { oneOf: [{ maxLength: 3 }] },
  { dependentRequired: { a: [] } },
  { properties: { a: { minLength: 0, minItems: 0 } } },
  { properties: { a: { type: ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'] } } },
  { properties: { a: { type: ['null', 'boolean', 'object', 'array', 'number', 'string'] } } },
  { anyOf: [{ required: ['a'] }, { minimum: 1 }] },
  { if: { required: ['a'] }, else: { multipleOf: 2 } },
  { required: [] },
  { properties: { a: { prefixItems: [true], items: { unevaluatedItems: true } } } },
  { patternProperties: { a: true }, additionalProperties: true, unevaluatedProperties: true },
  { propertyNames: true, dependentSchemas: { a: { maxItems: 1 } } },
  { $ref: '#/$defs/x', $defs: { x: { minItems: 1 } } },
])('the rule %j refuses nothing', (schema) => {
  expect(warningsOf(schema)).toEqual([expect.stringMatching(/^# the schema refuses nothing/)]);
});

it.each<unknown>([
  { properties: { a: { type: ['boolean', 'object', 'array', 'number', 'string', 'integer'] } } },
  { minProperties: 1 },
  { maxProperties: 0 },
  { not: {} },
  { not: { required: ['a'] } },
  { oneOf: [true, true] },
  { oneOf: [{ required: ['a'] }] },
  { dependentRequired: { a: [], b: ['c'] } },
  { properties: { a: { minLength: 1 } } },
  { properties: { a: { minimum: 0 } } },
  { properties: { a: { uniqueItems: true } } },
  { properties: { a: { type: ['null', 'boolean', 'object', 'array', 'integer', 'string'] } } },
  { type: ['array', 'null'] },
  { $defs: { x: { minimum: 1 } }, allOf: [{ $ref: '#/$defs/x' }], unevaluatedProperties: { $ref: '#/$defs/x' } },
  { $defs: { x: { required: ['a'] } }, anyOf: [{ $ref: '#/$defs/x' }, { $ref: '#/$defs/x' }] },
  { anyOf: [{ required: ['a'] }, { required: ['b'] }] },
  { const: {} },
  { enum: [{}] },
  { propertyNames: { maxLength: 3 } },
  { additionalProperties: false },
  false,
])('the rule %j refuses something', (schema) => {
  expect(warningsOf(schema)).toEqual([]);
});

it('a new schema has 20 warnings at most', () => {
  expect(warningsOf(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`word${index}`, 1])))).toHaveLength(20);
});

it.each([
  [
    'a misspelled keyword in a rule',
    { properties: { gold: { 'x-wrte': 'server' } } },
    '/properties/gold/x-wrte',
    /did you mean "x-write"\?/,
  ],
  ['an unknown keyword', { 'x-mine': 1 }, '/x-mine', /not a known keyword$/],
  [
    'too many character classes',
    { allOf: Array.from({ length: 41 }, (_, index) => ({ pattern: `${'\\p{L}'.repeat(10)}${index}` })) },
    '',
    /410 character classes/,
  ],
])('a new schema with %s is refused, but stays in force if stored', (_, schema, path, message) => {
  const text = JSON.stringify(schema);
  expect(() => readNewSchema(text)).toThrow(SchemaFault);
  expect(() => readNewSchema(text)).toThrow(expect.objectContaining({ path, message: expect.stringMatching(message) }));
  expect(() => compileStateSchema(text)).not.toThrow();
});
