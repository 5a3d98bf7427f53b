/** Schemas of tenants: valid documents, violations, and the cost of hostile schemas. */
import { type JsonObject, parseDocument } from '@holdfast/json';
import { expect, it } from 'vitest';
import { evaluationStepsMax } from './bounds.ts';
import { compileStateSchema } from './compile-state-schema.ts';
import { SchemaFault } from './schema-fault.ts';
import { StateSchema } from './state-schema.ts';

const stateSchema = (schema: unknown) =>
  new StateSchema(compileStateSchema(typeof schema === 'string' ? schema : JSON.stringify(schema)).compiled);
const validate = (schema: unknown, document: string) => stateSchema(schema).validate(parseDocument(document));

it('a violation has its path, keyword and schema location, but no value', () => {
  const schema = {
    properties: {
      shop: { additionalProperties: { properties: { price: { type: 'integer', minimum: 1 } }, required: ['price'] } },
    },
  };
  expect(validate(schema, '{"shop":{"sword":{"price":0},"a/b":{},"bow":{"price":"7"}}}')).toEqual([
    {
      path: '/shop/sword/price',
      keyword: 'minimum',
      message: 'must be at least 1',
      schemaLocation: '#/properties/shop/additionalProperties/properties/price/minimum',
      generalPath: '/shop/*/price',
    },
    {
      path: '/shop/a~1b',
      keyword: 'required',
      message: 'must contain "price"',
      schemaLocation: '#/properties/shop/additionalProperties/required',
      generalPath: '/shop/*',
    },
    expect.objectContaining({ path: '/shop/bow/price', keyword: 'type', message: 'must be integer' }),
  ]);
  const items = Array.from({ length: 30 }, (_, index) => `"${index}":"secret"`).join();
  const many = validate({ additionalProperties: { type: 'integer' } }, `{${items}}`);
  expect(many).toHaveLength(20);
  expect(JSON.stringify(many)).not.toContain('secret');
});

it.each([
  ['a pointer of 512 characters', ['a'.repeat(500), 'b'.repeat(10)], `/${'a'.repeat(500)}/${'b'.repeat(10)}`],
  ['512 characters with escapes', ['~'.repeat(255), ''], `/${'~0'.repeat(255)}/`],
  [
    'a pointer of 513 characters',
    ['a'.repeat(500), 'b'.repeat(11)],
    `/${'a'.repeat(255)}…${'a'.repeat(243)}/${'b'.repeat(11)}`,
  ],
  ['names that consist of escapes', ['/~'.repeat(7_500), '/'], `/${'~1~0'.repeat(63)}~1…${'~1~0'.repeat(63)}/~1`],
  ['an escape at the cut', ['a', '/~'.repeat(7_500)], `/a/${'~1~0'.repeat(63)}…~0${'~1~0'.repeat(63)}`],
  ['surrogate pairs', ['😀'.repeat(400)], `/${'😀'.repeat(127)}…${'😀'.repeat(127)}`],
  ['many levels', Array(250).fill('ab'), `${'/ab'.repeat(85)}/…${'/ab'.repeat(85)}`],
])('a path is given up to 512 characters, a longer one without its middle: %s', (_, names, path) => {
  const document = names.reduceRight<string>((inner, name) => `{${JSON.stringify(name)}:${inner}}`, '0');
  const [violation] = validate({ additionalProperties: { $ref: '#' }, maximum: -1 }, document);
  expect(violation?.path).toBe(path);
  expect(path.length).toBeLessThanOrEqual(512);
  expect(path.isWellFormed()).toBe(true);
});

