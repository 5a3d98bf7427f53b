/** Converts an application's values to JSON. Nothing is changed or left out silently: see the table in the README. */
import { type JsonObject, type JsonValue, pointerOf } from '@holdfast/json';
import { HoldfastError, isHoldfastError } from './errors.ts';
import { isObject, literalOf, markedOf, memberOf, originOf } from './exact.ts';

/** The earlier value at this path. */
export interface Origin {
  /** As stored; undefined if nothing is. */
  readonly stored?: unknown;
  /** As shown by a schema, if different. */
  readonly shown?: unknown;
}

/** How values become JSON. */
export interface Settling {
  /** The earlier value at the root. */
  readonly origin?: Origin;
  /** A document whose numbers may have moved. */
  readonly document?: unknown;
  /** Whether bigints can be written. */
  readonly hasBigints?: boolean;
  /** The origin of an object that the application received. */
  readonly originOf?: (container: object) => Origin | undefined;
  /** Stored parts of an object that were not shown, so that they stay. */
  readonly hidden?: (origin: Origin, given: object) => readonly (readonly [string, JsonValue])[];
  /** Whether a value is unchanged since it was shown, so that the stored value stays. */
  readonly isKept?: (given: unknown, origin: Origin) => boolean;
}

const nestingMax = 256;
/** Larger numbers are printed with an exponent, so nobody mistakes them for exact ones. */
const writtenOutMax = 1e21;

/**
 * Returns the JSON value of a value. Undefined members are left out; doubles that were read from longer numbers become those numbers again.
 *
 * @throws {HoldfastError} `invalid_state` for values that JSON does not have, and `inexact_number` for a number with unknown digits, with
 * its path.
 */
export function settle(value: unknown, settling: Settling = {}): JsonValue | undefined {
  try {
    return new Settler(settling).settle(value, settling.origin);
  } catch (cause) {
    if (isHoldfastError(cause)) throw cause;
    throw new HoldfastError('invalid_state', `the value cannot be read: ${cause}`, { cause });
  }
}

/** Like {@link settle}, for a whole document. */
export function settleDocument(value: unknown, settling?: Settling): JsonObject {
  const settled = settle(value, settling);
  if (!isObject(settled)) throw new HoldfastError('invalid_state', 'the state has to be an object');
  return settled;
}

class Settler {
  readonly #settling: Settling;
  /** The path of the current value, and its containers. */
  readonly #path: (string | number)[] = [];
  readonly #around: object[] = [];
  #literals: ReadonlyMap<number, string | null> | undefined;

  constructor(settling: Settling) {
    this.#settling = settling;
  }

