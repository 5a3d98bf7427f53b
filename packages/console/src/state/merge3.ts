/**
 * Merges two documents with a common origin. Changes of one side are taken over. Different changes of the same value are a conflict,
 * located as deep in the document as possible.
 */
import { isContainer, isJsonObject, type JsonObject, type JsonValue, printJson } from '@holdfast/json';

/** Represents a missing member or element. */
export type Value = JsonValue | undefined;

export interface Conflict {
  /** Names and indices from the root. */
  readonly path: readonly string[];
  readonly base: Value;
  readonly theirs: Value;
  readonly mine: Value;
}

export type Side = 'theirs' | 'mine';

export interface Merge {
  readonly conflicts: readonly Conflict[];
  /** Builds the document; a conflict without a choice keeps mine. */
  build(choices: ReadonlyMap<string, Side>): JsonObject;
}

/** The key of a conflict among the choices. */
export const pathName = (path: readonly string[]): string =>
  path.map((segment) => `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Returns the merge of both sides' changes to `base`. */
export function merge3(base: JsonObject, theirs: JsonObject, mine: JsonObject): Merge {
  const conflicts: Conflict[] = [];
  mergeObjects([], base, theirs, mine, (conflict) => {
    conflicts.push(conflict);
    return conflict.mine;
  });
  return {
    conflicts,
    build: (choices) =>
      mergeObjects([], base, theirs, mine, (conflict) =>
        choices.get(pathName(conflict.path)) === 'theirs' ? conflict.theirs : conflict.mine,
      ),
  };
}

function mergeValues(at: Conflict, decide: (conflict: Conflict) => Value): Value {
  const { base, theirs, mine, path } = at;
  if (isSame(theirs, mine) || isSame(mine, base)) return theirs;
  if (isSame(theirs, base)) return mine;
  if (isObject(theirs) && isObject(mine)) return mergeObjects(path, isObject(base) ? base : {}, theirs, mine, decide);
  if (isArray(base) && isArray(theirs) && isArray(mine)) {
    const isEven = base.length === theirs.length && base.length === mine.length;
    if (isEven) {
      return base.map((value, index) => {
        const next = { base: value, theirs: theirs[index], mine: mine[index], path: [...path, String(index)] };
        return mergeValues(next, decide) as JsonValue;
      });
    }
    return mergeAppended(base, theirs, mine) ?? decide(at);
  }
  return decide(at);
}

function mergeObjects(
  path: readonly string[],
  base: JsonObject,
  theirs: JsonObject,
  mine: JsonObject,
  decide: (conflict: Conflict) => Value,
): JsonObject {
  const merged: [string, JsonValue][] = [];
  // Members keep their document's order; those that only mine has follow.
  for (const name of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
    const next = { base: own(base, name), theirs: own(theirs, name), mine: own(mine, name), path: [...path, name] };
    const value = mergeValues(next, decide);
    if (value !== undefined) merged.push([name, value]);
  }
  return Object.fromEntries(merged);
}

/** One side only appended elements, and the other kept the length: both are kept. */
function mergeAppended(
  base: readonly JsonValue[],
  theirs: readonly JsonValue[],
  mine: readonly JsonValue[],
): readonly JsonValue[] | undefined {
  const isBegin = (long: readonly JsonValue[]) =>
    long.length >= base.length && base.every((value, index) => isSame(value, long[index]));
  if (!isBegin(theirs) || !isBegin(mine)) return undefined;
  return [...theirs, ...mine.slice(base.length)];
}

const own = (object: JsonObject, name: string): Value => (Object.hasOwn(object, name) ? object[name] : undefined);
const isObject = (value: Value): value is JsonObject => value !== undefined && isJsonObject(value);
const isArray = (value: Value): value is readonly JsonValue[] => Array.isArray(value);

/** Whether two values are equal, ignoring the order of members. */
export function isSame(one: Value, other: Value): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined) return false;
  if (!isContainer(one) || !isContainer(other)) return printJson(one) === printJson(other);
  if (isArray(one) || isArray(other)) {
    if (!isArray(one) || !isArray(other) || one.length !== other.length) return false;
    return one.every((value, index) => isSame(value, other[index]));
  }
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]));
}
