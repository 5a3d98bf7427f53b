/**
 * JSON Pointers. A pointer is read segment by segment without splitting it first, so only the visited part of a path costs time. A walk
 * begins at offset 1 and continues after each slash; an empty pointer has no segments.
 *
 * @see RFC 6901
 */
import { quote, quotedCharactersMax, quoteEnds } from './quote.ts';

/** Whether the text is a JSON Pointer: empty or starting with a slash, with every `~` followed by `0` or `1`. */
export function isPointer(text: string): boolean {
  return text === '' || (text[0] === '/' && !(text.includes('~') && /~(?![01])/.test(text)));
}

/** Returns the end of the segment that starts at `start`: the offset of the next slash, or the length of the pointer. */
export function endOfSegment(pointer: string, start: number): number {
  const slash = pointer.indexOf('/', start);
  return slash === -1 ? pointer.length : slash;
}

/** The segment between two offsets, unescaped. */
export function segmentAt(pointer: string, start: number, end: number): string {
  const segment = pointer.slice(start, end);
  // `~1` first, so that the `~` from `~01` is not mistaken for the start of another escape.
  return segment.includes('~') ? segment.replaceAll('~1', '/').replaceAll('~0', '~') : segment;
}

/** Returns the name escaped as a pointer segment. */
export function escapeSegment(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Returns the names and indexes of a pointer; none for the whole document. */
export function pathOfPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segmentAt(segment, 0, segment.length));
}

/** Returns the pointer to a path. */
export function pointerOf(path: readonly string[]): string {
  return path.map((name) => `/${escapeSegment(name)}`).join('');
}

/** Returns the array index in a segment if it is below `limit`, otherwise -1, also for `-`. @see RFC 6901 §4 */
export function indexBelow(limit: number, segment: string): number {
  if (!isIndex(segment)) return -1;
  const index = Number(segment);
  return index < limit ? index : -1;
}

/** Whether a segment has the form of an array index: digits, no leading zero. @see RFC 6901 §4 */
export function isIndex(segment: string): boolean {
  return /^(?:0|[1-9][0-9]*)$/.test(segment);
}

/** Returns the segment between two offsets, unescaped, quoted, and shortened in the middle if long. */
export function quoteSegment(pointer: string, start: number, end: number): string {
  // At most two characters make one, so no more need unescaping for the shown part; half an escape is not shown.
  const shown = quotedCharactersMax * 2;
  if (end - start <= shown) return quote(segmentAt(pointer, start, end));
  const headEnd = start + shown / 2 - (pointer[start + shown / 2 - 1] === '~' ? 1 : 0);
  const tailStart = end - shown / 2 + (pointer[end - shown / 2 - 1] === '~' ? 1 : 0);
  return quoteEnds(segmentAt(pointer, start, headEnd), segmentAt(pointer, tailStart, end));
}
