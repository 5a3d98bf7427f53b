/**
 * Validating a patch by the values that it wrote gives the same result as validating the whole document: random schemas, documents that
 * fit, and patches.
 */
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseDocument,
  patchText,
  printJson,
  readOperations,
} from '@holdfast/json';
import { expect } from 'vitest';
import { touchedValues } from '../state/evaluation/touched-values.ts';
import { compileStateSchema } from './compile-state-schema.ts';
import { StateSchema } from './state-schema.ts';

/** The same numbers in each run. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
const random = randomOf(27);
const one = <T>(choices: readonly T[]): T => choices[random(choices.length)] as T;
const names = ['a', 'b', '0', '1', '__proto__', 'x~/y'];
const few = <T>(most: number, make: () => T): T[] => Array.from({ length: 1 + random(most) }, make);

/** Keywords that look at members and items one by one, at values, at names, and at the whole. */
function someSchema(levels: number): JsonValue {
  if (random(12) === 0) return random(3) > 0;
  const below = () => someSchema(levels - 1);
  const schema: Record<string, JsonValue> = {};
  const maybe = (chance: number, keyword: string, make: () => JsonValue) => {
    if (random(chance) === 0) schema[keyword] = make();
  };
  maybe(2, 'type', () => one<JsonValue>(['object', 'array', 'integer', ['integer', 'string', 'array', 'object']]));
  maybe(6, 'maximum', () => random(6));
  maybe(6, 'x-increase-max', () => random(3));
  maybe(12, 'x-write', () => 'server');
  if (levels === 0) return schema;
  maybe(2, 'properties', () => Object.fromEntries(names.filter(() => random(2) === 0).map((name) => [name, below()])));
  maybe(4, 'additionalProperties', below);
  maybe(5, 'patternProperties', () => ({ [one(['^a', '0|1', '.'])]: unruled(below()) }));
  maybe(3, 'items', below);
  maybe(5, 'prefixItems', () => few(2, below));
  maybe(6, 'allOf', () => few(2, () => unruled(below())));
  maybe(8, '$ref', () => one(['#/$defs/one', '#/$defs/two']));
  maybe(10, 'required', () => [one(names)]);
  maybe(10, 'maxProperties', () => 1 + random(4));
  maybe(10, 'propertyNames', () => ({ pattern: one(['a', '.']) }));
  maybe(10, 'dependentRequired', () => ({ [one(names)]: [one(names)] }));
  maybe(12, 'maxItems', () => 1 + random(4));
  maybe(12, 'uniqueItems', () => true);
  maybe(12, 'contains', () => unruled(below()));
  maybe(12, 'anyOf', () => few(2, () => unruled(below())));
  maybe(14, 'not', () => unruled(below()));
  maybe(14, 'const', () => someValue(1));
  maybe(14, 'unevaluatedProperties', () => unruled(below()));
  return schema;
}

/** Rules are only allowed where no write can escape them. */
const unruled = (schema: JsonValue): JsonValue =>
  JSON.parse(JSON.stringify(schema, (name, value) => (name.startsWith('x-') && name !== 'x~/y' ? undefined : value)));

function someValue(levels: number): JsonValue {
  const kind = random(levels === 0 ? 3 : 7);
  if (kind < 2) return random(8);
  if (kind === 2) return one<JsonValue>([null, 'a', true, 1.5]);
  if (kind < 5) return Array.from({ length: random(4) }, () => someValue(levels - 1));
  return someObject(levels);
}
const someObject = (levels: number): JsonObject =>
  Object.fromEntries(names.filter(() => random(2) === 0).map((name) => [name, someValue(levels - 1)]));

function pathsOf(value: JsonValue | undefined, path = ''): string[] {
  const children = Array.isArray(value) || isJsonObject(value) ? Object.entries(value) : [];
  const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
  return [path, ...children.flatMap(([name, child]) => pathsOf(child, `${path}/${escaped(name)}`))];
}

function someOperation(document: JsonObject): JsonObject {
  const path = one(pathsOf(document));
  if (path === '') return { op: 'add', path: `/${one(['a', 'b', '0', 'x~0~1y'])}`, value: someValue(2) };
  return random(3) > 0
    ? { op: 'replace', path, value: someValue(2) }
    : { op: 'add', path: random(2) === 0 ? path : `${path}/${one(['a', '0', '-'])}`, value: someValue(1) };
}

function someStateSchema(): StateSchema | undefined {
  const schema = someSchema(3);
  const $defs = { one: unruled(someSchema(1)), two: unruled(someSchema(0)) };
  const written = isJsonObject(schema) ? { ...schema, $defs } : schema;
  try {
    return new StateSchema(compileStateSchema(JSON.stringify(written)).compiled);
  } catch {
    return undefined; // a cycle, or a rule that can be escaped
  }
}

const told = (
  violations: readonly { readonly path: string; readonly keyword: string; readonly schemaLocation: string }[],
) => [...new Set(violations.map(({ path, keyword, schemaLocation }) => `${path} ${keyword} ${schemaLocation}`))].sort();

/** Validates this many random patches in both ways. */
export function validateTouched(patches: number): void {
  let [validated, known, misfits] = [0, 0, 0];
  while (validated < patches) {
    const stateSchema = someStateSchema();
    if (stateSchema === undefined) continue;
    for (let round = 0; round < 20; round++) {
      const document = someObject(3);
      if (stateSchema.validate(document).length > 0) continue;
      const text = printJson(document);
      const operations = readOperations(few(2, () => someOperation(document)));
      if ('kind' in operations) continue;
      const patched = patchText(text, operations);
      if (patched.kind !== 'patched') continue;
      validated++;
      for (const byPlayer of [false, true]) {
        const touched = touchedValues(operations, patched.edits, text, byPlayer && stateSchema.hasRules);
        const found = touched && stateSchema.validateTouched(touched, byPlayer, 1_000_000);
        if (found === undefined) continue;
        const whole = stateSchema.validate(parseDocument(patched.text), byPlayer ? { before: document } : undefined);
        known++;
        if (whole.length > 0) misfits++;
        if (whole.length < 20) expect(told(found), JSON.stringify({ text, operations })).toEqual(told(whole));
        else expect(found).not.toEqual([]);
      }
    }
  }
  expect(known).toBeGreaterThan(validated / 4);
  expect(misfits).toBeGreaterThan(known / 20);
  expect(known - misfits).toBeGreaterThan(known / 20);
}
