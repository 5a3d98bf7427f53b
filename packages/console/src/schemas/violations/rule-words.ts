/** What a rule demands, in the words in which the service reports that a value breaks it. */
import { type Filling, fillFrom, shownName, shownNumber, typeSeparator } from '@holdfast/contract/messages';
import { isJsonObject, type JsonValue, pathOfPointer, printJson } from '@holdfast/json';
import type { SchemaViolationCount } from '../../api/schemas.ts';
import { valueAt } from '../../fields/values.ts';
import { ruleMessages } from '../../texts/violations-en.ts';

const listOf = (value: JsonValue): readonly JsonValue[] => (Array.isArray(value) ? Object.values(value) : [value]);
const none = (): [] => [];
const limit = (value: JsonValue): [{ limit: string }] => [{ limit: shownNumber(printJson(value)) }];
const step = (value: JsonValue): [{ step: string }] => [{ step: shownNumber(printJson(value)) }];
const namesIn = (value: JsonValue): string =>
  listOf(value)
    .map((name) => shownName(String(name)))
    .join(', ');

/** The parameters of the messages that follow from the value of a keyword. */
const parametersOf = {
  type: (value: JsonValue): [{ types: string }] => [{ types: listOf(value).join(typeSeparator) }],
  enum: none,
  const: none,
  multipleOf: step,
  maximum: limit,
  exclusiveMaximum: limit,
  minimum: limit,
  exclusiveMinimum: limit,
  maxLength: limit,
  minLength: limit,
  maxItems: limit,
  minItems: limit,
  maxProperties: limit,
  minProperties: limit,
  pattern: none,
  uniqueItems: none,
  member: (value: JsonValue): [{ member: string }] => [{ member: namesIn(value) }],
  anyOf: none,
  exactlyOne: none,
  not: none,
  false: none,
  'x-write': none,
  'x-increase-max': step,
  'x-decrease-max': step,
  'x-append-only': none,
} satisfies { readonly [Name in keyof typeof ruleMessages]?: (value: JsonValue) => Filling<(typeof ruleMessages)[Name]> };

/** Returns what a keyword demands at its position in a schema; undefined if that depends on more than its value. */
export function ruleMessage(
  schema: JsonValue,
  { keyword, schemaLocation }: Pick<SchemaViolationCount, 'keyword' | 'schemaLocation'>,
): string | undefined {
  const value = isJsonObject(schema) ? valueAt(schema, pathOfPointer(schemaLocation.replace(/^#/, ''))) : schema;
  const name = nameOf(keyword);
  if (value === undefined || name === undefined) return undefined;
  const [parameters = {}] = parametersOf[name](value);
  return fillFrom(ruleMessages[name], parameters);
}

/** The message of a keyword. */
function nameOf(keyword: string): keyof typeof parametersOf | undefined {
  if (keyword === 'required') return 'member';
  if (keyword === 'oneOf') return 'exactlyOne';
  return isNamedByKeyword(keyword) ? keyword : undefined;
}

const isNamedByKeyword = (keyword: string): keyword is keyof typeof parametersOf => Object.hasOwn(parametersOf, keyword);
