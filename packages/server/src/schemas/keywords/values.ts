/** Keywords that check a single value. @see https://json-schema.org/draft/2020-12/json-schema-validation#section-6 */
import {
  type SchemaType,
  schemaFaultMessages,
  schemaTypes,
  shownName,
  shownNumber,
  typeSeparator,
  violationMessages,
} from '@holdfast/contract/messages';
import { isJsonObject, type JsonValue, printJson } from '@holdfast/json';
import { BudgetSpent, type StepBudget } from '../bounds.ts';
import { compareNumbers, isInteger, isMultipleOf, isNumber, isPositive, type Limit, limitOf } from '../decimal.ts';
import { keyOf } from '../equality.ts';
import { type Keyword, type KeywordContext, keyword } from '../keyword.ts';
import { isIn } from '../pattern.ts';
import type { Run } from '../run.ts';

/** Steps charged for looking up a name in an object. */
export const stepsOfName = 0.5;
/** Characters or members that can be counted in one step. */
const countedCharactersOfStep = 32;
const countedMembersOfStep = 2;

const types: Readonly<Record<SchemaType, (value: JsonValue, run: Run) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  object: isJsonObject,
  array: Array.isArray,
  number: isNumber,
  string: (value) => typeof value === 'string',
  integer: (value, run) => isNumber(value) && isInteger(value, run),
};

const isType = (name: string): name is SchemaType => Object.hasOwn(types, name);

const type = keyword({
  price: ({ names }: { readonly names: readonly SchemaType[] }) => names.length / 2,
  read(written, at) {
    const names = typeof written === 'string' ? [written] : at.names(written);
    if (names.length === 0 || !names.every(isType))
      throw at.fault(schemaFaultMessages.types, { types: Object.keys(types).join(', ') });
    return { names };
  },
  canRefuse: ({ names }, { isObject }) => {
    const accepts = (name: SchemaType) => names.includes(name) || (name === 'integer' && names.includes('number'));
    return isObject ? !accepts('object') : !schemaTypes.every(accepts);
  },
  holds(value, { names, location }, run) {
    for (const name of names) if (types[name](value, run)) return true;
    return run.violation('type', location, violationMessages.type, { types: names.join(typeSeparator) });
  },
});

/** Looking at a schema's own values is free: the bounds on schemas already limit them. */
const free: StepBudget = { spend: () => undefined };

function keyOfWritten(value: JsonValue, at: KeywordContext): string {
  try {
    return keyOf(value, free);
  } catch (error) {
    if (error instanceof BudgetSpent) throw at.fault(schemaFaultMessages.exponent);
    throw error;
  }
}

const enumeration = keyword({
  brokenBy: 'value',
  price: 1,
  read: (written, at) => ({ keys: new Set(at.list(written).map((value) => keyOfWritten(value, at))) }),
  holds: (value, { keys, location }, run) =>
    keys.has(keyOf(value, run)) || run.violation('enum', location, violationMessages.enum),
});

const constant = keyword({
  brokenBy: 'value',
  price: 1,
  read: (written, at) => ({ key: keyOfWritten(written, at) }),
  holds: (value, { key, location }, run) =>
    keyOf(value, run) === key || run.violation('const', location, violationMessages.const),
});

interface Numeric {
  readonly limit: Limit;
  readonly shown: string;
}

/** A keyword that compares a number with its value. */
const numeric = (
  name: 'maximum' | 'exclusiveMaximum' | 'minimum' | 'exclusiveMinimum',
  test: (order: number) => boolean,
): Keyword =>
  keyword<Numeric>({
    acceptsObjects: true,
    price: 0.5,
    read: readNumeric,
    holds: (value, { limit, shown, location }, run) =>
      !isNumber(value) ||
      test(compareNumbers(value, limit, run)) ||
      run.violation(name, location, violationMessages[name], { limit: shown }),
  });

function readNumeric(written: JsonValue, at: KeywordContext): Numeric {
  if (!isNumber(written)) throw at.fault(schemaFaultMessages.number);
  return { limit: limitOf(written), shown: shownNumber(printJson(written)) };
}

const multipleOf = keyword<Numeric>({
  acceptsObjects: true,
  price: 1,
  read(written, at) {
    const divisor = isNumber(written) ? readNumeric(written, at) : undefined;
    if (divisor === undefined || !isPositive(divisor.limit)) throw at.fault(schemaFaultMessages.positive);
    return divisor;
  },
  holds: (value, { limit, shown, location }, run) =>
    !isNumber(value) ||
    isMultipleOf(value, limit, run) ||
    run.violation('multipleOf', location, violationMessages.multipleOf, { step: shown }),
});

