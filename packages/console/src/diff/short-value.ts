/** Two texts in a short line: long ones are cut around the first place where they differ. */

const shownMax = 60;
/** How much is shown before the difference. */
const before = 20;

/** Returns a text shortened at its end. */
export const shortened = (text: string): string => cut(text, 0);

/** Returns both texts, shortened so that what differs is shown. */
export function shortenedPair(from: string, to: string): readonly [string, string] {
  if (Math.max(from.length, to.length) <= shownMax) return [from, to];
  const [left, right] = [[...from], [...to]];
  const differs = left.findIndex((character, index) => character !== right[index]);
  const same = left.slice(0, differs < 0 ? left.length : differs).join('');
  // A short rest leaves room for more of what is before it.
  const shown = Math.max(before, shownMax - (Math.max(left.length, right.length) - same.length));
  const start = same.length <= before * 2 ? 0 : wordStart(same, same.length - shown);
  return [cut(from, start), cut(to, start)];
}

/** Returns how many characters two texts have in common at their start and at their end; whole words, where they have some. */
export function sameEnds(from: string, to: string): readonly [number, number] {
  const most = Math.min(from.length, to.length);
  let start = 0;
  while (start < most && from[start] === to[start]) start++;
  start = from.lastIndexOf(' ', start - 1) + 1;
  let end = 0;
  while (end < most - start && from.at(-1 - end) === to.at(-1 - end)) end++;
  const space = from.indexOf(' ', from.length - end);
  return [start, space === -1 ? 0 : from.length - space];
}

/** The start of the first word after `from`, or `from` itself if there is none before the end. */
function wordStart(text: string, from: number): number {
  const space = text.indexOf(' ', from);
  if (space >= 0 && space < text.length - 1) return space + 1;
  // Half of a pair of surrogates is no character.
  return /[\uDC00-\uDFFF]/.test(text.charAt(from)) ? from - 1 : from;
}

function cut(text: string, start: number): string {
  const isCut = start + shownMax < text.length;
  const shown = text.slice(start, start + shownMax).replace(/[\uD800-\uDBFF]$/, '');
  const end = isCut && !/\s/.test(text.charAt(start + shownMax)) ? shown.lastIndexOf(' ') : -1;
  const left = end > before ? shown.slice(0, end) : shown;
  return `${start > 0 ? '…' : ''}${left}${isCut ? '…' : ''}`;
}
