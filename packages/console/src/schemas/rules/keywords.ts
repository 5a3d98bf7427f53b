/** The keywords of a schema: how they are suggested, and how rules are shown. */
import type { SchemaKeywordTexts } from '../../texts/schema-keywords-en.ts';

interface Suggested {
  readonly name: keyof SchemaKeywordTexts;
  /** The initial text after the colon; `|` is the cursor's position. */
  readonly value: string;
  /** How lists of rules show it: in words, only mentioned, or not at all. Without a role, it belongs to another keyword. */
  readonly role?: 'worded' | 'mentioned' | 'silent';
  /** What its value contains instead of keywords: names of properties or definitions, or data without schemas. */
  readonly holds?: 'names' | 'data';
  /** Only for schemas of user states: a rule of change. */
  readonly isOfChange?: true;
}

export const suggestedKeywords: readonly Suggested[] = [
  { name: 'type', value: '"|"', role: 'worded' },
  { name: 'properties', value: '{ | }', role: 'silent', holds: 'names' },
  { name: 'required', value: '["|"]', role: 'silent', holds: 'data' },
  { name: 'additionalProperties', value: '|false', role: 'silent' },
  { name: 'patternProperties', value: '{ | }', role: 'mentioned', holds: 'names' },
  { name: 'propertyNames', value: '{ | }', role: 'mentioned' },
  { name: 'minProperties', value: '|1', role: 'worded' },
  { name: 'maxProperties', value: '|100', role: 'worded' },
  { name: 'dependentRequired', value: '{ | }', role: 'mentioned', holds: 'names' },
  { name: 'dependentSchemas', value: '{ | }', role: 'mentioned', holds: 'names' },
  { name: 'unevaluatedProperties', value: '|false', role: 'mentioned' },
  { name: 'items', value: '{ | }', role: 'silent' },
  { name: 'prefixItems', value: '[ | ]', role: 'mentioned' },
  { name: 'contains', value: '{ | }', role: 'mentioned' },
  { name: 'minContains', value: '|1' },
  { name: 'maxContains', value: '|1' },
  { name: 'minItems', value: '|1', role: 'worded' },
  { name: 'maxItems', value: '|100', role: 'worded' },
  { name: 'uniqueItems', value: '|true', role: 'worded' },
  { name: 'unevaluatedItems', value: '|false', role: 'mentioned' },
  { name: 'minimum', value: '|0', role: 'worded' },
  { name: 'maximum', value: '|100', role: 'worded' },
  { name: 'exclusiveMinimum', value: '|0', role: 'worded' },
  { name: 'exclusiveMaximum', value: '|100', role: 'worded' },
  { name: 'multipleOf', value: '|1', role: 'worded' },
  { name: 'minLength', value: '|1', role: 'worded' },
  { name: 'maxLength', value: '|100', role: 'worded' },
  { name: 'pattern', value: '"|"', role: 'worded' },
  { name: 'enum', value: '[ | ]', role: 'worded', holds: 'data' },
  { name: 'const', value: '|""', role: 'worded', holds: 'data' },
  { name: 'allOf', value: '[ | ]' },
  { name: 'anyOf', value: '[ | ]', role: 'mentioned' },
  { name: 'oneOf', value: '[ | ]', role: 'mentioned' },
  { name: 'not', value: '{ | }', role: 'mentioned' },
  { name: 'if', value: '{ | }', role: 'mentioned' },
  { name: 'then', value: '{ | }' },
  { name: 'else', value: '{ | }' },
  { name: '$ref', value: '"#/$defs/|"' },
  { name: '$defs', value: '{ | }', role: 'silent', holds: 'names' },
  { name: '$schema', value: '"https://json-schema.org/draft/2020-12/schema"|', role: 'silent' },
  { name: '$comment', value: '"|"', role: 'silent' },
  { name: 'title', value: '"|"', role: 'silent' },
  { name: 'description', value: '"|"', role: 'silent' },
  { name: 'x-write', value: '"server"|', role: 'worded', isOfChange: true },
  { name: 'x-increase-max', value: '|1', role: 'worded', isOfChange: true },
  { name: 'x-decrease-max', value: '|0', role: 'worded', isOfChange: true },
  { name: 'x-append-only', value: 'true|', role: 'worded', isOfChange: true },
];

/** Keywords that are not suggested, since they are not rules. */
const others = [
  '$id $anchor $dynamicAnchor $vocabulary definitions default examples deprecated readOnly writeOnly x-ui',
  'format contentEncoding contentMediaType contentSchema',
].flatMap((names) => names.split(' '));

const namesOf = (isOne: (keyword: Suggested) => boolean, ...more: readonly string[]): ReadonlySet<string> =>
  new Set([...suggestedKeywords.filter(isOne).map(({ name }) => name), ...more]);

/** The rules that a list shows in words. */
export const wordedKeywords = namesOf(({ role }) => role === 'worded');
/** The rules that a list only mentions. */
export const mentionedKeywords = namesOf(({ role }) => role === 'mentioned');
/** Keywords that check nothing, or hold the rules of further fields. */
export const silentKeywords = namesOf(({ role }) => role === 'silent', ...others);

/** Members whose own members are named after properties or definitions, not keywords. */
export const namesOfOthers = namesOf(({ holds }) => holds === 'names');

/** Members whose values contain no schema, so nothing is suggested there. */
export const plainValues = namesOf(({ holds }) => holds === 'data', 'default', 'examples');

/** The values of `type`. */
export const typeNames = ['object', 'array', 'string', 'integer', 'number', 'boolean', 'null'] as const;
