/**
 * An evaluation pays for its cost: compares the price of each keyword over random hostile values with its processor time.
 * A keyword without inputs here does not compile. `HOLDFAST_SCHEMAS_FULL=1` tries many more.
 */
import { type JsonObject, type JsonValue, parseJson, printJson } from '@holdfast/json';
import { beforeAll, expect, it } from 'vitest';
import { BudgetSpent } from './bounds.ts';
import { checkChange } from './change.ts';
import { compileStateSchema } from './compile-state-schema.ts';
import { type KeywordName, keywords, newRun } from './keywords.ts';
import type { RuleName } from './rules.ts';
import type { Run } from './run.ts';
import { StateSchema } from './state-schema.ts';
import { TouchedValidator } from './touched.ts';

/** The same numbers in each run. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
const random = randomOf(39);
const one = <T>(choices: readonly T[]): T => choices[random(choices.length)] as T;
/** Mostly small, sometimes as large as a document allows. */
const size = (most: number): number => Math.ceil(2 ** ((random(1_000) / 1_000) * Math.log2(most)));

/** JSON texts, which can write numbers of many digits. */
const digits = (most: number) => `${1 + random(9)}${Array.from({ length: size(most) }, () => random(10)).join('')}`;
const number = () =>
  one([
    () => String(random(1_000)),
    () => String(random(1_000_000) / 1_000),
    () => digits(20_000),
    () => `0.${digits(20_000)}`,
    () => `${digits(400)}e${random(2) === 0 ? '-' : ''}${size(9e15)}`,
    () => `-${digits(3_000)}e-${size(2_000)}`,
    () => '1.7976931348623157e308',
    () => '-0',
  ])();
const character = () => one(['a', 'ab', '\\"', '\\u0000', 'é', '語', '😀', '\\ud800', ' ', '/', '~']);
const text = (most = 20_000) => `"${character().repeat(size(most / 4))}${random(1_000)}"`;
const name = (index: number) => `"${one(['', 'x', '/~']).repeat(size(60))}${index}"`;
const some = (most: number, make: (index: number) => string) =>
  Array.from({ length: size(most) }, (_, index) => make(index));
