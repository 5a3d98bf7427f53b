/** JSON values, read from and printed as text without losing a digit. */
import { doubleHolds } from './number.ts';
import { endOfValue, isCloser, isOpener, scanJson } from './scan.ts';
import { findSyntaxFault } from './syntax-fault.ts';

/** Default limit of nested arrays and objects. The outermost container is level 1. */
export const defaultNestingDepthMax = 256;

/** A number that a double cannot hold, kept as its literal. It is a scalar, although the runtime represents it as an object. */
export interface RawNumber {
  readonly rawJSON: string;
}

export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/** A JSON value. It is never changed in place: values are shared between caches, documents and operations. */
export type JsonValue = null | boolean | number | string | RawNumber | readonly JsonValue[] | JsonObject;

/** The part of the runtime's `JSON` that is missing in the compiler's library. Browsers before 2025 may lack it. */
const runtime: Pick<JSON, 'parse'> & {
  rawJSON?(this: void, literal: string): RawNumber;
  isRawJSON?(this: void, value: unknown): value is RawNumber;
} = JSON;
const { rawJSON = rejectRawNumber, isRawJSON = (_value: unknown): _value is RawNumber => false } = runtime;

function rejectRawNumber(literal: string): never {
  throw new Error(`cannot keep the number ${literal.slice(0, 40)} exactly: this runtime has no JSON.rawJSON`);
}

/** Returns a number that prints as the literal, which must be a JSON number. */
function rawNumber(literal: string): RawNumber {
  return rawJSON(literal);
}

/** Sets a member as JSON defines it: `__proto__` is an ordinary name. */
export function setMember(object: Record<string, JsonValue>, name: string, value: JsonValue): void {
  if (name !== '__proto__') object[name] = value;
  // Assignment would set the prototype if the member does not exist yet.
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

/** Whether the value is a number kept as its literal. */
export function isRawNumber(value: unknown): value is RawNumber {
  return isRawJSON(value);
}

/** Whether the value is a JSON object: not an array, null, or a number kept as its literal. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJSON(value);
}

/** Whether the value is an array or an object, which can contain other values. */
export function isContainer(value: unknown): value is JsonObject | readonly JsonValue[] {
  return typeof value === 'object' && value !== null && !isRawJSON(value);
}

/** Whether the value is nested deeper than `nestingDepthMax`: a scalar has depth 0, `[]` and `{}` have depth 1. */
export function exceedsNestingDepth(value: JsonValue, nestingDepthMax: number = defaultNestingDepthMax): boolean {
  let level = isContainer(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > nestingDepthMax) return true;
    const next: (JsonObject | readonly JsonValue[])[] = [];
    for (const container of level) {
      const children = Array.isArray(container) ? container : Object.values(container);
      for (const child of children) if (isContainer(child)) next.push(child);
    }
    level = next;
  }
  return false;
}

/** Refuses a text that is not JSON (`syntax`) or nested too deep (`depth`). The message quotes nothing of the text. */
export class JsonTextError extends Error {
  override readonly name = 'JsonTextError';
  readonly reason: 'syntax' | 'depth';
  /** Offset in the text, in UTF-16 code units. */
  readonly position: number;

  constructor(reason: 'syntax' | 'depth', position: number, message: string) {
    super(message);
    this.reason = reason;
    this.position = position;
  }
}

// Bundles of the client leave it out: not every runtime has TextDecoder.
const utf8 = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the text of UTF-8 bytes; `undefined` if they are invalid. A byte order mark is kept for the parser to refuse. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Returns the value of a JSON text with every number exact. If a double does not hold the decimal value of a literal, the literal is kept,
 * and {@link printJson} writes it digit for digit. Other literals are normalised (`1.0` becomes `1`). Of duplicate member names the last
 * one counts; every name, even `__proto__`, is an ordinary own member.
 *
 * The runtime's parser works alone where it is exact. It is inexact for the numbers above and, in current runtimes, for member names with
 * escapes: it may mistake `"\\n"` for the `"\\\\"` of an object that it read before.
 *
 * @see https://github.com/nodejs/node/issues/63785
 * @throws {JsonTextError} `syntax` if the text is not JSON, `depth` if it is nested deeper than `nestingDepthMax`.
 */
