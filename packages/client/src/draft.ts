/**
 * The input of a change: the document as `get` returns it. A schema may show a different value than the stored one, by filling in defaults,
 * coercing values and leaving out unknown members. Only what the change touches is written; the rest stays as stored.
 */
import type { JsonObject } from '@holdfast/json';
import { isObject, memberOf, plainOf } from './exact.ts';
import { type StandardSchema, validate } from './schema.ts';
import { type Origin, type Settling, settleDocument } from './settle.ts';

export interface Draft {
  /** For the change to read and modify. */
  readonly value: unknown;
  /** Returns the document of a changed draft. Rejects like {@link settleDocument}, and with `invalid_state` if it does not fit. */
  settle(changed: unknown): Promise<JsonObject>;
}

/**
 * Creates a draft of a document. `isNew`: nothing is stored yet, so it need not fit the schema. Rejects with `invalid_state` if it does not
 * fit.
 */
export async function draftOf(stored: JsonObject, schema: StandardSchema | undefined, isNew: boolean): Promise<Draft> {
  const plain = plainOf(stored);
  const shown: unknown = await validate(schema, plain).catch((failure) => {
    if (!isNew) throw failure;
    return plain;
  });
  const known: Known = { origins: new WeakMap(), texts: new WeakMap() };
  const value = shown === plain ? plain : copyOf(shown, stored, known);
  const whole: Settling = {
    origin: { stored, shown },
    document: stored,
    originOf: (container) => known.origins.get(container),
  };
  const isKept: NonNullable<Settling['isKept']> = (given, { shown }) => shown !== undefined && isAlike(given, shown, known);
  const ways: readonly Settling[] =
    shown === plain
      ? [{ origin: { stored }, document: stored }]
      : [{ ...whole, hidden, isKept }, { ...whole, hidden }, whole];
  // A schema can derive new members from old ones, so unchanged members may hide a change. The first representation that does not is used.
  const settle = async (changed: unknown): Promise<JsonObject> => {
    let fitting: JsonObject | undefined;
    let failure: unknown;
    for (const way of ways) {
      try {
        const document = settleDocument(changed, way);
        const read = schema && (await validate(schema, plainOf(document)));
        if (ways.length === 1 || isAlike(changed, read, known)) return document;
        fitting ??= document;
      } catch (cause) {
        failure ??= cause;
      }
    }
    if (fitting === undefined) throw failure;
    return fitting;
  };
  return { value, settle };
}

/** Known origins of a draft's values. */
interface Known {
  /** What its containers were made from. */
  readonly origins: WeakMap<object, Origin>;
  /** The original contents of its other objects, which can be changed in place. */
  readonly texts: WeakMap<object, string>;
}

/** Stored parts of an object that are not shown. */
const hidden: NonNullable<Settling['hidden']> = ({ stored, shown }, given) =>
  isObject(stored) && isObject(shown)
    ? Object.entries(stored).filter(([name]) => !Object.hasOwn(shown, name) && !Object.hasOwn(given, name))
    : [];

/** A copy of a value's objects and arrays; other objects are shared. */
function copyOf(shown: unknown, stored: unknown, known: Known): unknown {
  if (!isAnyObject(shown)) return shown;
  if (!isContainer(shown)) {
    known.texts.set(shown, textOf(shown));
    return shown;
  }
  // Elements of a list of another length may have moved.
  const isParallel = !Array.isArray(shown) || (Array.isArray(stored) && stored.length === shown.length);
  const copyAny = ([name, member]: [string, unknown]): [string, unknown] => [
    name,
    copyOf(member, isParallel ? memberOf(stored, name) : undefined, known),
  ];
  const entries = Object.entries(shown).map(copyAny);
  const copied = Array.isArray(shown) ? entries.map(([, element]) => element) : Object.fromEntries(entries);
  known.origins.set(copied, { stored, shown });
  return copied;
}

/** Whether a value of a changed draft was shown. An undefined member does not count. */
function isAlike(given: unknown, shown: unknown, known: Known): boolean {
  if (!isAnyObject(given) || !isAnyObject(shown)) return Object.is(given, shown);
  if (kindOf(given) !== kindOf(shown) || memberOf(given, 'length') !== memberOf(shown, 'length')) return false;
  if (!isContainer(given)) return textOf(given) === (known.texts.get(shown) ?? textOf(shown));
  const names = new Set([...Object.keys(given), ...Object.keys(shown)]);
  return [...names].every((name) => isAlike(memberOf(given, name), memberOf(shown, name), known));
}

const isAnyObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** `Array`, `Object` for object literals of this or another window, and the prototype of anything else. */
function kindOf(value: object): unknown {
  if (Array.isArray(value)) return Array;
  const prototype = Object.getPrototypeOf(value);
  const isPlain = isObject(value) && (prototype === null || Object.getPrototypeOf(prototype) === null);
  return isPlain ? Object : prototype;
}

const isContainer = (value: object): boolean => [Array, Object].includes(kindOf(value) as typeof Array);

/** The contents of an object, as far as visible from outside. */
function textOf(value: object): string {
  try {
    return JSON.stringify(value instanceof Map || value instanceof Set ? [...value] : value);
  } catch {
    return '';
  }
}