const object = (most: number, make: () => string) => `{${some(most, (index) => `${name(index)}:${make()}`).join()}}`;
const array = (most: number, make: () => string) => `[${some(most, make).join()}]`;
const small = () => one([() => String(random(9)), () => '""', () => 'null', () => '[]', () => '{}'])();
const deep = () =>
  `${'['.repeat(size(200))}${text(2_000)}`.replace(
    /^(\[*)(.*)$/su,
    (_, open: string, inner: string) => open + inner + ']'.repeat(open.length),
  );
const value = (): string =>
  one([
    number,
    text,
    small,
    deep,
    () => array(2_000, small),
    () => object(1_000, small),
    () => array(200, number),
    () => object(200, () => text(200)),
  ])();

const names = (most: number) => `[${some(most, (index) => `"x${index}"`).join()}]`;
const schema = () => one(['true', '{}', 'false', '{"type":"integer"}', '{"type":["null","string"]}']);
const schemas = () => `[${some(40, schema).join()}]`;
const namedSchemas = (most: number) => `{${some(most, (index) => `${name(index)}:${schema()}`).join()}}`;
const patterns = [
  '^[a-z0-9_-]{1,30}$',
  '[\\\\p{L}\\\\p{N}]+$',
  '(a|ab|abc|b)*c',
  '(\\\\w+\\\\s?)*!',
  '^(a?){40}a{40}$',
  '\\\\b(x|é|語)+\\\\B',
  '([^a]|a){0,200}z',
  '.*.*.*=.*',
  '(?i:ABC|語)*d',
];
const pattern = () => `"${one(patterns)}"`;
const limit = () => String(size(10_000));

/** A keyword's value in a schema, its neighbours there, and a value that it looks at. */
type Inputs = () => readonly [written: string, value: string, beside?: string];
const inputs: Record<KeywordName, Inputs> = {
  type: () => [
    one(['"integer"', '"object"', '["null","boolean","integer"]', '["array","number","string","integer"]']),
    value(),
  ],
  enum: () => [array(200, small), value()],
  const: () => [value(), value()],
  multipleOf: () => [one(['7', '0.01', '1e-300', digits(4_900), `${digits(2_000)}e-${size(1e15)}`]), number()],
  maximum: () => [number(), number()],
  exclusiveMaximum: () => [number(), number()],
  minimum: () => [number(), number()],
  exclusiveMinimum: () => [number(), number()],
  maxLength: () => [limit(), text(100_000)],
  minLength: () => [limit(), text(100_000)],
  pattern: () => [pattern(), text()],
  maxItems: () => [limit(), array(5_000, small)],
  minItems: () => [limit(), array(5_000, small)],
  uniqueItems: () => ['true', one([() => array(5_000, small), () => array(300, value)])()],
  maxProperties: () => [limit(), object(5_000, small)],
  minProperties: () => [limit(), object(5_000, small)],
  required: () => [names(2_000), object(2_000, small)],
  dependentRequired: () => [
    `{${some(500, (index) => `"${one(['', 'x'])}${index}":${names(40)}`).join()}}`,
    object(1_000, small),
  ],
  properties: () => [namedSchemas(2_000), object(2_000, small)],
  patternProperties: () => [
    `{${[...new Set(some(5, pattern))].map((each) => `${each}:${schema()}`).join()}}`,
    object(1_000, small),
  ],
  additionalProperties: () => [schema(), object(2_000, small), `"properties":${namedSchemas(200)},`],
  propertyNames: () => [schema(), object(2_000, small)],
  dependentSchemas: () => [namedSchemas(1_000), object(1_000, small)],
  prefixItems: () => [schemas(), array(2_000, small)],
  items: () => [schema(), array(5_000, small)],
  contains: () => [schema(), array(5_000, small), one(['', '"minContains":3,', '"maxContains":900,'])],
  minContains: () => ['2', array(5_000, small), '"contains":{"type":"integer"},'],
  maxContains: () => ['2', array(5_000, small), '"contains":{"type":"integer"},'],
  $ref: () => ['"#/$defs/a"', value(), `"$defs":{"a":${schema()}},`],
  $dynamicRef: () => ['"#a"', value(), `"$defs":{"a":{"$dynamicAnchor":"a","type":"null"}},`],
  allOf: () => [schemas(), value()],
  anyOf: () => [schemas(), value()],
  oneOf: () => [schemas(), value()],
  not: () => [schema(), value()],
  if: () => [schema(), value(), '"then":{},"else":false,'],
  unevaluatedProperties: () => [
    schema(),
    object(2_000, small),
    `"allOf":[{"properties":${namedSchemas(100)}},{"patternProperties":{"1":true}}],`,
  ],
  unevaluatedItems: () => [schema(), array(2_000, small), '"contains":{"type":"integer"},"prefixItems":[true],'],
};

/** The same for the rules of change, with the value before. */
const rules: Record<RuleName, Inputs> = {
  'x-write': () => ['"server"', value()],
  'x-increase-max': () => [number().replace('-', ''), one([number, value])()],
  'x-decrease-max': () => [number().replace('-', ''), one([number, value])()],
  'x-append-only': () => ['true', one([() => array(3_000, small), () => array(200, value)])()],
};

/** Processor time of this thread in nanoseconds. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) * 1_000;
}

/** Works until its run has taken some steps, or its budget is spent. Returns the steps. */
function stepsOf(work: (run: Run) => void): number {
  const run = newRun();
  try {
    do work(run);
    while (run.taken < 2_000);
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error;
  }
  return run.taken;
}

/** Processor time of a step, the least of some measurements: other processes use the machine too. */
function costOf(work: (run: Run) => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round++) {
    const begun = processorTime();
    let steps = 0;
    do steps += stepsOf(work);
    while (processorTime() - begun < 1_500_000);
    least = Math.min(least, (processorTime() - begun) / steps);
  }
  return least;
}

