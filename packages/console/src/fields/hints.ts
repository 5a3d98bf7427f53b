/** What a schema says about a value, as far as a form shows it. Whatever it leaves out, the service still checks. */
import {
  isContainer,
  isJsonObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
  pathOfPointer,
  printJson,
} from '@holdfast/json';
import { valueAt } from './values.ts';

/** A schema that is an object, without references. Empty if nothing is known. */
export type Hint = JsonObject;

export const noHint: Hint = {};

/** Schemas may refer to themselves. */
const referencesMax = 16;

/** Reads a schema step by step. */
export interface Hints {
  readonly root: Hint;
  /** The schema of a member or an element of a value with this schema. */
  below(hint: Hint, segment: string, isElement: boolean): Hint;
}

/** Returns the hints of a schema; undefined stands for no schema. */
export function hintsOf(schema: JsonValue | undefined): Hints {
  const resolve = (value: JsonValue | undefined, depth = 0): Hint => {
    if (value === undefined || !isJsonObject(value) || depth > referencesMax) return noHint;
    const { $ref, allOf, ...own } = value;
    const target =
      typeof $ref === 'string' && $ref.startsWith('#') ? valueAt(schema, pathOfPointer(decoded($ref.slice(1)))) : undefined;
    const parts = [target, ...(Array.isArray(allOf) ? allOf : [])].filter((part) => part !== undefined);
    return parts.length === 0 ? value : parts.map((part) => resolve(part, depth + 1)).reduce(joined, own);
  };
  return {
    root: resolve(schema),
    below(hint, segment, isElement) {
      if (isElement) {
        const { prefixItems, items } = hint;
        return resolve((Array.isArray(prefixItems) ? prefixItems[Number(segment)] : undefined) ?? items);
      }
      const { properties, additionalProperties } = hint;
      const named = properties !== undefined && isJsonObject(properties) ? properties : noHint;
      return resolve(Object.hasOwn(named, segment) ? named[segment] : additionalProperties);
    },
  };
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** Both schemas in one: members and required names of both, otherwise the first one's keywords. */
function joined(first: Hint, second: Hint): Hint {
  const members = (hint: Hint): JsonObject =>
    hint.properties !== undefined && isJsonObject(hint.properties) ? hint.properties : noHint;
  const properties = { ...members(second), ...members(first) };
  const required = [...requiredOf(first), ...requiredOf(second)];
  return {
    ...second,
    ...first,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

/** The names of the members of a schema, in its order. */
export const namesOf = ({ properties }: Hint): readonly string[] =>
  properties !== undefined && isJsonObject(properties) ? Object.keys(properties) : [];

export const requiredOf = ({ required }: Hint): readonly string[] =>
  Array.isArray(required) ? required.filter((name): name is string => typeof name === 'string') : [];

/** The types that a schema allows; none if it does not say. */
export const typesOf = ({ type }: Hint): readonly string[] =>
  typeof type === 'string'
    ? [type]
    : Array.isArray(type)
      ? type.filter((one): one is string => typeof one === 'string')
      : [];

/** The scalars among which to choose; undefined if there is no such list. */
export function choicesOf(hint: Hint): readonly JsonValue[] | undefined {
  const list = hint.const === undefined ? hint.enum : [hint.const];
  if (!Array.isArray(list) || list.length === 0 || list.some(isContainer)) return undefined;
  return list;
}

export const titleOf = ({ title }: Hint): string | undefined =>
  typeof title === 'string' && title !== '' ? title : undefined;

export const descriptionOf = ({ description }: Hint): string | undefined =>
  typeof description === 'string' && description !== '' ? description : undefined;

/** How a form says each kind of bound. */
export interface RangeTexts {
  readonly within: (least: string, most: string) => string;
  readonly least: (bound: string) => string;
  readonly most: (bound: string) => string;
  readonly above: (bound: string) => string;
  readonly below: (bound: string) => string;
}

/** The bounds of a number in words; undefined without one. */
export function rangeOf(t: RangeTexts, hint: Hint): string | undefined {
  const literal = (name: string) => {
    const value = hint[name];
    return typeof value === 'number' || isRawNumber(value) ? printJson(value) : undefined;
  };
  const [least, most] = [literal('minimum'), literal('maximum')];
  if (least !== undefined && most !== undefined) return t.within(least, most);
  const [above, below] = [literal('exclusiveMinimum'), literal('exclusiveMaximum')];
  const bounds = [least && t.least(least), above && t.above(above), most && t.most(most), below && t.below(below)];
  return bounds.filter(Boolean).join(' · ') || undefined;
}

/** Returns a first value for a schema: its default, its first choice, or the emptiest value of its type. */
export function firstValue(hints: Hints, hint: Hint): JsonValue {
  if (hint.default !== undefined) return hint.default;
  const [choice] = choicesOf(hint) ?? [];
  if (choice !== undefined) return choice;
  const least = hint.minimum;
  switch (typesOf(hint)[0]) {
    case 'object':
      return Object.fromEntries(requiredOf(hint).map((name) => [name, firstValue(hints, hints.below(hint, name, false))]));
    case 'array':
      return [];
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return typeof least === 'number' && least > 0 ? least : 0;
    case 'null':
      return null;
    default:
      return namesOf(hint).length > 0 ? {} : '';
  }
}
