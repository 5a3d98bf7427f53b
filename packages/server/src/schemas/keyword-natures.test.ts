/** What a keyword states about itself, compared with what its check does. */
import type { JsonObject, JsonValue } from '@holdfast/json';
import { describe, expect, it } from 'vitest';
import { evaluationStepsMax } from './bounds.ts';
import { compileStateSchema } from './compile-state-schema.ts';
import { type KeywordName, natures } from './keywords.ts';
import { readNewSchema } from './new-schema.ts';
import { SchemaFault } from './schema-fault.ts';
import { StateSchema } from './state-schema.ts';

/** A schema of members, and of the items of the member `list`. */
const of = (schema: JsonObject): JsonObject => ({ properties: { a: schema } });
const ofList = (schema: JsonObject): JsonObject => ({ properties: { list: { type: 'array', ...schema } } });
const one = { const: 1 };
const ofA = of(one);
const definitions = { $defs: { x: ofA } };

/** For each keyword a schema, a document that fits, and a value in it that a patch replaces or adds so that it no longer fits. */
const cases: Readonly<Record<KeywordName, [JsonObject, JsonObject, string, JsonValue]>> = {
  type: [of({ type: 'string' }), { a: '' }, '/a', 1],
  enum: [{ enum: [{ a: 1 }] }, { a: 1 }, '/a', 2],
  const: [{ const: { a: 1 } }, { a: 1 }, '/a', 2],
  multipleOf: [of({ multipleOf: 2 }), { a: 2 }, '/a', 3],
  maximum: [of({ maximum: 1 }), { a: 1 }, '/a', 2],
  exclusiveMaximum: [of({ exclusiveMaximum: 2 }), { a: 1 }, '/a', 2],
  minimum: [of({ minimum: 1 }), { a: 1 }, '/a', 0],
  exclusiveMinimum: [of({ exclusiveMinimum: 0 }), { a: 1 }, '/a', 0],
  maxLength: [of({ maxLength: 1 }), { a: 'a' }, '/a', 'aa'],
  minLength: [of({ minLength: 1 }), { a: 'a' }, '/a', ''],
  pattern: [of({ pattern: '^a' }), { a: 'a' }, '/a', 'b'],
  maxItems: [of({ maxItems: 1 }), { a: [1] }, '/a', [1, 2]],
  minItems: [of({ minItems: 1 }), { a: [1] }, '/a', []],
  uniqueItems: [ofList({ uniqueItems: true }), { list: [1, 2] }, '/list/1', 1],
  maxProperties: [{ maxProperties: 1 }, { a: 1 }, '/b', 1],
  minProperties: [of({ minProperties: 1 }), { a: { b: 1 } }, '/a', {}],
  required: [of({ required: ['b'] }), { a: { b: 1 } }, '/a', {}],
  dependentRequired: [{ dependentRequired: { b: ['c'] } }, { a: 1 }, '/b', 1],
  properties: [ofA, { a: 1 }, '/a', 2],
  patternProperties: [{ patternProperties: { '^a': one } }, { a: 1 }, '/a', 2],
  additionalProperties: [{ additionalProperties: one }, { a: 1 }, '/a', 2],
  propertyNames: [{ propertyNames: { maxLength: 1 } }, { a: 1 }, '/aa', 1],
  dependentSchemas: [{ dependentSchemas: { b: ofA } }, { a: 1, b: 1 }, '/a', 2],
  prefixItems: [ofList({ prefixItems: [one] }), { list: [1] }, '/list/0', 2],
  items: [ofList({ items: one }), { list: [1] }, '/list/0', 2],
  contains: [ofList({ contains: one }), { list: [1] }, '/list/0', 2],
  minContains: [ofList({ contains: one, minContains: 2 }), { list: [1, 1] }, '/list/0', 2],
  maxContains: [ofList({ contains: one, maxContains: 1 }), { list: [1, 2] }, '/list/1', 1],
  $ref: [{ $ref: '#/$defs/x', ...definitions }, { a: 1 }, '/a', 2],
  $dynamicRef: [{ $dynamicRef: '#/$defs/x', ...definitions }, { a: 1 }, '/a', 2],
  allOf: [{ allOf: [ofA] }, { a: 1 }, '/a', 2],
  anyOf: [{ anyOf: [ofA, false] }, { a: 1 }, '/a', 2],
  oneOf: [{ oneOf: [ofA, false] }, { a: 1 }, '/a', 2],
  not: [{ not: { ...ofA, required: ['a'] } }, { a: 2 }, '/a', 1],
  if: [{ if: ofA, else: { required: ['b'] } }, { a: 1 }, '/a', 2],
  unevaluatedProperties: [{ unevaluatedProperties: one }, { a: 1 }, '/a', 2],
  unevaluatedItems: [ofList({ unevaluatedItems: one }), { list: [1] }, '/list/0', 2],
};

describe.each(Object.entries(cases))('%s', (_, [schema, before, pointer, value]) => {
  const text = JSON.stringify(schema);
  const path = pointer.slice(1).split('/');
  const after = structuredClone(before) as Record<string, JsonValue>;
  const [name = '', index] = path;
  const isNew = index === undefined && !Object.hasOwn(before, name);
  if (index === undefined) after[name] = value;
  else (after[name] as JsonValue[])[Number(index)] = value;

  it('is not broken unseen by a patch below', () => {
    const stateSchema = new StateSchema(compileStateSchema(text).compiled);
    const violations = stateSchema.validate(after);
    expect([stateSchema.validate(before), violations.length]).toEqual([[], 1]);
    const touched = stateSchema.validateTouched([{ path, value, isNew }], false, evaluationStepsMax);
    if (touched !== undefined) expect(touched).toEqual(violations);
  });

  it('counts as able to refuse something', () => {
    expect(readNewSchema(text).warnings).toEqual([]);
  });
});

/** A schema whose keyword contains a reference to the whole schema. */
const circular = [...natures].flatMap(([keyword, { subschemas }]) => {
  const self = { $ref: '#' };
  const value = { one: self, list: [self], members: { a: self } }[subschemas ?? 'one'];
  return subschemas === undefined ? [] : [[keyword, { if: keyword !== 'else', [keyword]: value }] as const];
});

it.each(circular)('%s leads back to the schema only where a document ends the evaluation', (_, schema) => {
  let violations: readonly { readonly keyword: string }[] = [];
  try {
    violations = new StateSchema(compileStateSchema(JSON.stringify(schema)).compiled).validate({ a: [1], b: { a: 1 } });
  } catch (fault) {
    expect(fault).toBeInstanceOf(SchemaFault);
    expect(fault).toMatchObject({ message: expect.stringContaining('refers to itself') });
  }
  expect(violations.map(({ keyword }) => keyword)).not.toContain('budget');
});