/** Works as if nothing had been reported before. */
function telling(run: Run, work: () => unknown): void {
  run.violations.length = 0;
  work();
}

const compiled = (text: string) => compileStateSchema(text).compiled;
const rounds = process.env.HOLDFAST_SCHEMAS_FULL === '1' ? 500 : 6;
/** How many times the cost of an ordinary step one step may cost: unpaid work costs hundreds or thousands. */
const timesMax = 8;

const ordinary = compiled('{"type":"object","properties":{"a":{"type":"string"},"b":{"maximum":3}},"required":["a"]}').root;
let ordinaryCost = 0;
beforeAll(() => {
  const document = { a: 'b', b: 2 };
  for (let round = 0; round < 20; round++) ordinaryCost = costOf((run) => run.fits(ordinary, document));
});

function expectHonest(work: (run: Run) => void, about: string): void {
  let cost = 0;
  // A measurement on a busy machine may be wrong; three of them are not.
  for (let attempt = 0; attempt < 3; attempt++) {
    cost = costOf(work);
    if (cost <= timesMax * ordinaryCost) return;
  }
  expect(cost, about.slice(0, 300)).toBeLessThanOrEqual(timesMax * ordinaryCost);
}

it.each(keywords.map(({ name }) => name))('the keyword %s is charged its cost', { timeout: 600_000 }, (keyword) => {
  for (let round = 0; round < rounds; round++) {
    const [written, document, beside = ''] = inputs[keyword]();
    const { root } = compiled(`{${beside}"${keyword}":${written}}`);
    const value = parseJson(document);
    const about = `${beside}${written} over ${document}`;
    expectHonest((run) => void run.silently(() => run.fits(root, value)), about);
    expectHonest((run) => telling(run, () => run.fits(root, value)), `${about}, told`);
  }
});

it.each(Object.keys(rules) as RuleName[])('the rule %s is charged its cost', { timeout: 600_000 }, (rule) => {
  for (let round = 0; round < rounds; round++) {
    const [written, document] = rules[rule]();
    const [, other] = rules[rule]();
    const node = compiled(`{"${rule}":${written}}`).rules;
    if (node === undefined) throw new Error('a rule is lost');
    const [before, after] = [parseJson(random(2) === 0 ? document : other), parseJson(document)];
    const work = (run: Run) => {
      run.spend(1);
      checkChange(node, before, after, run);
      return true;
    };
    const about = `${written} from ${other} to ${document}`;
    expectHonest((run) => void run.silently(() => work(run)), about);
    expectHonest((run) => telling(run, () => work(run)), `${about}, told`);
  }
});

it('the path to a patched value is charged', { timeout: 600_000 }, () => {
  const everywhere = { $ref: '#/$defs/any' };
  const members = Array.from({ length: 900 }, () => ({ properties: { a: everywhere }, additionalProperties: {} }));
  const $defs = { any: { type: 'object', allOf: members } };
  const { root } = compiled(JSON.stringify({ $defs, properties: { a: everywhere } }));
  const path = Array.from({ length: 250 }, () => 'a');
  const touched = [{ path, value: 1, isNew: false }];
  expectHonest((run) => void new TouchedValidator(root, false, undefined).validate(touched, false, run), 'a long way');
});

/** Nested members, from the outermost name. */
const nested = (names: readonly string[], innermost: JsonValue): JsonValue =>
  names.reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), innermost);
const violating = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [index, 'x']));
const numbers = (levels: number): JsonObject =>
  levels === 0 ? { type: 'number' } : { additionalProperties: numbers(levels - 1) };
const anyDepth = { additionalProperties: { anyOf: [{ type: 'object', $ref: '#' }, { type: 'number' }] } };
const refusing = { type: ['object', 'number'], additionalProperties: { $ref: '#' } };

