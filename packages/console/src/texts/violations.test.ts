/** Every message of the service about schema violations is translated to German. */
import {
  fillFrom,
  flagFaultMessages,
  flagMessages,
  type Patterns,
  patternFaultMessages,
  schemaFaultMessages,
  schemaWarningMessages,
} from '@holdfast/contract/messages';
import type { JsonObject } from '@holdfast/json';
import { expect, it } from 'vitest';
import { findingsOf } from '../../../server/src/flags/findings.ts';
import { compileStateSchema } from '../../../server/src/schemas/compile-state-schema.ts';
import { readNewSchema } from '../../../server/src/schemas/new-schema.ts';
import { SchemaFault } from '../../../server/src/schemas/schema-fault.ts';
import { StateSchema } from '../../../server/src/schemas/state-schema.ts';
import { texts as violationsDe } from './violations-de.ts';
import { ruleMessages } from './violations-en.ts';

const validate = (schema: JsonObject, a: JsonObject['a'] | undefined, before?: JsonObject) => {
  const document = a === undefined ? {} : { a };
  const stateSchema = new StateSchema(compileStateSchema(JSON.stringify({ properties: { a: schema } })).compiled);
  return before === undefined ? stateSchema.validate(document) : stateSchema.validate(document, { before });
};

it.each([
  ['muss eine ganze Zahl oder ein Text sein', { type: ['integer', 'string'] }, true],
  ['muss einer der erlaubten Werte sein', { enum: [1, 2] }, 3],
  ['muss der einzige erlaubte Wert sein', { const: 1 }, 2],
  ['muss ein Vielfaches von 0.5 sein', { multipleOf: 0.5 }, 0.7],
  ['darf höchstens 9 sein', { maximum: 9 }, 10],
  ['muss kleiner als 9 sein', { exclusiveMaximum: 9 }, 9],
  ['muss mindestens 1 sein', { minimum: 1 }, 0],
  ['muss größer als 1 sein', { exclusiveMinimum: 1 }, 1],
  ['darf höchstens 2 Zeichen haben', { maxLength: 2 }, 'abc'],
  ['muss mindestens 2 Zeichen haben', { minLength: 2 }, 'a'],
  ['muss zum Muster passen', { pattern: '^x' }, 'a'],
  ['darf höchstens 1 Eintrag haben', { maxItems: 1 }, [1, 2]],
  ['muss mindestens 1 Eintrag haben', { minItems: 1 }, []],
  ['darf keinen Eintrag zweimal enthalten', { uniqueItems: true }, [1, 1]],
  ['darf höchstens 1 Feld haben', { maxProperties: 1 }, { b: 1, c: 1 }],
  ['muss mindestens 1 Feld haben', { minProperties: 1 }, {}],
  ['muss „price“ enthalten', { required: ['price'] }, {}],
  ['muss „price“ enthalten', { dependentRequired: { b: ['price'] } }, { b: 1 }],
  ['muss mindestens 1 Eintrag haben, der zu „contains“ passt', { contains: { const: 1 } }, []],
  ['muss 1 bis 2 Einträge haben, die zu „contains“ passen', { contains: { const: 1 }, maxContains: 2 }, []],
  ['muss zu mindestens einem Schema von „anyOf“ passen', { anyOf: [{ const: 1 }, { const: 2 }] }, 3],
  ['muss zu genau einem Schema von „oneOf“ passen, nicht zu 0', { oneOf: [{ const: 1 }, { const: 2 }] }, 3],
  ['darf nicht zum Schema von „not“ passen', { not: { const: 1 } }, 1],
  ['ist hier nicht erlaubt', { additionalProperties: false }, { b: 1 }],
  ['darf nur von Servern geändert werden', { 'x-write': 'server' }, 2, { a: 1 }],
  ['darf pro Änderung um höchstens 5 steigen', { 'x-increase-max': 5 }, 9, { a: 1 }],
  ['darf pro Änderung um höchstens 5 sinken', { 'x-decrease-max': 5 }, 1, { a: 9 }],
  ['muss eine Zahl sein und bleiben', { 'x-increase-max': 5 }, 'a', { a: 1 }],
  ['muss alle Einträge behalten; neue dürfen nur am Ende hinzukommen', { 'x-append-only': true }, [2], { a: [1] }],
] as const)('%s', (german, schema, value, before) => {
  expect(violationsDe.violation(validate(schema, value, before)[0]?.message ?? '')).toBe(german);
});

