/** Typed paths, for example `limits › maxPartySize`, `Limits › Max party size`, `/limits/maxPartySize` or `items › item_7 › price`. */
import { isContainer, isJsonObject, type JsonObject, type JsonValue, pathOfPointer } from '@holdfast/json';
import type { Value } from '../json-text/changes.ts';
import { type Hint, type Hints, hintsOf, titleOf } from './hints.ts';
import { identityNames } from './identity.ts';
import { keyInWords } from './key-in-words.ts';

const noHints = hintsOf(undefined);

/** Returns the segments of a path; none for an empty text. */
export function pathOf(text: string): readonly string[] {
  const segments = text.includes('›') ? text.split('›') : pathOfPointer(text.startsWith('/') ? text : `/${text}`);
  return segments.map((segment) => segment.trim()).filter((segment) => segment !== '');
}

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

/**
 * Returns the value at a path; undefined if there is none. A member is named by its key, its key in words or its title, a list element by its
 * position or identifier.
 */
export function valueAt(document: JsonObject, path: readonly string[], hints: Hints = noHints): Value {
  let value: JsonValue = document;
  let hint = hints.root;
  for (const segment of path) {
    const key =
      isContainer(value) && isJsonObject(value) ? keyOf(value, segment, (one) => hints.below(hint, one, false)) : segment;
    const next = memberOf(value, key);
    if (next === undefined) return undefined;
    hint = hints.below(hint, key, Array.isArray(value));
    value = next;
  }
  return value;
}

/** The key of a member with a name; the name itself if there is none. */
function keyOf(object: JsonObject, name: string, hintOf: (key: string) => Hint): string {
  if (Object.hasOwn(object, name)) return name;
  const wanted = name.toLowerCase();
  const isNamed = (key: string) =>
    [key, keyInWords(key), titleOf(hintOf(key)) ?? key].some((one) => one.toLowerCase() === wanted);
  return Object.keys(object).find(isNamed) ?? name;
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
