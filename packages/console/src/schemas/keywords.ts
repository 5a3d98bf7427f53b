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
  { name: 'properties', value: '{ | }', en: 'schemas of members by name', de: 'Schemas der Einträge nach Namen' },
  { name: 'required', value: '["|"]', en: 'members that are required', de: 'erforderliche Einträge' },
  {
    name: 'additionalProperties',
    value: '|false',
    en: 'schema of all other members',
    de: 'Schema aller anderen Einträge',
  },
  {
    name: 'patternProperties',
    value: '{ | }',
    en: 'schemas of members by pattern',
    de: 'Schemas der Einträge nach Muster',
  },
  { name: 'propertyNames', value: '{ | }', en: 'schema of the names', de: 'Schema der Namen' },
  { name: 'minProperties', value: '|1', en: 'minimum number of members', de: 'Mindestzahl der Einträge' },
  { name: 'maxProperties', value: '|100', en: 'maximum number of members', de: 'Höchstzahl der Einträge' },
  { name: 'dependentRequired', value: '{ | }', en: 'members that others require', de: 'Einträge, die andere voraussetzen' },
  { name: 'dependentSchemas', value: '{ | }', en: 'schemas if a member exists', de: 'Schemas, wenn ein Eintrag existiert' },
  {
    name: 'unevaluatedProperties',
    value: '|false',
    en: 'schema of members not checked yet',
    de: 'Schema noch ungeprüfter Einträge',
  },
  { name: 'items', value: '{ | }', en: 'schema of the elements', de: 'Schema der Elemente' },
  { name: 'prefixItems', value: '[ | ]', en: 'schemas of the first elements', de: 'Schemas der ersten Elemente' },
  { name: 'contains', value: '{ | }', en: 'schema that some element fits', de: 'Schema, zu dem ein Element passt' },
  {
    name: 'minContains',
    value: '|1',
    en: 'minimum number that fit “contains”',
    de: 'Mindestzahl, die zu „contains“ passt',
  },
  { name: 'maxContains', value: '|1', en: 'maximum number that fit “contains”', de: 'Höchstzahl, die zu „contains“ passt' },
  { name: 'minItems', value: '|1', en: 'minimum number of elements', de: 'Mindestzahl der Elemente' },
  { name: 'maxItems', value: '|100', en: 'maximum number of elements', de: 'Höchstzahl der Elemente' },
  { name: 'uniqueItems', value: '|true', en: 'no two elements are equal', de: 'keine zwei Elemente gleich' },
  {
    name: 'unevaluatedItems',
    value: '|false',
    en: 'schema of elements not checked yet',
    de: 'Schema noch ungeprüfter Elemente',
  },
  { name: 'minimum', value: '|0', en: 'smallest number', de: 'kleinste Zahl' },
  { name: 'maximum', value: '|100', en: 'largest number', de: 'größte Zahl' },
  { name: 'exclusiveMinimum', value: '|0', en: 'larger than', de: 'größer als' },
  { name: 'exclusiveMaximum', value: '|100', en: 'smaller than', de: 'kleiner als' },
  { name: 'multipleOf', value: '|1', en: 'a multiple of', de: 'ein Vielfaches von' },
  { name: 'minLength', value: '|1', en: 'minimum length of the text', de: 'Mindestlänge des Texts' },
  { name: 'maxLength', value: '|100', en: 'maximum length of the text', de: 'Höchstlänge des Texts' },
  { name: 'pattern', value: '"|"', en: 'regular expression of the text', de: 'regulärer Ausdruck des Texts' },
  { name: 'enum', value: '[ | ]', en: 'one of these values', de: 'einer dieser Werte' },
  { name: 'const', value: '|""', en: 'exactly this value', de: 'genau dieser Wert' },
  { name: 'allOf', value: '[ | ]', en: 'fits all of these', de: 'passt zu allen diesen Schemas' },
  { name: 'anyOf', value: '[ | ]', en: 'fits at least one of these', de: 'passt zu mindestens einem davon' },
  { name: 'oneOf', value: '[ | ]', en: 'fits exactly one of these', de: 'passt zu genau einem davon' },
  { name: 'not', value: '{ | }', en: 'does not fit this', de: 'passt nicht zu diesem Schema' },
  { name: 'if', value: '{ | }', en: 'condition of “then” and “else”', de: 'Bedingung von „then“ und „else“' },
  { name: 'then', value: '{ | }', en: 'schema if “if” fits', de: 'Schema, wenn „if“ passt' },
  { name: 'else', value: '{ | }', en: 'schema if “if” does not fit', de: 'Schema, wenn „if“ nicht passt' },
  { name: '$ref', value: '"#/$defs/|"', en: 'another part of this schema', de: 'ein anderer Teil dieses Schemas' },
  { name: '$defs', value: '{ | }', en: 'schemas for “$ref”', de: 'Schemas für „$ref“' },
  { name: '$schema', value: '"https://json-schema.org/draft/2020-12/schema"|', en: 'the dialect', de: 'der Dialekt' },
  { name: '$comment', value: '"|"', en: 'comment on the schema', de: 'Kommentar zum Schema' },
  { name: 'title', value: '"|"', en: 'name for people', de: 'Name für Menschen' },
  { name: 'description', value: '"|"', en: 'description for people', de: 'Beschreibung für Menschen' },
  {
    name: 'x-write',
    value: '"server"|',
    en: 'only servers can change it',
    de: 'nur Server können es ändern',
    isRule: true,
  },
  {
    name: 'x-increase-max',
    value: '|1',
    en: 'maximum increase per write',
    de: 'höchste Zunahme pro Änderung',
    isRule: true,
  },
  {
    name: 'x-decrease-max',
    value: '|0',
    en: 'maximum decrease per write',
    de: 'höchste Abnahme pro Änderung',
    isRule: true,
  },
  {
    name: 'x-append-only',
    value: 'true|',
    en: 'elements can only be added at the end',
    de: 'neue Elemente nur am Ende',
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