it.each([
  ['„propertys“ ist kein Schlüsselwort von JSON Schema und prüft nichts; meinten Sie „properties“?', { propertys: {} }],
  ['„gold“ ist kein Schlüsselwort von JSON Schema und prüft nichts', { gold: 1, required: ['a'] }],
  ['das Schema lehnt nichts ab: Jedes Dokument passt', { type: 'object' }],
  [
    'das Schema steht in einem Objekt mit „mode“ und „schema“ und prüft deshalb nichts: Verwenden Sie nur den Inhalt von „schema“',
    { mode: 'enforce', schema: {} },
  ],
] as const)('for a schema warning: %s', (german, schema) => {
  const [warning] = readNewSchema(JSON.stringify(schema)).warnings;
  expect(violationsDe.warning(warning?.message ?? '')).toBe(german);
});

it.each([
  ['„minimum“ muss eine Zahl sein', { minimum: '1' }],
  ['„maxItems“ muss eine ganze Zahl ab 0 sein', { maxItems: -1 }],
  ['„anyOf“ muss mindestens ein Schema enthalten', { anyOf: [] }],
  ['„required“ darf nichts doppelt enthalten', { required: ['a', 'a'] }],
  ['„x-append-only“ muss true sein', { 'x-append-only': 1 }],
  ['„x-write“ muss „server“ sein', { 'x-write': 'client' }],
  ['„$id“ darf kein Fragment haben', { $id: 'https://example.com/a#b' }],
  ['„$anchor“ muss ein Name aus Buchstaben, Ziffern, „.“, „_“ und „-“ sein', { $anchor: 'a b' }],
  ['„$ref“ führt zu keinem Teil dieses Schemas: Verweise nach außen werden nie geladen', { $ref: '#/no' }],
  ['„type“ muss einer dieser Typen sein: null, boolean, object, array, number, string, integer', { type: 'text' }],
  [
    '„pattern“ wird abgelehnt: das Muster ist kein gültiger regulärer Ausdruck (ECMA-262 mit dem Flag „u“)',
    { pattern: '(' },
  ],
  ['das Schema enthält mehr als 5000 Schemas', { allOf: Array.from({ length: 5_001 }, () => true) }],
] as const)('for a schema itself: %s', (german, schema) => {
  const compile = () => validate(schema, 1);
  expect(compile).toThrow(SchemaFault);
  try {
    compile();
  } catch (fault) {
    expect(violationsDe.violation(fault instanceof SchemaFault ? fault.message : '')).toBe(german);
  }
});

it.each([
  ['nicht verwendbar: „defaultVariant“ muss eine der Varianten nennen', { defaultVariant: 'c' }],
  ['nicht verwendbar: unbekannter Operator „nope“', { targeting: { nope: [] } }],
  ['seine Regeln nennen eine Variante, die es nicht gibt: „c“', { targeting: { if: [true, 'c', 'a'] } }],
  ['seine Varianten haben verschiedene Typen: boolean, number', { variants: { a: true, b: 1 } }],
] as const)('for a flag: %s', (german, part) => {
  const flag = { state: 'ENABLED', variants: { a: true, b: false }, defaultVariant: 'a', ...part };
  const [finding] = findingsOf(JSON.stringify({ flags: { flag } }), [], () => undefined);
  expect(violationsDe.flag(finding?.message ?? '')).toBe(german);
});

it('an unknown violation keeps the text of the service', () => {
  for (const message of ['must be something new', 'is a message of a later release']) {
    const { violation, warning, flag } = violationsDe;
    expect([violation, warning, flag].map((say) => say(message))).toEqual([message, message, message]);
  }
});

it.each([
  ['violation', ruleMessages],
  ['violation', schemaFaultMessages],
  ['warning', schemaWarningMessages],
  ['flag', flagMessages],
] as const)('each %s has a German sentence with all its parameters', (kind, patterns: Patterns) => {
  for (const [name, pattern] of Object.entries(patterns)) {
    const names = [...pattern.matchAll(/\{([a-z]\w*)\}/g)].map(([, parameter = '']) => parameter);
    const values = names.map((parameter, index) => (parameter === 'types' ? 'integer' : `value ${index}`));
    const message = fillFrom(
      pattern,
      Object.fromEntries(names.map((parameter, index) => [parameter, values[index] ?? ''])),
    );
    const german = violationsDe[kind](message);
    expect(german, name).not.toBe(message);
    expect(german, name).not.toMatch(/nutzer|user/i);
    for (const value of values) expect(german, name).toMatch(value === 'integer' ? /integer|eine ganze Zahl/ : value);
  }
});

it('reasons inside a sentence are translated too', () => {
  for (const reason of Object.values(patternFaultMessages))
    expect(violationsDe.violation(`"pattern" is refused: ${reason}`)).toMatch(/^„pattern“ wird abgelehnt: das Muster /);
  for (const reason of Object.values(flagFaultMessages))
    expect(violationsDe.flag(`the flag cannot be used: ${reason}`)).not.toContain(reason);
});
