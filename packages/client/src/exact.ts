/**
 * Documents with exact numbers. A number that a double cannot hold is represented by a marked text with its literal. It is compared, moved
 * and printed like any text, except that it prints as the number. Users of the package see doubles.
 */
import type { JsonObject, JsonValue } from '@holdfast/json';
import { randomId } from './runtime.ts';
import { invalid } from './service.ts';

/** The unguessable prefix of a marked text. It is created on first use, since some runtimes have no random values before. */
let mark: string | undefined;
/** Whether a text can contain such a number. */
const suspicious = /[-.\d]{16}|\d[eE][-+\d]|-0/;
const stringsAndNumbers = /"(?:[^"\\]+|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** The marked text of a literal. */
export function markedOf(literal: string): string {
  mark ??= `${randomId()}:`;
  return mark + literal;
}

/** The literal of a marked text; undefined for anything else. */
export const literalOf = (value: unknown): string | undefined =>
  typeof value === 'string' && mark !== undefined && value.startsWith(mark) ? value.slice(mark.length) : undefined;

/** Parses JSON; numbers that a double cannot hold become marked texts. */
export function parseExact(text: string): JsonValue {
  if (!suspicious.test(text)) return JSON.parse(text);
  JSON.parse(text); // the code below needs valid JSON
  return JSON.parse(
    text.replace(stringsAndNumbers, (token) =>
      token[0] === '"' || String(Number(token)) === token ? token : JSON.stringify(markedOf(token)),
    ),
  );
}

/** Prints JSON; marked texts become their numbers. Throws `invalid_request` for values that JSON cannot express. */
export function printExact(value: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw invalid(`cannot be written as JSON: ${cause}`, cause);
  }
  return mark === undefined ? text : text.replaceAll(new RegExp(`"${mark}([^"]*)"`, 'g'), '$1');
}

/** The containers from which copies were made, to recover the digits of numbers. */
const origins = new WeakMap<object, JsonValue>();

/** The container as it was read; undefined if it was made elsewhere. */
export const originOf = (container: object): JsonValue | undefined => origins.get(container);

/** Records the origin of containers from which a schema made others. */
export function noteOrigins(shown: unknown, stored: unknown): void {
  if (!isContainer(shown) || !isContainer(stored) || origins.has(shown)) return;
  // Elements of a list of another length may have moved.
  if (Array.isArray(shown) && memberOf(stored, 'length') !== shown.length) return;
  origins.set(shown, stored as JsonValue);
  for (const [name, member] of Object.entries(shown)) noteOrigins(member, memberOf(stored, name));
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

function copyOf(value: JsonValue, copyAny: (value: JsonValue) => unknown): unknown {
  if (!isContainer(value)) {
    const literal = literalOf(value);
    return literal === undefined ? value : Number(literal);
  }
  const copied = Array.isArray(value)
    ? value.map(copyAny)
    : Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyAny(member)]));
  origins.set(copied, value);
  return copied;
}

/** Copies a document for the application to read and change. */
export const plainOf = (value: JsonValue): unknown => copyOf(value, plainOf);

const shared = new WeakMap<object, unknown>();

/** Copies a document for the application to read. Copies share whatever their documents share. */
export function plainShared(value: JsonValue): unknown {
  const known = isContainer(value) ? shared.get(value) : undefined;
  if (known !== undefined) return known;
  const copied = copyOf(value, plainShared);
  if (isContainer(value)) shared.set(value, copied);
  return copied;
}

/** Whether a value is an object with named members: not an array, null, or an instance that JSON does not have. */
export const isObject = (value: unknown): value is JsonObject =>
  Object.prototype.toString.call(value) === '[object Object]';

/** A member of an object or an element of an array, whatever its name; undefined if there is none. */
export const memberOf = (container: unknown, name: string | number): unknown =>
  isContainer(container) && Object.hasOwn(container, name) ? Reflect.get(container, name) : undefined;
