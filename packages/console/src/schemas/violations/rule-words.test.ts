/** What a rule demands is said in the words of the service's own messages about a value that breaks it. */
import type { JsonObject } from '@holdfast/json';
import { expect, it } from 'vitest';
import { compileStateSchema } from '../../../../server/src/schemas/compile-state-schema.ts';
import { StateSchema } from '../../../../server/src/schemas/state-schema.ts';
import { texts as german } from '../../texts/violations-de.ts';
import { ruleMessage } from './rule-words.ts';

/** In English and German. */
function wordsOf(...parameters: Parameters<typeof ruleMessage>): readonly string[] {
  const message = ruleMessage(...parameters) ?? '';
  return [message, german.violation(message)];
}

it.each<[JsonObject, JsonObject['a'], JsonObject?]>([
  [{ type: ['integer', 'string'] }, true],
  [{ type: 'boolean' }, 1],
  [{ enum: [1, 2] }, 3],
  [{ const: 1 }, 2],
  [{ multipleOf: 0.5 }, 0.7],
  [{ maximum: 9 }, 10],
  [{ exclusiveMaximum: 9 }, 9],
  [{ minimum: 1 }, 0],
  [{ exclusiveMinimum: 1 }, 1],
  [{ maxLength: 2 }, 'abc'],
  [{ minLength: 2 }, 'a'],
  [{ pattern: '^x' }, 'a'],
  [{ maxItems: 1 }, [1, 2]],
  [{ minItems: 1 }, []],
  [{ uniqueItems: true }, [1, 1]],
  [{ maxProperties: 1 }, { b: 1, c: 1 }],
  [{ minProperties: 1 }, {}],
  [{ required: ['price'] }, {}],
  [{ anyOf: [{ const: 1 }, { const: 2 }] }, 3],
  [{ not: { const: 1 } }, 1],
  [{ properties: { b: false } }, { b: 1 }],
  [{ 'x-write': 'server' }, 2, { a: 1 }],
  [{ 'x-increase-max': 1 }, 3, { a: 1 }],
  [{ 'x-decrease-max': 1 }, 1, { a: 3 }],
  [{ 'x-append-only': true }, [], { a: [1] }],
])('%j', (rules, a, before) => {
  const schema = { properties: { a: rules } };
  const stateSchema = new StateSchema(compileStateSchema(JSON.stringify(schema)).compiled);
  const [violation] = stateSchema.validate({ a: a ?? null }, before && { before });
  expect(violation).toBeDefined();
  const { message = '' } = violation ?? {};
  expect(violation && wordsOf(schema, violation)).toEqual([message, german.violation(message)]);
});

it('several members that are required are all named, and what else depends on a value is left out', () => {
  const schema = { required: ['a', 'b'], oneOf: [true, false], contains: true };
  const both = (keyword: string) => wordsOf(schema, { keyword, schemaLocation: `#/${keyword}` });
  expect(both('required')).toEqual(['must contain "a", "b"', 'muss „a“, „b“ enthalten']);
  expect(both('oneOf')).toEqual([
    'must fit exactly one schema in "oneOf"',
    'muss zu genau einem Schema von „oneOf“ passen',
  ]);
  expect(both('contains')).toEqual(['', '']);
});
