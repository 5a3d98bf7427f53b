/** Keywords of a schema and their explanations, for completion. */
import type { Language } from '../texts/index.ts';

interface Keyword {
  readonly name: string;
  /** The initial text after the colon; `|` is the cursor's position. */
  readonly value: string;
  readonly en: string;
  readonly de: string;
  /** Only for schemas of user states: a rule of change. */
  readonly isRule?: true;
}

export const keywords: readonly Keyword[] = [
  { name: 'type', value: '"|"', en: 'kind of value', de: 'Art des Werts' },
  { name: 'properties', value: '{ | }', en: 'schemas of members by name', de: 'Schemas der Mitglieder nach Name' },
  { name: 'required', value: '["|"]', en: 'members that must be there', de: 'Mitglieder, die da sein müssen' },
  {
    name: 'additionalProperties',
    value: '|false',
    en: 'schema of all other members',
    de: 'Schema aller anderen Mitglieder',
  },
  {
    name: 'patternProperties',
    value: '{ | }',
    en: 'schemas of members by pattern',
    de: 'Schemas der Mitglieder nach Muster',
  },
  { name: 'propertyNames', value: '{ | }', en: 'schema of the names', de: 'Schema der Namen' },
  { name: 'minProperties', value: '|1', en: 'fewest members', de: 'wenigste Mitglieder' },
  { name: 'maxProperties', value: '|100', en: 'most members', de: 'meiste Mitglieder' },
  { name: 'dependentRequired', value: '{ | }', en: 'members that others need', de: 'Mitglieder, die andere brauchen' },
  { name: 'dependentSchemas', value: '{ | }', en: 'schemas if a member is there', de: 'Schemas, wenn ein Mitglied da ist' },
  {
    name: 'unevaluatedProperties',
    value: '|false',
    en: 'schema of members nothing has judged',
    de: 'Schema nicht beurteilter Mitglieder',
  },
  { name: 'items', value: '{ | }', en: 'schema of the elements', de: 'Schema der Elemente' },
  { name: 'prefixItems', value: '[ | ]', en: 'schemas of the first elements', de: 'Schemas der ersten Elemente' },
  { name: 'contains', value: '{ | }', en: 'schema that an element fits', de: 'Schema, zu dem ein Element passt' },
  { name: 'minContains', value: '|1', en: 'fewest that fit “contains”', de: 'wenigste, die zu „contains“ passen' },
  { name: 'maxContains', value: '|1', en: 'most that fit “contains”', de: 'meiste, die zu „contains“ passen' },
  { name: 'minItems', value: '|1', en: 'fewest elements', de: 'wenigste Elemente' },
  { name: 'maxItems', value: '|100', en: 'most elements', de: 'meiste Elemente' },
  { name: 'uniqueItems', value: '|true', en: 'no two elements are equal', de: 'keine zwei Elemente gleich' },
  {
    name: 'unevaluatedItems',
    value: '|false',
    en: 'schema of elements nothing has judged',
    de: 'Schema nicht beurteilter Elemente',
  },
  { name: 'minimum', value: '|0', en: 'smallest number', de: 'kleinste Zahl' },
  { name: 'maximum', value: '|100', en: 'largest number', de: 'größte Zahl' },
  { name: 'exclusiveMinimum', value: '|0', en: 'larger than', de: 'größer als' },
  { name: 'exclusiveMaximum', value: '|100', en: 'smaller than', de: 'kleiner als' },
  { name: 'multipleOf', value: '|1', en: 'a multiple of', de: 'ein Vielfaches von' },
  { name: 'minLength', value: '|1', en: 'shortest text', de: 'kürzester Text' },
  { name: 'maxLength', value: '|100', en: 'longest text', de: 'längster Text' },
  { name: 'pattern', value: '"|"', en: 'regular expression of the text', de: 'regulärer Ausdruck des Texts' },
  { name: 'enum', value: '[ | ]', en: 'one of these values', de: 'einer dieser Werte' },
  { name: 'const', value: '|""', en: 'exactly this value', de: 'genau dieser Wert' },
  { name: 'allOf', value: '[ | ]', en: 'fits all of these', de: 'passt zu allen davon' },
  { name: 'anyOf', value: '[ | ]', en: 'fits one of these, or more', de: 'passt zu mindestens einem davon' },
  { name: 'oneOf', value: '[ | ]', en: 'fits exactly one of these', de: 'passt zu genau einem davon' },
  { name: 'not', value: '{ | }', en: 'does not fit this', de: 'passt nicht dazu' },
  { name: 'if', value: '{ | }', en: 'condition of “then” and “else”', de: 'Bedingung von „then“ und „else“' },
  { name: 'then', value: '{ | }', en: 'schema if “if” fits', de: 'Schema, wenn „if“ passt' },
  { name: 'else', value: '{ | }', en: 'schema if “if” does not fit', de: 'Schema, wenn „if“ nicht passt' },
  { name: '$ref', value: '"#/$defs/|"', en: 'another part of this schema', de: 'ein anderer Teil dieses Schemas' },
  { name: '$defs', value: '{ | }', en: 'schemas to refer to', de: 'Schemas, auf die verwiesen wird' },
  { name: '$schema', value: '"https://json-schema.org/draft/2020-12/schema"|', en: 'the dialect', de: 'der Dialekt' },
  { name: '$comment', value: '"|"', en: 'for readers of the schema', de: 'für die, die das Schema lesen' },
  { name: 'title', value: '"|"', en: 'name, for people', de: 'Name, für Menschen' },
  { name: 'description', value: '"|"', en: 'what it is, for people', de: 'was es ist, für Menschen' },
  { name: 'x-write', value: '"server"|', en: 'only servers write it', de: 'nur Server schreiben es', isRule: true },
  {
    name: 'x-increase-max',
    value: '|1',
    en: 'most that one write adds',
    de: 'was ein Schreiben höchstens dazutut',
    isRule: true,
  },
  {
    name: 'x-decrease-max',
    value: '|0',
    en: 'most that one write takes',
    de: 'was ein Schreiben höchstens wegnimmt',
    isRule: true,
  },
  {
    name: 'x-append-only',
    value: 'true|',
    en: 'elements are only added, at the end',
    de: 'Elemente kommen nur am Ende dazu',
    isRule: true,
  },
];

/** The values of `type`. */
export const typeNames = ['object', 'array', 'string', 'integer', 'number', 'boolean', 'null'] as const;

/** Members whose own members are named after properties or definitions, not keywords. */
export const namesOfOthers: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'dependentSchemas',
  'dependentRequired',
]);

/** Members whose values contain no schema, so nothing is suggested there. */
export const plainValues: ReadonlySet<string> = new Set(['enum', 'const', 'required', 'default', 'examples']);

export const meaningOf = (keyword: Keyword, language: Language): string => keyword[language];
