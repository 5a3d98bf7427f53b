/** Typed paths, for example `limits › maxPartySize`, `/limits/maxPartySize` or `items › item_7 › price`. */
import { isContainer, isJsonObject, type JsonObject, type JsonValue, pathOfPointer } from '@holdfast/json';
import type { Value } from './changes.ts';

/** Returns the segments of a path; none for an empty text. */
export function pathOf(text: string): readonly string[] {
  const segments = text.includes('›') ? text.split('›') : pathOfPointer(text.startsWith('/') ? text : `/${text}`);
  return segments.map((segment) => segment.trim()).filter((segment) => segment !== '');
}

const identityNames = ['id', 'key', 'slug', 'name'] as const;

/** Returns a path as `pathOf` reads it: list elements by their identifiers, which stay the same when others are added. */
export function textOfPath(document: JsonObject, path: readonly string[]): string {
  const named: string[] = [];
  let value: Value = document;
  for (const segment of path) {
    const element: Value = value !== undefined && isContainer(value) ? memberOf(value, segment) : undefined;
    named.push((Array.isArray(value) ? identifierOf(element) : undefined) ?? segment);
    value = element;
  }
  return named.join(' › ');
}

/** Returns the identifier of a list element; undefined if it has none. */
export function identifierOf(element: Value): string | undefined {
  if (element === undefined || !isContainer(element) || !isJsonObject(element)) return undefined;
  const name = identityNames.find((one) => Object.hasOwn(element, one));
  return name === undefined ? undefined : String(element[name]);
}

/** Returns the value at a path; undefined if there is none. A list element is named by its position or identifier. */
export function valueAt(document: JsonObject, path: readonly string[]): Value {
  let value: JsonValue = document;
  for (const segment of path) {
    const next = memberOf(value, segment);
    if (next === undefined) return undefined;
    value = next;
  }
  return value;
}

function memberOf(value: JsonValue, segment: string): Value {
  if (!isContainer(value)) return undefined;
  if (isJsonObject(value)) return Object.hasOwn(value, segment) ? value[segment] : undefined;
  const elements: readonly JsonValue[] = Object.values<JsonValue>(value);
  const isNamed = (element: JsonValue) =>
    isJsonObject(element) &&
    identityNames.some((name) => Object.hasOwn(element, name) && String(element[name]) === segment);
  return elements.find(isNamed) ?? (/^\d+$/.test(segment) ? elements[Number(segment)] : undefined);
}