it.each<[string, JsonObject, JsonValue]>([
  ['two long names that escape', numbers(3), nested(['/~'.repeat(7_500), '/~'.repeat(7_500)], violating(22))],
  ['one long name that escapes', numbers(2), nested(['~'.repeat(60_000)], violating(22))],
  ['one long plain name', numbers(2), nested(['x'.repeat(60_000)], violating(22))],
  ['names as long as a path may be', numbers(2), nested(['~'.repeat(500)], violating(20))],
  ['long names on many levels', refusing, nested(Array(180).fill('/~'.repeat(60)), violating(22))],
  ['short names on many levels', refusing, nested(Array(250).fill('/'), violating(20))],
  ['names that nobody reads', anyDepth, nested(Array(100).fill('/~'.repeat(60)), violating(22))],
])('the paths of violations are charged: %s', { timeout: 600_000 }, (about, schema, value) => {
  const { root } = compiled(JSON.stringify(schema));
  expectHonest((run) => telling(run, () => run.fits(root, value)), about);
});

const closure = '(?:a?){245}';
it.each<[string, JsonObject, JsonValue]>([
  ['empty texts', { items: { pattern: closure } }, Array(500).fill('')],
  ['texts of one character', { items: { pattern: closure } }, Array(500).fill('b')],
  ['the end of what does not match', { items: { pattern: `${closure}c` } }, Array(500).fill('')],
  ['what matches at once, anchored', { items: { pattern: `^${closure}` } }, Array(500).fill('aa')],
  ['the largest closures', { items: { pattern: '(?:a?){990}' } }, Array(100).fill('')],
  ['many ways that are no way', { items: { pattern: `(?:${Array(300).fill('b').join('|')})` } }, Array(500).fill('')],
  ['assertions', { items: { pattern: '(?:\\b|a){200}' } }, Array(500).fill('')],
  ['names of members', { propertyNames: { pattern: closure } }, violating(500)],
  ['names that patterns look for', { patternProperties: { [closure]: true } }, violating(500)],
  [
    'names that none looks for',
    { patternProperties: { [`${closure}z`]: true }, additionalProperties: true },
    violating(500),
  ],
])('patterns over short texts are charged: %s', { timeout: 600_000 }, (about, schema, value) => {
  const { root } = compiled(JSON.stringify(schema));
  expectHonest((run) => void run.silently(() => run.fits(root, value)), about);
  expectHonest((run) => telling(run, () => run.fits(root, value)), `${about}, told`);
});

const twice = (levels: readonly number[], innermost: JsonObject): JsonObject => {
  const $defs = Object.fromEntries(
    levels.map((count, level) => [
      `d${level}`,
      { allOf: Array.from({ length: count }, () => (level === 0 ? innermost : { $ref: `#/$defs/d${level - 1}` })) },
    ]),
  );
  return { $defs, additionalProperties: { $ref: `#/$defs/d${levels.length - 1}` } };
};

it.each<[string, JsonObject, string]>([
  ['remainders of a number of 32,000 digits', twice([1, 60, 60], { multipleOf: 7 }), `{"a":${'7'.repeat(32_000)}}`],
  [
    'members required by other members',
    twice([1, 60, 60], { dependentRequired: { a: Array.from({ length: 1_500 }, (_, index) => `n${index}`) } }),
    `{"a":{"a":1,${Array.from({ length: 1_500 }, (_, index) => `"n${index}":1`).join()}}}`,
  ],
  [
    'missing members',
    twice([1, 60, 60], {
      properties: Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`n${index}`, true])),
    }),
    '{"a":{"a":1}}',
  ],
  [
    'powers of ten by a long divisor',
    twice([1, 60, 60], parseJson(`{"multipleOf":${'3'.repeat(4_999)}}`) as JsonObject),
    '{"a":1e9000000000000000}',
  ],
  ['patterns on empty strings', twice([1, 60, 60], { pattern: closure }), '{"a":""}'],
])('%s ends within the budget of the main thread', (_, schema, document) => {
  const stateSchema = new StateSchema(compiled(printJson(schema)));
  const value = parseJson(document);
  const begun = processorTime();
  expect(stateSchema.validate(value, undefined, 20_000)).toBeUndefined();
  expect(processorTime() - begun).toBeLessThan(20_000 * timesMax * ordinaryCost);
});
