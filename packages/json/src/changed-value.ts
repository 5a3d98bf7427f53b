/** Finds what differs between two texts, and whether that is the value of one member. */
import { endOfValue, isOpener } from './scan.ts';
import type { TextEdit } from './splice.ts';

/** Equal parts are compared as slices, which the runtime does many units at a time: 15 µs for 250,000. */
const steps = [8_192, 128];

/** Returns how many UTF-16 code units two texts have in common at their beginning, up to `most`. */
export function commonStart(one: string, other: string, most: number): number {
  let at = 0;
  for (const step of steps) {
    while (at + step <= most && one.slice(at, at + step) === other.slice(at, at + step)) at += step;
  }
  while (at < most && one.charCodeAt(at) === other.charCodeAt(at)) at++;
  return at;
}

/** Returns how many UTF-16 code units two texts have in common at their end, up to `most`. */
export function commonEnding(one: string, other: string, most: number): number {
  const sliceOf = (text: string, count: number, step: number) =>
    text.slice(text.length - count - step, text.length - count);
  let count = 0;
  for (const step of steps) {
    while (count + step <= most && sliceOf(one, count, step) === sliceOf(other, count, step)) count += step;
  }
  while (count < most && one.charCodeAt(one.length - count - 1) === other.charCodeAt(other.length - count - 1)) count++;
  return count;
}

/**
 * Returns the edit from the text of one document to that of another if it replaces one member's value, a string, number, boolean or null,
 * by another of these; undefined if it does not, or if that takes a parser to see. `before` is compact JSON text with an object at its root,
 * as {@link printJson} writes it. If an edit is returned, `after` is such a text too.
 */
export function changedValue(before: string, after: string): TextEdit | undefined {
  const shorter = Math.min(before.length, after.length);
  const same = commonStart(before, after, shorter);
  const ending = commonEnding(before, after, shorter - same);
  const start = startOfValue(before, same);
  if (start === -1 || isOpener(before.charCodeAt(start))) return undefined;
  const end = endOfValue(before, start);
  const left = before.length - end;
  const replacement = after.slice(start, after.length - left);
  return left <= ending && start + replacement.length === endOfValue(after, start) && isPrintedScalar(replacement)
    ? { start, end, replacement }
    : undefined;
}

/** A longer value is left to the parser, which takes some 5 µs for each 1,000 characters. */
const scalarCharactersMax = 16_384;

/** A quotation mark after one of these may open a string; after any other character it closes one. */
const beforeOpeningQuote = '{[,:\\';

/**
 * Returns where the member's value starts that contains the offset, or ends there; -1 if that is not certain. Only a quotation mark that
 * closes a name is followed by a colon, unless a string begins with one.
 */
function startOfValue(text: string, offset: number): number {
  const quote = offset < 2 ? -1 : text.lastIndexOf('":', offset - 2);
  return quote < 1 || beforeOpeningQuote.includes(text.charAt(quote - 1)) ? -1 : quote + 2;
}

function isPrintedScalar(text: string): boolean {
  if (text.length > scalarCharactersMax || isOpener(text.charCodeAt(0))) return false;
  try {
    return JSON.stringify(JSON.parse(text)) === text;
  } catch {
    return false;
  }
}
