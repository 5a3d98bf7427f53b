/**
 * Finds positions in JSON text without parsing it. Nothing here recurses, and every function is linear in what it skips. Malformed text
 * makes the results meaningless, but every function returns.
 */

const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const dot = 0x2e;
const zero = 0x30;
const nine = 0x39;
const colon = 0x3a;
const backslash = 0x5c;
const upperE = 0x45;
const lowerE = 0x65;
// `[` is 0x5b, `{` is 0x7b, `]` is 0x5d, `}` is 0x7d. Each pair differs in one bit, so one comparison finds both.
const bracketBit = 0x20;
const opener = 0x7b;
const closer = 0x7d;

/** Whether the code unit is `[` or `{`. */
export function isOpener(unit: number): boolean {
  return (unit | bracketBit) === opener;
}

/** Whether the code unit is `]` or `}`. */
export function isCloser(unit: number): boolean {
  return (unit | bracketBit) === closer;
}

/** Most strings are short, and walked through faster than a search can start. */
const walkedCharactersMax = 16;

/** Returns the end of the string whose opening quotation mark is at `start`; the length of the text if it is not closed. */
export function endOfString(text: string, start: number): number {
  const searched = start + walkedCharactersMax;
  let at = start + 1;
  for (; at < searched; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) return at + 1;
    if (unit === backslash) at++;
  }
  let end = text.indexOf('"', at);
  while (end !== -1) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before--;
    // An even number of backslashes are escaped backslashes; an odd one escapes the quotation mark.
    if (((end - before) & 1) === 1) return end + 1;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

/** Returns the end of the value that starts at `start`. */
export function endOfValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === quote) return endOfString(text, start);
  if (isOpener(first)) return endOfContainer(text, start);
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === comma || isCloser(unit) || unit <= space) return at;
  }
  return text.length;
}

function endOfContainer(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) at = endOfString(text, at) - 1;
    else if (isOpener(unit)) depth++;
    else if (isCloser(unit) && --depth === 0) return at + 1;
  }
  return text.length;
}

/** The findings of one pass over a JSON text. */
export interface JsonScan {
  /** Offset of the first container that is nested too deep, or -1. */
  readonly tooDeepAt: number;
  /** Start and end offsets, flat, of number literals that a double might not hold. */
  readonly suspects: readonly number[];
  /** Whether a member name contains an escape. */
  readonly escapedName: boolean;
}

/**
 * Scans a whole JSON text once: for nesting deeper than `nestingDepthMax` (the outermost container is level 1), for number literals that
 * need closer inspection, and for escapes in member names.
 *
 * A literal is safe if it has at most 15 characters before an exponent of at most two digits, and does not begin with `-0`: every decimal
 * of up to 15 significant digits within the normal range of doubles survives conversion to a double and back. Closer inspection decides
 * whether the digits of a longer literal are significant.
 */
export function scanJson(text: string, nestingDepthMax: number): JsonScan {
  const suspects: number[] = [];
  let escapedName = false;
  let nextBackslash = offsetOf(text, '\\', 0);
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) {
      const end = endOfString(text, at);
      if (nextBackslash < end) {
        escapedName ||= text.charCodeAt(endOfSpace(text, end)) === colon;
        nextBackslash = offsetOf(text, '\\', end);
      }
      at = end - 1;
    } else if (isOpener(unit)) {
      if (++depth > nestingDepthMax) return { tooDeepAt: at, suspects, escapedName };
    } else if (isCloser(unit)) {
      depth--;
    } else if (unit === minus || (unit >= zero && unit <= nine)) {
      const end = endOfPlainNumber(text, at);
      const exponentEnd = endOfExponent(text, end);
      const negativeZero = unit === minus && text.charCodeAt(at + 1) === zero;
      if (exponentEnd - end > 3 || end - at > 15 || negativeZero) suspects.push(at, exponentEnd);
      at = exponentEnd - 1;
    }
  }
  return { tooDeepAt: -1, suspects, escapedName };
}

/** Like `indexOf`, but returns the length of the text if there is no match. */
function offsetOf(text: string, sought: string, start: number): number {
  const at = text.indexOf(sought, start);
  return at === -1 ? text.length : at;
}

/** Returns the offset of the first character from `start` on that is not white space. */
function endOfSpace(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) <= space) at++;
  return at;
}

/** Returns the offset after the digits and points that follow the first character of a number. */
function endOfPlainNumber(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if ((unit < zero || unit > nine) && unit !== dot) break;
  }
  return at;
}

/** Returns the end of an exponent at `start`, including any further number characters; `start` if there is none. */
function endOfExponent(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first !== upperE && first !== lowerE) return start;
  let at = start + 1;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const sign = unit === minus || unit === 0x2b;
    if ((unit < zero || unit > nine) && unit !== dot && unit !== upperE && unit !== lowerE && !sign) break;
  }
  return at;
}
