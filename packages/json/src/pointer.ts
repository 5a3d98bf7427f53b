/**
 * JSON Pointers, walked segment by segment instead of split up front: a path costs what is visited of it, however long it is.
 * A walk begins at offset 1 and goes on behind each slash; an empty pointer has no segments.
 *
 * @see RFC 6901
 */

const quotedCharactersMax = 100;

/** Whether the text is a JSON Pointer: empty or begun with a slash, and every `~` part of `~0` or `~1`. */
export function isPointer(text: string): boolean {
  return text === '' || (text[0] === '/' && !(text.includes('~') && /~(?![01])/.test(text)));
}

/** The offset behind the segment that begins at `start`: that of the next slash, or the length of the pointer. */
export function endOfSegment(pointer: string, start: number): number {
  const slash = pointer.indexOf('/', start);
  return slash === -1 ? pointer.length : slash;
}

/** The segment between two offsets, unescaped. */
export function segmentAt(pointer: string, start: number, end: number): string {
  const segment = pointer.slice(start, end);
  // `~1` first, so that the `~` out of `~01` is not taken for the begin of another escape.
  return segment.includes('~') ? segment.replaceAll('~1', '/').replaceAll('~0', '~') : segment;
}

/** The name as a segment of a pointer has it. */
export function escapeSegment(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The array index that a segment stands for, when it is below `limit`; -1 otherwise, as for `-`. @see RFC 6901 §4 */
export function indexBelow(limit: number, segment: string): number {
  if (!isIndex(segment)) return -1;
  const index = Number(segment);
  return index < limit ? index : -1;
}

/** Whether a segment has the form of an array index: digits, no leading zero. @see RFC 6901 §4 */
export function isIndex(segment: string): boolean {
  return /^(?:0|[1-9][0-9]*)$/.test(segment);
}

/** The segment between two offsets, unescaped and in quotation marks, its middle left out when it is long. */
export function quoteSegment(pointer: string, start: number, end: number): string {
  // Two characters make one at most, so that no more has to be unescaped for what is shown; half an escape is not shown.
  const shown = quotedCharactersMax * 2;
  if (end - start <= shown) return quote(segmentAt(pointer, start, end));
  const headEnd = start + shown / 2 - (pointer[start + shown / 2 - 1] === '~' ? 1 : 0);
  const tailStart = end - shown / 2 + (pointer[end - shown / 2 - 1] === '~' ? 1 : 0);
  return quoteEnds(segmentAt(pointer, start, headEnd), segmentAt(pointer, tailStart, end));
}

/** A text in quotation marks, control characters escaped, its middle left out when it is long. */
export function quote(text: string): string {
  if (text.length <= quotedCharactersMax) return JSON.stringify(text);
  return quoteEnds(text, text);
}

function quoteEnds(head: string, tail: string): string {
  return JSON.stringify(`${head.slice(0, quotedCharactersMax / 2)}…${tail.slice(-quotedCharactersMax / 2)}`);
}
