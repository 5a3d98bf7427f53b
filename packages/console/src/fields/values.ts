/** Reads and changes values within a document. A result shares what did not change with what it came from. */
import {
  decimalOf,
  isContainer,
  isJsonObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
  parseJson,
  printJson,
} from '@holdfast/json';
import type { Value } from '../json-text/changes.ts';

export type Path = readonly string[];

/** Returns the value at a path of names and positions; undefined if there is none. */
export function valueAt(value: Value, path: Path): Value {
  let now = value;
  for (const segment of path) now = childOf(now, segment);
  return now;
}

function childOf(value: Value, segment: string): Value {
  if (value === undefined || !isContainer(value)) return undefined;
  if (isJsonObject(value)) return Object.hasOwn(value, segment) ? value[segment] : undefined;
  return Object.values<JsonValue>(value)[Number(segment)];
}

/** Returns a value with another one at a path, or without it if that is undefined. Missing objects on the way are created. */
export function withValue(value: Value, path: Path, next: Value): Value {
  const [segment, ...rest] = path;
  if (segment === undefined) return next;
  const child = withValue(childOf(value, segment), rest, next);
  if (child === childOf(value, segment)) return value;
  if (Array.isArray(value)) return withElement(value, Number(segment), child);
  const object = value !== undefined && isJsonObject(value) ? value : {};
  if (child === undefined) return without(object, segment);
  if (!Object.hasOwn(object, segment)) return Object.fromEntries([...Object.entries(object), [segment, child]]);
  return Object.fromEntries(Object.entries(object).map(([name, old]) => [name, name === segment ? child : old]));
}

function withElement(list: readonly JsonValue[], index: number, element: Value): JsonValue {
  return element === undefined ? list.filter((_, at) => at !== index) : Object.assign([...list], { [index]: element });
}

const without = (object: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([other]) => other !== name));

/** Returns an object with a member under another name, at its position. */
export const renamed = (object: JsonObject, from: string, to: string): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name === from ? to : name, value]));

/** Whether it is a number, even one that a double cannot hold. */
export const isNumber = (value: Value): boolean => typeof value === 'number' || isRawNumber(value);

/** Whether every digit of a number stands before the point. */
export const isInteger = (value: Value): boolean =>
  value !== undefined && isNumber(value) && (decimalOf(printJson(value))?.exponent ?? -1) >= 0;

/** Returns the number that somebody typed, digit for digit, with a point or a comma; undefined if it is not a number. */
export function numberOf(text: string): JsonValue | undefined {
  const literal = text
    .trim()
    .replace(/^\+/, '')
    .replace(/^(-?\d+),(\d+)$/, '$1.$2')
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/^(-?)\./, '$10.');
  return decimalOf(literal) === undefined ? undefined : parseJson(literal);
}

/** Returns the JSON that somebody typed; undefined if it is not valid. */
export function jsonOf(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
