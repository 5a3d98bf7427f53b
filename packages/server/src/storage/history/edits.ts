/**
 * The difference between two texts as edits, and the stored form of edits. Offsets count UTF-16 code units, as strings do.
 *
 * A stored edit is `start,removed,added:` and the replacement, for example `1204,2,3:101`: at 1204, three units replace two. Edits follow
 * each other without a separator, and each applies to the result of the one before it. The empty text means no edits: nothing has changed.
 */

import { commonEnding, commonStart, type TextEdit } from '@holdfast/json';

/** A version with more edits means that the store is damaged. */
export const editsMax = 64;

/** Returns the stored text of edits. */
export function printEdits(edits: readonly TextEdit[]): string {
  let text = '';
  for (const { start, end, replacement } of edits) text += `${start},${end - start},${replacement.length}:${replacement}`;
  return text;
}

/** No leading zeros, and no more digits than an offset in the largest text has. */
const editHead = /(0|[1-9]\d{0,8}),(0|[1-9]\d{0,8}),(0|[1-9]\d{0,8}):/y;

/** Returns the edits of a stored text; undefined if {@link printEdits} did not write the text, or it is truncated. */
export function parseEdits(text: string): TextEdit[] | undefined {
  const edits: TextEdit[] = [];
  for (let at = 0; at < text.length; ) {
    editHead.lastIndex = at;
    const head = editHead.exec(text);
    if (head === null || edits.length === editsMax) return undefined;
    const [start, removed, added] = [Number(head[1]), Number(head[2]), Number(head[3])];
    const begin = at + head[0].length;
    at = begin + added;
    if (at > text.length) return undefined;
    edits.push({ start, end: start + removed, replacement: text.slice(begin, at) });
  }
  return edits;
}

/**
 * Returns the edit from `before` to `after`, which replaces everything between their common beginning and common end; no edit if they are
 * equal. It never splits a surrogate pair.
 */
export function differenceBetween(before: string, after: string): TextEdit[] {
  if (before === after) return [];
  const shorter = Math.min(before.length, after.length);
  let start = commonStart(before, after, shorter);
  if (isSplit(before, start) || isSplit(after, start)) start--;
  let ending = commonEnding(before, after, shorter - start);
  if (isSplit(before, before.length - ending) || isSplit(after, after.length - ending)) ending--;
  return [{ start, end: before.length - ending, replacement: after.slice(start, after.length - ending) }];
}

/** Whether an offset is inside a surrogate pair. */
function isSplit(text: string, at: number): boolean {
  return (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}