/** A keyword that compares a size with its value. `sizeOf` returns undefined for values without such a size. */
const sized = (
  name: `${'max' | 'min'}${'Length' | 'Items' | 'Properties'}`,
  of: 'object' | 'others',
  sizeOf: (value: JsonValue, run: Run) => number | undefined,
): Keyword => {
  const isMost = name.startsWith('max');
  return keyword<{ readonly limit: number }>({
    ...(of === 'others' ? { acceptsObjects: true } : isMost && { brokenBy: 'name' }),
    price: 0.5,
    read: (written, at) => ({ limit: at.count(written) }),
    canRefuse: ({ limit }) => isMost || limit > 0,
    holds(value, { limit, location }, run) {
      const size = sizeOf(value, run);
      if (size === undefined || (isMost ? size <= limit : size >= limit)) return true;
      return run.violation(name, location, violationMessages[name], { limit });
    },
  });
};

/** Counts code points: a surrogate pair is one. */
function characters(value: JsonValue, run: Run): number | undefined {
  if (typeof value !== 'string') return undefined;
  run.spend(value.length / countedCharactersOfStep);
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
  run.spend(length / countedMembersOfStep);
  return length;
}

const pattern = keyword({
  acceptsObjects: true,
  price: 0,
  read: (written, at) => ({ pattern: at.compiler.pattern(at.text(written), at) }),
  holds: (value, check, run) =>
    typeof value !== 'string' ||
    isIn(check.pattern, value, run) ||
    run.violation('pattern', check.location, violationMessages.pattern),
});

const uniqueItems = keyword({
  acceptsObjects: true,
  brokenBy: 'value',
  price: 1,
  read(written, at) {
    if (typeof written !== 'boolean') throw at.fault(schemaFaultMessages.boolean);
    return written ? {} : undefined;
  },
  holds(value, { location }, run) {
    if (!Array.isArray(value) || new Set(value.map((item) => keyOf(item, run))).size === value.length) return true;
    return run.violation('uniqueItems', location, violationMessages.uniqueItems);
  },
});

const required = keyword({
  price: ({ names }: { readonly names: readonly string[] }) => stepsOfName * names.length,
  read: (written, at) => ({ names: at.names(written) }),
  canRefuse: ({ names }) => names.length > 0,
  holds: (value, { names, location }, run) =>
    !isJsonObject(value) || hasAll(value, names, (name) => missing('required', location, name, run)),
});

interface Dependencies {
  readonly dependencies: readonly { readonly name: string; readonly names: readonly string[] }[];
}

const dependentRequired = keyword<Dependencies>({
  brokenBy: 'name',
  price: ({ dependencies }) => stepsOfName * dependencies.length,
  read: (written, at) => ({
    dependencies: at.members(written).map(([name, names]) => ({ name, names: at.names(names) })),
  }),
  canRefuse: ({ dependencies }) => dependencies.some(({ names }) => names.length > 0),
  holds(value, { dependencies, location }, run) {
    if (!isJsonObject(value)) return true;
    let result = true;
    for (const { name, names } of dependencies) {
      if (!Object.hasOwn(value, name)) continue;
      run.spend(stepsOfName * names.length);
      if (!hasAll(value, names, (absent) => missing('dependentRequired', location, absent, run))) result = false;
      if (!result && run.isSatisfied) return false;
    }
    return result;
  },
});

/** Whether an object has all members. Missing ones are passed to `isEnough` until it returns true. */
function hasAll(value: object, names: readonly string[], isEnough: (absent: string) => boolean): boolean {
  let result = true;
  for (const name of names) {
    if (Object.hasOwn(value, name)) continue;
    result = false;
    if (isEnough(name)) break;
  }
  return result;
}

function missing(name: string, location: string, absent: string, run: Run): boolean {
  if (!run.isSatisfied) run.violation(name, location, violationMessages.member, { member: shownName(absent) });
  return run.isSatisfied;
}

export const valueKeywords = {
  type,
  enum: enumeration,
  const: constant,
  multipleOf,
  maximum: numeric('maximum', (order) => order <= 0),
  exclusiveMaximum: numeric('exclusiveMaximum', (order) => order < 0),
  minimum: numeric('minimum', (order) => order >= 0),
  exclusiveMinimum: numeric('exclusiveMinimum', (order) => order > 0),
  maxLength: sized('maxLength', 'others', characters),
  minLength: sized('minLength', 'others', characters),
  pattern,
  maxItems: sized('maxItems', 'others', items),
  minItems: sized('minItems', 'others', items),
  uniqueItems,
  maxProperties: sized('maxProperties', 'object', members),
  minProperties: sized('minProperties', 'object', members),
  required,
  dependentRequired,
};