  settle(given: unknown, origin: Origin | undefined): JsonValue | undefined {
    if (given === undefined || given === null || typeof given === 'boolean' || typeof given === 'string') return given;
    if (typeof given === 'number') return this.#number(given, origin?.stored);
    if (typeof given === 'bigint' && this.#settling.hasBigints !== false) return markedOf(`${given}`);
    if (typeof given !== 'object') throw this.#notJson(`a ${typeof given}`);
    if (this.#around.includes(given)) throw this.#notJson('what contains itself');
    if (this.#around.length >= nestingMax) throw this.#notJson(`what is nested deeper than ${nestingMax} levels`);
    this.#around.push(given);
    const settled = this.#container(given, origin);
    this.#around.pop();
    return settled;
  }

  #container(given: object, origin: Origin | undefined): JsonValue | undefined {
    const toJSON: unknown = Reflect.get(given, 'toJSON');
    if (typeof toJSON !== 'function') {
      return this.#members(given, this.#settling.originOf?.(given) ?? readOrigin(given) ?? origin);
    }
    const made = toJSON.call(given, `${this.#path.at(-1) ?? ''}`);
    if (made === null && given instanceof Date) throw this.#notJson('an invalid Date');
    return typeof made === 'object' && made !== null ? this.#members(made, undefined) : this.settle(made, undefined);
  }

  #members(given: object, origin: Origin | undefined): JsonValue {
    if (Array.isArray(given)) return this.#array(given, origin);
    if (!isObject(given)) throw this.#notJson(`a ${Object.prototype.toString.call(given).slice(8, -1)}`);
    const settled = origin === undefined ? [] : [...(this.#settling.hidden?.(origin, given) ?? [])];
    for (const [name, member] of Object.entries(given)) {
      const value = this.#member(name, member, origin && childOf(origin, name));
      if (value !== undefined) settled.push([name, value]);
    }
    return Object.fromEntries(settled);
  }

  #array(given: readonly unknown[], origin: Origin | undefined): JsonValue {
    const { stored } = origin ?? {};
    // If the list has another length, its elements may have moved: only an element's identity, not its index, shows its origin.
    const isInPlace = Array.isArray(stored) && stored.length === given.length;
    return Array.from(given, (element, index) => {
      const before = origin && isInPlace && typeof element !== 'object' ? childOf(origin, index) : undefined;
      const value = this.#member(index, element, before);
      if (value !== undefined) return value;
      this.#path.push(index);
      throw this.#notJson('undefined, where null would do,');
    });
  }

  #member(name: string | number, given: unknown, before: Origin | undefined): JsonValue | undefined {
    if (before !== undefined && this.#settling.isKept?.(given, before)) return before.stored as JsonValue | undefined;
    this.#path.push(name);
    const settled = this.settle(given, before);
    this.#path.pop();
    return settled;
  }

  #number(given: number, stored: unknown): JsonValue {
    const kept = literalOf(stored);
    if (kept !== undefined && Object.is(Number(kept), given)) return stored as string;
    if (Object.is(given, -0)) return markedOf('-0');
    if (stored === given) return given;
    this.#literals ??= literalsIn(this.#settling.document);
    const literal = this.#literals.get(given);
    if (literal === null) throw this.#inexact(`several numbers of the document round to ${given}`);
    if (literal !== undefined) return literal === String(given) ? given : markedOf(literal);
    if (!Number.isFinite(given)) throw this.#notJson(`${given}`);
    const isWrittenOut = Math.abs(given) > Number.MAX_SAFE_INTEGER && Math.abs(given) < writtenOutMax;
    // A different double at this path is the result of a calculation.
    if (!isWrittenOut || typeof stored === 'number') return given;
    throw this.#inexact(`JavaScript may have rounded ${given}: give it as a bigint`);
  }

  #notJson(what: string): HoldfastError {
    return new HoldfastError('invalid_state', `cannot write ${this.#pointer()}: ${what} is no JSON`);
  }

  #inexact(why: string): HoldfastError {
    return new HoldfastError('inexact_number', `cannot write ${this.#pointer()}: ${why}`);
  }

  #pointer(): string {
    return pointerOf(this.#path.map(String)) || 'the whole value';
  }
}

const childOf = ({ stored, shown }: Origin, name: string | number): Origin => ({
  stored: memberOf(stored, name),
  shown: memberOf(shown, name),
});

/** The origin of a container that was read from any document. */
function readOrigin(container: object): Origin | undefined {
  const stored = originOf(container);
  return stored === undefined ? undefined : { stored };
}

/** The long numbers of a document by their doubles; null if several share one. */
function literalsIn(document: unknown): ReadonlyMap<number, string | null> {
  const literals = new Map<number, string | null>();
  const look = (value: unknown): void => {
    if (typeof value === 'object' && value !== null) {
      for (const member of Object.values(value)) look(member);
      return;
    }
    const literal = literalOf(value) ?? (typeof value === 'number' ? String(value) : '');
    if (!isLong(literal)) return;
    const known = literals.get(Number(literal));
    literals.set(Number(literal), known === undefined || known === literal ? literal : null);
  };
  look(document);
  return literals;
}

/** Whether a literal has digits that a double may not hold. */
const isLong = (literal: string): boolean =>
  literal.replace(/e.*/i, '').replace(/\D/g, '').length > 15 || Math.abs(Number(literal)) === Number.POSITIVE_INFINITY;