it('long schema locations are shortened', () => {
  const name = '/~'.repeat(10_000);
  const nested = (inner: unknown) => ({ properties: { [name]: { properties: { [name]: inner } } } });
  const document = JSON.stringify({ [name]: { [name]: 1 } });
  const [violation] = validate(nested({ type: 'null' }), document);
  expect(violation?.schemaLocation).toMatch(/^#\/properties\/(?:~1|~0)+…(?:~1|~0)+\/type$/);
  const faults = [
    refusalOf(nested({ type: 'nil' })),
    refusalOf(nested({ oneOf: [{ 'x-write': 'server' }] })),
    refusalOf(nested(7)),
  ];
  for (const place of [violation?.schemaLocation, violation?.generalPath, ...faults.map((fault) => fault?.path)])
    expect(place?.length).toBeOneOf([509, 510, 511, 512]);
});

it.each([
  ['{"maximum":9007199254740992}', '9007199254740993', false],
  ['{"const":1e400}', '10e399', true],
  ['{"const":1.0}', '1', true],
  ['{"multipleOf":0.1}', '0.3', true],
  ['{"multipleOf":0.1}', '0.35', false],
  ['{"multipleOf":1e-999999}', '3.25', true],
  ['{"multipleOf":3}', '1e999999', false],
  ['{"type":"integer"}', '1e-1', false],
  ['{"type":"integer"}', '12345678901234567890.0', true],
  ['{"uniqueItems":true}', '[1e400,10e399]', false],
  ['{"enum":[-0]}', '0', true],
  ['{"exclusiveMinimum":-1e-400}', '-1e-401', true],
])('numbers are compared exactly: %s with %s: %s', (schema, value, fits) => {
  expect(validate(`{"properties":{"n":${schema}}}`, `{"n":${value}}`).length === 0).toBe(fits);
});

it('members named like parts of a prototype are ordinary members', () => {
  const schema = '{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"null"}},"required":["toString"]}';
  expect(validate(schema, '{"__proto__":1,"constructor":2}').map(({ path, keyword }) => [path, keyword])).toEqual([
    ['', 'required'],
    ['/__proto__', 'type'],
    ['/constructor', 'type'],
  ]);
});

const deep = (levels: number): JsonObject => (levels === 0 ? {} : { not: deep(levels - 1) });
it.each([
  ['a circular reference', { $ref: '#' }, '$ref', /refers to itself/],
  [
    'a circular reference through alternatives',
    { anyOf: [{ type: 'string' }, { allOf: [{ $ref: '#' }] }] },
    '$ref',
    /refers to itself/,
  ],
  ['a reference outside the schema', { $ref: 'https://example.com/schema' }, '$ref', /never fetched/],
  ['another draft', { $schema: 'http://json-schema.org/draft-07/schema#' }, '$schema', /2020-12/],
  ['too many schemas', { allOf: Array.from({ length: 5_001 }, () => ({})) }, 'budget', /more than 5000 schemas/],
  ['too many levels', deep(65), 'budget', /64 levels/],
  [
    'too many references',
    { $defs: { a: {} }, allOf: Array.from({ length: 1_001 }, () => ({ $ref: '#/$defs/a' })) },
    'budget',
    /1000 references/,
  ],
  ['too many characters', { description: 'x'.repeat(140_000) }, 'budget', /131072/],
  ['a value other than a schema', '[]', 'type', /object or a boolean/],
  ['invalid JSON', '{', 'type', /not valid JSON/],
  ['a keyword of the wrong type', { properties: { a: { minimum: '1' } } }, 'minimum', /must be a number/],
  ['a divisor of zero', '{"multipleOf":0}', 'multipleOf', /greater than 0/],
  ['an unknown type', { type: 'integr' }, 'type', /must be one of/],
  ['an invalid pattern', { pattern: '(' }, 'pattern', /not a valid regular expression/],
  ['a pattern with a lookahead', { pattern: '(?=a)b' }, 'pattern', /linear time/],
  [
    'a pattern that grows too large when compiled',
    { pattern: '(a{900}){1}(b{900}){1}(c{900}){1}' },
    'pattern',
    /instructions/,
  ],
  ['a duplicate name', { allOf: [{ $anchor: 'a' }, { $anchor: 'a' }] }, '$anchor', /same anchor/],
  ['a rule of the wrong type', { properties: { gold: { 'x-write': true } } }, 'x-write', /must be "server"/],
  ['a negative rule', { properties: { gold: { 'x-increase-max': -1 } } }, 'x-increase-max', /at least 0/],
])('a schema with %s is refused', (_, schema, keyword, message) => {
  const fault = refusalOf(schema);
  expect(fault?.keyword).toBe(keyword);
  expect(fault?.message).toMatch(message);
});

function refusalOf(schema: unknown): SchemaFault | undefined {
  try {
    stateSchema(schema);
  } catch (error) {
    if (error instanceof SchemaFault) return error;
    throw error;
  }
  return undefined;
}

const doubling = Object.fromEntries(
  Array.from({ length: 40 }, (_, level) => [
    `d${level}`,
    level === 39 ? { type: 'string' } : { anyOf: [{ $ref: `#/$defs/d${level + 1}` }, { $ref: `#/$defs/d${level + 1}` }] },
  ]),
);
const chain = Object.fromEntries(
  Array.from({ length: 999 }, (_, index) => [`c${index}`, index === 998 ? {} : { $ref: `#/$defs/c${index + 1}` }]),
);
const long = (character: string, length: number) => JSON.stringify({ a: character.repeat(length) });
it.each([
  ['alternatives that double at each level', { $defs: doubling, $ref: '#/$defs/d0' }, '{}'],
  ['nested dynamic references', { $dynamicAnchor: 'x', allOf: [{ $dynamicRef: '#x' }] }, '{}'],
  ['a chain of references', { $defs: chain, $ref: '#/$defs/c0' }, '{}'],
  [
    'patterns on long strings',
    { additionalProperties: { allOf: Array.from({ length: 20 }, (_, n) => ({ pattern: `(\\w+\\s?)*${n}` })) } },
    long('ab ', 80_000),
  ],
  [
    'a length measured many times',
    { additionalProperties: { allOf: Array.from({ length: 4_000 }, () => ({ minLength: 1 })) } },
    long('x', 240_000),
  ],
  [
    'many comparisons of equal items',
    { additionalProperties: { allOf: Array.from({ length: 400 }, () => ({ uniqueItems: true })) } },
    `{"a":[${Array.from({ length: 40_000 }, (_, n) => n).join()}]}`,
  ],
])('%s ends when the budget is spent, which counts as a violation', (_, schema, document) => {
  expect(validate(schema, document).map(({ keyword }) => keyword)).toEqual(['budget']);
  expect(stateSchema(schema).validate(parseDocument(document), undefined, evaluationStepsMax / 100)).toBeUndefined();
});

const rules = {
  $defs: { wallet: { properties: { gold: { 'x-write': 'server' } } } },
  properties: {
    wallet: { $ref: '#/$defs/wallet' },
    level: { type: 'integer', 'x-increase-max': 1, 'x-decrease-max': 0 },
    log: { 'x-append-only': true },
    pets: { items: { properties: { rare: { 'x-write': 'server' } } } },
    scores: {
      properties: { best: {} },
      patternProperties: { '^free': {} },
      additionalProperties: { 'x-increase-max': 100 },
    },
  },
};
const before = '{"wallet":{"gold":5},"level":3,"log":["a",{"n":1.0}],"pets":[{"rare":true}],"scores":{"x":50}}';
it.each([
  ['no change', before, []],
  ['a different amount of gold', before.replace('"gold":5', '"gold":6'), ['x-write /wallet/gold']],
  ['the same gold in another notation', before.replace('"gold":5', '"gold":50e-1'), []],
  ['no gold', before.replace('"gold":5', ''), ['x-write /wallet/gold']],
  ['no wallet', before.replace('"wallet":{"gold":5},', ''), ['x-write /wallet/gold']],
  ['a wallet of another type', before.replace('{"gold":5}', '[5]'), ['x-write /wallet/gold']],
  ['one level more', before.replace('"level":3', '"level":4'), []],
  ['two levels more', before.replace('"level":3', '"level":5'), ['x-increase-max /level']],
  ['one level less', before.replace('"level":3', '"level":2'), ['x-decrease-max /level']],
  ['no level', before.replace('"level":3,', ''), ['x-decrease-max /level']],
  [
    'a string as level',
    before.replace('"level":3', '"level":"3"'),
    ['type /level', 'x-increase-max /level', 'x-decrease-max /level'],
  ],
  ['a longer log', before.replace('{"n":1.0}', '{"n":1},7'), []],
  ['a changed log', before.replace('["a"', '["b"'), ['x-append-only /log']],
  ['no log', before.replace('"log":["a",{"n":1.0}],', ''), ['x-append-only /log']],
  [
    'pets in a different order',
    before.replace('[{"rare":true}]', '[{},{"rare":true}]'),
    ['x-write /pets/0/rare', 'x-write /pets/1/rare'],
  ],
  ['a score that rises too far', before.replace('"x":50', '"x":151'), ['x-increase-max /scores/x']],
  ['a new score that is too high', before.replace('"x":50', '"x":50,"y":101'), ['x-increase-max /scores/y']],
  ['scores not covered by the rule', before.replace('"x":50', '"x":50,"best":1e9,"free1":1e9'), []],
])('the rules of change apply to a write with %s', (_, after, broken) => {
  const violations = stateSchema(rules).validate(parseDocument(after), { before: parseDocument(before) });
  expect(violations.map(({ keyword, path }) => `${keyword} ${path}`)).toEqual(broken);
});

it('a missing value counts as 0 or an empty list when a user state is created', () => {
  const created = (document: string) =>
    stateSchema(rules)
      .validate(parseDocument(document), { before: undefined })
      .map(({ keyword }) => keyword);
  expect(created('{"level":1,"log":["a"]}')).toEqual([]);
  expect(created('{"level":2,"wallet":{"gold":0}}')).toEqual(['x-write', 'x-increase-max']);
});

it('rises of numbers are compared exactly', () => {
  const rises = (from: string, to: string) =>
    new StateSchema(compileStateSchema('{"properties":{"n":{"x-increase-max":0.2}}}').compiled).validate(
      parseDocument(`{"n":${to}}`),
      {
        before: parseDocument(`{"n":${from}}`),
      },
    ).length === 0;
  expect([rises('0.1', '0.3'), rises('0.1', '0.30000000000000000001')]).toEqual([true, false]);
  expect([rises('9007199254740993', '9007199254740993.2'), rises('1e400', '1.1e400')]).toEqual([true, false]);
});

it.each([
  ['an alternative', { oneOf: [{ properties: { gold: { 'x-write': 'server' } } }, {}] }],
  ['a condition', { if: {}, else: { properties: { gold: { 'x-write': 'server' } } } }],
  ['allOf', { allOf: [{ 'x-append-only': true }] }],
  ['patternProperties', { patternProperties: { a: { 'x-write': 'server' } } }],
  ['an unused definition', { $defs: { a: { 'x-write': 'server' } } }],
  [
    'a definition also used by an alternative',
    { $defs: { a: { 'x-write': 'server' } }, properties: { b: { $ref: '#/$defs/a' } }, anyOf: [{ $ref: '#/$defs/a' }] },
  ],
])('a rule that a write could escape is refused: below %s', (_, schema) => {
  expect(refusalOf(schema)?.message).toMatch(/could get around/);
});
