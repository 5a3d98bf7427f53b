/** What a rule demands, in the words in which the service reports that a value breaks it. */
import { isJsonObject, type JsonValue, pathOfPointer, printJson } from '@holdfast/json';
import type { SchemaViolationCount } from '../api/schemas.ts';
import { valueAt } from '../form/values.ts';

/** Literals in a sentence are shortened. */
const literalCharactersMax = 64;

const literal = (value: JsonValue): string => printJson(value).slice(0, literalCharactersMax);
const countOf = (value: JsonValue): number => (Array.isArray(value) ? value.length : 0);
const listOf = (value: JsonValue): readonly JsonValue[] => (Array.isArray(value) ? Object.values(value) : [value]);

/** The service's messages (server: schemas/keywords, schemas/change.ts), as far as they follow from the schema alone. */
const messages: Readonly<Record<string, (value: JsonValue) => string>> = {
  type: (value) => `must be ${listOf(value).join(' or ')}`,
  enum: (value) => `must be one of the ${countOf(value)} values that "enum" lists`,
  const: () => 'must be the value of "const"',
  multipleOf: (value) => `must be a multiple of ${literal(value)}`,
  maximum: (value) => `must be at most ${literal(value)}`,
  exclusiveMaximum: (value) => `must be less than ${literal(value)}`,
  minimum: (value) => `must be at least ${literal(value)}`,
  exclusiveMinimum: (value) => `must be greater than ${literal(value)}`,
  maxLength: (value) => `must have at most ${literal(value)} characters`,
  minLength: (value) => `must have at least ${literal(value)} characters`,
  maxItems: (value) => `must have at most ${literal(value)} items`,
  minItems: (value) => `must have at least ${literal(value)} items`,
  maxProperties: (value) => `must have at most ${literal(value)} members`,
  minProperties: (value) => `must have at least ${literal(value)} members`,
  pattern: () => 'must match the pattern',
  uniqueItems: () => 'must have no two equal items',
  required: (value) =>
    countOf(value) === 1
      ? `must have the member ${listOf(value).map(literal)}`
      : `must have the members ${listOf(value).map(literal).join(', ')}`,
  anyOf: (value) => `must fit one of the ${countOf(value)} schemas of "anyOf"`,
  oneOf: (value) => `must fit exactly one of the ${countOf(value)} schemas of "oneOf"`,
  not: () => 'must not fit the schema of "not"',
  false: () => 'must not be there',
  'x-write': () => 'is a value that only servers write',
  'x-increase-max': (value) => `may increase by at most ${literal(value)} in one write`,
  'x-decrease-max': (value) => `may decrease by at most ${literal(value)} in one write`,
  'x-append-only': () => 'must keep what it had and may only grow at its end',
};

/** Returns the message about a keyword at its position in a schema; the keyword itself if it depends on the document. */
export function ruleMessage(
  schema: JsonValue,
  { keyword, schemaLocation }: Pick<SchemaViolationCount, 'keyword' | 'schemaLocation'>,
): string {
  const value = isJsonObject(schema) ? valueAt(schema, pathOfPointer(schemaLocation.replace(/^#/, ''))) : schema;
  const say = Object.hasOwn(messages, keyword) ? messages[keyword] : undefined;
  return say === undefined || value === undefined ? keyword : say(value);
}
