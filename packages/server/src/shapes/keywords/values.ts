/** Keywords that look at one value by itself. @see https://json-schema.org/draft/2020-12/json-schema-validation#section-6 */
import { isJsonObject, type JsonValue } from '@holdfast/json';
import { compareNumbers, isInteger, isMultipleOf, isNumber, type JsonNumber } from '../decimal.ts';
import { keyOf } from '../equality.ts';
import type { Check, Keyword, KeywordPlace } from '../keyword.ts';
import { PatternFault } from '../pattern.ts';
import { type Run, shownName } from '../run.ts';

const types: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  object: isJsonObject,
  array: Array.isArray,
  number: isNumber,
  string: (value) => typeof value === 'string',
  integer: (value) => isNumber(value) && isInteger(value),
};

const type: Keyword = (written, at) => {
  const names = typeof written === 'string' ? [written] : at.names(written);
  const tests = names.map((name) => (Object.hasOwn(types, name) ? types[name] : undefined));
  const known = tests.filter((test) => test !== undefined);
  if (known.length === 0 || known.length < tests.length) throw at.fault(`must be of ${Object.keys(types).join(', ')}`);
  const [only] = known;
  const test = known.length === 1 && only !== undefined ? only : (value: JsonValue) => known.some((each) => each(value));
  return checked(at, test, `must be ${names.join(' or ')}`);
};

/** A check with a fixed message. */
function checked(at: KeywordPlace, test: (value: JsonValue, run: Run) => boolean, message: string): Check {
  const { keyword, location } = at;
  return (value, run) => test(value, run) || run.violation(keyword, location, message);
}

/** Values of a schema are few; looking at them is paid for by the bounds of schemas. */
const free = { spend: () => undefined };

const enumeration: Keyword = (written, at) => {
  const keys = new Set(at.list(written).map((value) => keyOf(value, free)));
  return checked(
    at,
    (value, run) => keys.has(keyOf(value, run)),
    `must be one of the ${keys.size} values that "enum" lists`,
  );
};

const constant: Keyword = (written, at) => {
  const key = keyOf(written, free);
  return checked(at, (value, run) => keyOf(value, run) === key, 'must be the value of "const"');
};

/** A keyword that compares a number with its own. */
const numeric =
  (test: (value: JsonNumber, limit: JsonNumber) => boolean, says: string): Keyword =>
  (limit, at) => {
    if (!isNumber(limit)) throw at.fault('must be a number');
    return checked(at, (value) => !isNumber(value) || test(value, limit), `must be ${says} ${shownNumber(limit)}`);
  };

/** A number of a schema in a message. */
const shownNumber = (value: JsonNumber): string => (typeof value === 'number' ? String(value) : value.rawJSON.slice(0, 40));

const multipleOf: Keyword = (divisor, at) => {
  if (!isNumber(divisor) || compareNumbers(divisor, 0) <= 0) throw at.fault('must be a number greater than 0');
  return numeric(isMultipleOf, 'a multiple of')(divisor, at);
};

/** A keyword that compares a size with its own number. `sizeOf` gives undefined for values that have no such size. */
const sized =
  (sizeOf: (value: JsonValue, run: Run) => number | undefined, isMost: boolean, unit: string): Keyword =>
  (written, at) => {
    const limit = at.count(written);
    const message = `must have at ${isMost ? 'most' : 'least'} ${limit} ${unit}`;
    const test = (value: JsonValue, run: Run) => {
      const size = sizeOf(value, run);
      return size === undefined || (isMost ? size <= limit : size >= limit);
    };
    return checked(at, test, message);
  };

/** Code points: a pair of surrogates is one. */
function characters(value: JsonValue, run: Run): number | undefined {
  if (typeof value !== 'string') return undefined;
  run.spend(value.length >> 5);
  let count = value.length;
  for (let at = 0; at < value.length - 1; at++) {
    const isPair = (value.charCodeAt(at) & 0xfc00) === 0xd800 && (value.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
    if (isPair) count--;
  }
  return count;
}

const items = (value: JsonValue) => (Array.isArray(value) ? value.length : undefined);

function members(value: JsonValue, run: Run): number | undefined {
  if (!isJsonObject(value)) return undefined;
  const { length } = Object.keys(value);
  run.spend(length >> 3);
  return length;
}

const pattern: Keyword = (written, at) => {
  const compiled = patternOf(at.text(written), at);
  return checked(at, (value, run) => typeof value !== 'string' || compiled.isIn(value, run), 'must match the pattern');
};

/** The regular expression of a keyword. Throws `SchemaFault`. */
export function patternOf(source: string, at: KeywordPlace) {
  try {
    return at.compiler.pattern(source, at.location);
  } catch (error) {
    if (error instanceof PatternFault) throw at.fault(`is refused: ${error.message}`);
    throw error;
  }
}

const uniqueItems: Keyword = (written, at) => {
  if (typeof written !== 'boolean') throw at.fault('must be a boolean');
  if (!written) return undefined;
  const areUnique = (value: JsonValue, run: Run) =>
    !Array.isArray(value) || new Set(value.map((item) => keyOf(item, run))).size === value.length;
  return checked(at, areUnique, 'must have no two equal items');
};

const required: Keyword = (written, at) => {
  const names = at.names(written);
  return (value, run) => !isJsonObject(value) || hasAll(value, names, at, run);
};

const dependentRequired: Keyword = (written, at) => {
  const dependencies = at.members(written).map(([name, names]) => ({ name, names: at.names(names) }));
  return (value, run) => {
    if (!isJsonObject(value)) return true;
    const met = dependencies.filter(({ name, names }) => Object.hasOwn(value, name) && !hasAll(value, names, at, run));
    return met.length === 0;
  };
};

function hasAll(value: object, names: readonly string[], { keyword, location }: KeywordPlace, run: Run): boolean {
  run.spend(names.length >> 3);
  let result = true;
  for (const name of names) {
    if (Object.hasOwn(value, name)) continue;
    result = false;
    run.violation(keyword, location, `must have the member ${shownName(name)}`);
  }
  return result;
}

export const valueKeywords: Readonly<Record<string, Keyword>> = {
  type,
  enum: enumeration,
  const: constant,
  multipleOf,
  maximum: numeric((value, limit) => compareNumbers(value, limit) <= 0, 'at most'),
  exclusiveMaximum: numeric((value, limit) => compareNumbers(value, limit) < 0, 'less than'),
  minimum: numeric((value, limit) => compareNumbers(value, limit) >= 0, 'at least'),
  exclusiveMinimum: numeric((value, limit) => compareNumbers(value, limit) > 0, 'greater than'),
  maxLength: sized(characters, true, 'characters'),
  minLength: sized(characters, false, 'characters'),
  pattern,
  maxItems: sized(items, true, 'items'),
  minItems: sized(items, false, 'items'),
  uniqueItems,
  maxProperties: sized(members, true, 'members'),
  minProperties: sized(members, false, 'members'),
  required,
  dependentRequired,
};