export function parseJson(text: string, nestingDepthMax: number = defaultNestingDepthMax): JsonValue {
  const { tooDeepAt, suspects, escapedName } = scanJson(text, nestingDepthMax);
  if (tooDeepAt !== -1) {
    const message = `cannot parse JSON: nested deeper than ${nestingDepthMax} levels at position ${tooDeepAt}`;
    throw new JsonTextError('depth', tooDeepAt, message);
  }
  const inexact = suspects.length === 0 ? suspects : inexactOf(text, suspects);
  if (!escapedName && inexact.length === 0) return parseNatively(text);
  parseNatively(text); // its result is dropped, but now the text is known to be JSON
  return readExactly(text, inexact);
}

/** Returns the document in a JSON text; fails like {@link parseJson}, and with a `TypeError` if the value is not an object. */
export function parseDocument(text: string): JsonObject {
  const value = parseJson(text);
  if (!isJsonObject(value)) throw new TypeError('a stored document is no JSON object');
  return value;
}

/** Returns the compact JSON text of a value, raw numbers digit for digit. The value may be nested at most 256 levels deep. */
export function printJson(value: JsonValue): string {
  return JSON.stringify(value);
}

function parseNatively(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    // The runtime's own message quotes the text.
    const { position, reason } = findSyntaxFault(text) ?? { position: 0, reason: 'malformed text' };
    throw new JsonTextError('syntax', position, `cannot parse JSON: ${reason} at position ${position}`);
  }
}

/** Returns the number literals, given as flat start and end offsets, that a double does not hold. */
function inexactOf(text: string, suspects: readonly number[]): number[] {
  const inexact: number[] = [];
  for (let i = 0; i < suspects.length; i += 2) {
    const [start = 0, end = 0] = suspects.slice(i, i + 2);
    if (!doubleHolds(text.slice(start, end))) inexact.push(start, end);
  }
  return inexact;
}

const openBracket = 0x5b;

/** An unfinished container, and the name of its next member. */
interface Open {
  /** Undefined for an array, whose elements are collected first, and turned into an array of their exact number at the end. */
  readonly object: Record<string, JsonValue> | undefined;
  readonly asideBefore: number;
  name: string | undefined;
}

/**
 * Returns the value of a well-formed JSON text, built without the runtime's parser except for strings with escapes. It is slower than that
 * parser, but always exact. `inexact` holds the flat start and end offsets, in order, of number literals that a double does not hold; they
 * become raw numbers. Does not recurse.
 */
function readExactly(text: string, inexact: readonly number[]): JsonValue {
  const rawNumbers = new Map<string, RawNumber>();
  let nextInexact = 0;
  // A growing array reserves 17 slots with its first element: a level of nesting would take 180 bytes.
  const aside: JsonValue[] = [];
  let asideCount = 0;
  let into: Open = { object: undefined, asideBefore: 0, name: undefined };
  const open: Open[] = [];
  const put = (value: JsonValue): void => {
    if (into.object === undefined) aside[asideCount++] = value;
    else if (into.name !== undefined) setMember(into.object, into.name, value);
    into.name = undefined;
  };
  let at = 0;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (isSeparator(unit)) {
      at++;
    } else if (isCloser(unit)) {
      const { object, asideBefore } = into;
      const container = object ?? aside.slice(asideBefore, asideCount);
      asideCount = asideBefore;
      into = open.pop() ?? into;
      put(container);
      at++;
    } else if (isOpener(unit)) {
      open.push(into);
      into = { object: unit === openBracket ? undefined : {}, asideBefore: asideCount, name: undefined };
      at++;
    } else {
      const end = endOfValue(text, at);
      const token = text.slice(at, end);
      if (into.name === undefined && into.object !== undefined) {
        into.name = readString(token);
      } else if (at === inexact[nextInexact]) {
        nextInexact += 2;
        put(rawOnce(rawNumbers, token));
      } else {
        put(readScalar(token));
      }
      at = end;
    }
  }
  return aside[0] ?? null;
}

/** White space, comma and colon, whose positions are known to be right. */
function isSeparator(unit: number): boolean {
  return unit <= 0x20 || unit === 0x2c || unit === 0x3a;
}

function readScalar(token: string): JsonValue {
  switch (token[0]) {
    case '"':
      return readString(token);
    case 't':
      return true;
    case 'f':
      return false;
    case 'n':
      return null;
    default:
      return Number(token);
  }
}

function readString(token: string): string {
  return token.includes('\\') ? JSON.parse(token) : token.slice(1, -1);
}

/** Creating a raw number is expensive, and it never changes, so equal literals of a text share one. */
function rawOnce(rawNumbers: Map<string, RawNumber>, literal: string): RawNumber {
  let number = rawNumbers.get(literal);
  if (number === undefined) {
    number = rawNumber(literal);
    rawNumbers.set(literal, number);
  }
  return number;
}
