import { endOfValue, isCloser, isOpener } from './json-scan.ts';
import { type JsonValue, type RawNumber, rawNumber, setMember } from './json-value.ts';

type Open = JsonValue[] | Record<string, JsonValue>;

/**
 * The value of a JSON text that is known to be well-formed, built without the runtime's parser but for strings with escapes.
 * It is slower, and exact where that parser is not. `inexact` holds the flat start and end offsets, in order, of the number
 * literals that a double does not hold; they become raw numbers. Does not recurse.
 */
export function readExactly(text: string, inexact: readonly number[]): JsonValue {
  const rawNumbers = new Map<string, RawNumber>();
  let nextInexact = 0;
  const outermost: JsonValue[] = [];
  const open: Open[] = [];
  let into: Open = outermost;
  let name: string | undefined;
  let at = 0;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (isSeparator(unit)) {
      at++;
    } else if (isCloser(unit)) {
      into = open.pop() as Open;
      at++;
    } else if (isOpener(unit)) {
      const container = unit === 0x5b ? [] : {};
      put(into, name, container);
      name = undefined;
      open.push(into);
      into = container;
      at++;
    } else {
      const end = endOfValue(text, at);
      const token = text.slice(at, end);
      if (name === undefined && !Array.isArray(into)) {
        name = readString(token);
      } else if (at === inexact[nextInexact]) {
        nextInexact += 2;
        put(into, name, rawOnce(rawNumbers, token));
        name = undefined;
      } else {
        put(into, name, readScalar(token));
        name = undefined;
      }
      at = end;
    }
  }
  return outermost[0] as JsonValue;
}

/** White space, comma and colon: where they stand is known to be right. */
function isSeparator(unit: number): boolean {
  return unit <= 0x20 || unit === 0x2c || unit === 0x3a;
}

function put(into: Open, name: string | undefined, value: JsonValue): void {
  if (Array.isArray(into)) into.push(value);
  else setMember(into, name as string, value);
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
