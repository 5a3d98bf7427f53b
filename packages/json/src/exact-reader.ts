import { endOfValue, isCloser, isOpener } from './scan.ts';
import { type JsonValue, type RawNumber, rawNumber, setMember } from './value.ts';

const openBracket = 0x5b;

/** A container whose end has not been reached, and the name that its next member has been given. */
interface Open {
  /** Undefined for an array: its elements are put aside, and made an array of just their number in the end. */
  readonly object: Record<string, JsonValue> | undefined;
  readonly asideBefore: number;
  name: string | undefined;
}

/**
 * The value of a JSON text that is known to be well-formed, built without the runtime's parser but for strings with escapes.
 * It is slower, and exact where that parser is not. `inexact` holds the flat start and end offsets, in order, of the number
 * literals that a double does not hold; they become raw numbers. Does not recurse.
 */
export function readExactly(text: string, inexact: readonly number[]): JsonValue {
  const rawNumbers = new Map<string, RawNumber>();
  let nextInexact = 0;
  // An array that grows by itself reserves 17 places with its first element: a level of nesting would take 180 bytes.
  const aside: JsonValue[] = [];
  let asideCount = 0;
  let into: Open = { object: undefined, asideBefore: 0, name: undefined };
  const open: Open[] = [];
  const put = (value: JsonValue): void => {
    if (into.object === undefined) aside[asideCount++] = value;
    else setMember(into.object, into.name as string, value);
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
      into = open.pop() as Open;
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
  return aside[0] as JsonValue;
}

/** White space, comma and colon: where they stand is known to be right. */
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

/** Making a raw number is dear, and it never changes: equal literals of a text share one. */
function rawOnce(rawNumbers: Map<string, RawNumber>, literal: string): RawNumber {
  let number = rawNumbers.get(literal);
  if (number === undefined) {
    number = rawNumber(literal);
    rawNumbers.set(literal, number);
  }
  return number;
}
