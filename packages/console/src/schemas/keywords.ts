/** Keywords of a schema, for completion. */
import type { SchemaKeywordTexts } from '../texts/schema-keywords-en.ts';

interface Keyword {
  readonly name: keyof SchemaKeywordTexts;
  /** The initial text after the colon; `|` is the cursor's position. */
  readonly value: string;
  /** Only for schemas of user states: a rule of change. */
  readonly isRule?: true;
}

export const keywords: readonly Keyword[] = [
  { name: 'type', value: '"|"' },
  { name: 'properties', value: '{ | }' },
  { name: 'required', value: '["|"]' },
  { name: 'additionalProperties', value: '|false' },
  { name: 'patternProperties', value: '{ | }' },
  { name: 'propertyNames', value: '{ | }' },
  { name: 'minProperties', value: '|1' },
  { name: 'maxProperties', value: '|100' },
  { name: 'dependentRequired', value: '{ | }' },
  { name: 'dependentSchemas', value: '{ | }' },
  { name: 'unevaluatedProperties', value: '|false' },
  { name: 'items', value: '{ | }' },
  { name: 'prefixItems', value: '[ | ]' },
  { name: 'contains', value: '{ | }' },
  { name: 'minContains', value: '|1' },
  { name: 'maxContains', value: '|1' },
  { name: 'minItems', value: '|1' },
  { name: 'maxItems', value: '|100' },
  { name: 'uniqueItems', value: '|true' },
  { name: 'unevaluatedItems', value: '|false' },
  { name: 'minimum', value: '|0' },
  { name: 'maximum', value: '|100' },
  { name: 'exclusiveMinimum', value: '|0' },
  { name: 'exclusiveMaximum', value: '|100' },
  { name: 'multipleOf', value: '|1' },
  { name: 'minLength', value: '|1' },
  { name: 'maxLength', value: '|100' },
  { name: 'pattern', value: '"|"' },
  { name: 'enum', value: '[ | ]' },
  { name: 'const', value: '|""' },
  { name: 'allOf', value: '[ | ]' },
  { name: 'anyOf', value: '[ | ]' },
  { name: 'oneOf', value: '[ | ]' },
  { name: 'not', value: '{ | }' },
  { name: 'if', value: '{ | }' },
  { name: 'then', value: '{ | }' },
  { name: 'else', value: '{ | }' },
  { name: '$ref', value: '"#/$defs/|"' },
  { name: '$defs', value: '{ | }' },
  { name: '$schema', value: '"https://json-schema.org/draft/2020-12/schema"|' },
  { name: '$comment', value: '"|"' },
  { name: 'title', value: '"|"' },
  { name: 'description', value: '"|"' },
  { name: 'x-write', value: '"server"|', isRule: true },
  { name: 'x-increase-max', value: '|1', isRule: true },
  { name: 'x-decrease-max', value: '|0', isRule: true },
  { name: 'x-append-only', value: 'true|', isRule: true },
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
