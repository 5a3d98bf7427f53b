/**
 * Documents with exact numbers. A number that a double cannot hold stands in a document as a marked text with its literal: it is
 * compared, moved and printed like any text, and printed as the number. Those who use the package see doubles.
 */
import type { JsonObject, JsonValue } from '@holdfast/json';
import { HoldfastError } from './errors.ts';
import { randomId } from './runtime.ts';

/** What a marked text begins with. Nobody else can know it. */
const mark = `${randomId()}:`;
const marked = new RegExp(`"${mark}([^"]*)"`, 'g');
/** Whether a text can contain such a number at all. */
const suspicious = /[-.\d]{16}|\d[eE][-+\d]|-0/;
const stringsAndNumbers = /"(?:[^"\\]+|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** Reads JSON; numbers that a double cannot hold become marked texts. */
export function parseExact(text: string): JsonValue {
  if (!suspicious.test(text)) return JSON.parse(text);
  JSON.parse(text); // what follows needs JSON
  return JSON.parse(
    text.replace(stringsAndNumbers, (token) =>
      token[0] === '"' || String(Number(token)) === token ? token : JSON.stringify(mark + token),
    ),
  );
}

/** Prints JSON; marked texts become the numbers that they stand for. */
export function printExact(value: unknown): string {
  return JSON.stringify(value).replace(marked, '$1');
}

const literalOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.startsWith(mark) ? value.slice(mark.length) : undefined;

/** A copy of a document for people to read and change, with what is needed to find the exact numbers in it again. */
export interface Draft {
  readonly value: unknown;
  /** The containers that those of the copy were made from. */
  readonly origins: WeakMap<object, object>;
  /** The literal of each double that stands for more digits than it holds; null where several share the double. */
  readonly literals: Map<number, string | null>;
}

/** Makes a draft of a document. */
export function draftOf(document: JsonValue): Draft {
  const origins = new WeakMap<object, object>();
  const literals = new Map<number, string | null>();
  const note = (double: number, literal: string): number => {
    const known = literals.get(double);
    literals.set(double, known === undefined || known === literal ? literal : null);
    return double;
  };
  const copy = (value: JsonValue): unknown => {
    if (typeof value === 'object' && value !== null) {
      const copied = Array.isArray(value)
        ? value.map(copy)
        : Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member)]));
      origins.set(copied, value);
      return copied;
    }
    const literal = literalOf(value);
    if (literal !== undefined) return note(Number(literal), literal);
    return typeof value === 'number' && String(value).length > 15 ? note(value, String(value)) : value;
  };
  return { value: copy(document), origins, literals };
}

/** A copy of a document for people to read. */
export const plainOf = (document: JsonValue): unknown => draftOf(document).value;

const shared = new WeakMap<object, unknown>();

/** A copy of a document for people to read. What two documents share, their copies share too. */
export function plainShared(value: JsonValue): unknown {
  if (typeof value !== 'object' || value === null) {
    const literal = literalOf(value);
    return literal === undefined ? value : Number(literal);
  }
  const known = shared.get(value);
  if (known !== undefined) return known;
  const copied = Array.isArray(value)
    ? value.map(plainShared)
    : Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainShared(member)]));
  shared.set(value, copied);
  return copied;
}

const nestingMax = 256;

/**
 * The document that a changed draft stands for: members that are undefined are left out, as `JSON.stringify` has it, and doubles
 * that came from a longer number become that number again.
 *
 * @throws {HoldfastError} `invalid_state` for what is no JSON, `inexact_number` for a double that several longer numbers share and
 * that stands in a new place.
 */
export function settle({ origins, literals }: Draft, changed: unknown, base: JsonValue): JsonObject {
  const settleNumber = (value: number, origin: unknown): JsonValue => {
    const kept = literalOf(origin);
    if (kept !== undefined && Object.is(Number(kept), value)) return mark + kept;
    if (origin === value) return value;
    const literal = Object.is(value, -0) ? '-0' : literals.get(value);
    if (literal === null) {
      throw new HoldfastError('inexact_number', `several numbers of the document round to ${value}`);
    }
    if (literal !== undefined) return mark + literal;
    if (!Number.isFinite(value)) throw new HoldfastError('invalid_state', `${value} is no JSON`);
    return value;
  };
  const settleAny = (given: unknown, positional: unknown, depth: number): JsonValue | undefined => {
    if (typeof given === 'number') return settleNumber(given, positional);
    if (given === null || typeof given === 'boolean' || typeof given === 'string') return given;
    if (typeof given === 'bigint') return mark + given; // printed as it is
    if (typeof given !== 'object') return undefined;
    if (depth > nestingMax) throw new HoldfastError('invalid_state', 'the state is nested too deep');
    if (typeof (given as Date).toJSON === 'function') return settleAny((given as Date).toJSON(), undefined, depth + 1);
    const origin = (origins.get(given) ?? positional) as Record<string | number, unknown> | undefined;
    const originOf = (name: string | number): unknown => (origin && Object.hasOwn(origin, name) ? origin[name] : undefined);
    if (Array.isArray(given)) {
      // An element of another length of list may have moved: only what it is, and not where it stands, says where it came from.
      const isInPlace = Array.isArray(origin) && origin.length === given.length;
      return given.map((element, index) => {
        const positional = isInPlace && typeof element !== 'object' ? originOf(index) : undefined;
        return settleAny(element, positional, depth + 1) ?? null;
      });
    }
    return Object.fromEntries(
      Object.entries(given)
        .map(([name, member]) => [name, settleAny(member, originOf(name), depth + 1)] as const)
        .filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
    );
  };
  const settled = settleAny(changed, base, 1);
  if (typeof settled !== 'object' || settled === null || Array.isArray(settled)) {
    throw new HoldfastError('invalid_state', 'the state has to be an object');
  }
  return settled as JsonObject;
}
