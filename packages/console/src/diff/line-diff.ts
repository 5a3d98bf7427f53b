/**
 * The difference between two document texts: by lines first, then by characters within changed lines. A document has one value per line, so
 * the result equals that of a character diff, which takes many times as long. A comma at the end of a line does not count as a difference.
 */
import { Change, diff } from '@codemirror/merge';

/** With more edits than this, unique lines are matched first. Memory grows with the square of this. */
const editsMax = 1_000;
/** Consecutive lines with more characters than this differ as a whole. */
const charactersMax = 4_000;
const byCharacters = { scanLimit: 5_000, timeout: 300 };

/** Different lines: their range in each text. */
interface Hunk {
  fromA: number;
  toA: number;
  fromB: number;
  toB: number;
}

/** Returns the changes from one text to the other, in order. */
export function diffByLines(a: string, b: string): readonly Change[] {
  const [linesA, linesB] = [a.split('\n'), b.split('\n')];
  const most = Math.min(linesA.length, linesB.length);
  let begin = 0;
  while (begin < most && linesA[begin] === linesB[begin]) begin++;
  if (begin === linesA.length && begin === linesB.length) return [];
  let end = 0;
  while (end < most - begin && linesA[linesA.length - 1 - end] === linesB[linesB.length - 1 - end]) end++;
  // The last line has no line feed, so both texts must end alike.
  if (end === 0) return diff(a, b, byCharacters);
  const hunks = hunksOf(linesA.slice(begin, -end), linesB.slice(begin, -end));
  const [startsA, startsB] = [startsOf(linesA), startsOf(linesB)];
  const at = (starts: Int32Array, line: number) => starts[begin + line] ?? 0;
  return hunks.flatMap((hunk) => {
    const [fromA, toA] = [at(startsA, hunk.fromA), at(startsA, hunk.toA)];
    const [fromB, toB] = [at(startsB, hunk.fromB), at(startsB, hunk.toB)];
    const characters = toA - fromA + toB - fromB;
    if (fromA === toA || fromB === toB || characters > charactersMax) return [new Change(fromA, toA, fromB, toB)];
    const inside = diff(a.slice(fromA, toA), b.slice(fromB, toB), byCharacters);
    return inside.map((one) => new Change(fromA + one.fromA, fromA + one.toA, fromB + one.fromB, fromB + one.toB));
  });
}

/** The offsets of line starts. */
function startsOf(lines: readonly string[]): Int32Array {
  const starts = new Int32Array(lines.length);
  for (let line = 1; line < lines.length; line++)
    starts[line] = (starts[line - 1] ?? 0) + (lines[line - 1]?.length ?? 0) + 1;
  return starts;
}

/** A member keeps its value when another one follows it. */
const withoutComma = (line: string): string => (line.endsWith(',') ? line.slice(0, -1) : line);

/** The different lines of two lists; a comma at the end of a line is ignored. */
function hunksOf(a: readonly string[], b: readonly string[]): readonly Hunk[] {
  const names = new Map<string, number>();
  const numbers = (lines: readonly string[]) =>
    Int32Array.from(lines, (text) => {
      const line = withoutComma(text);
      const known = names.get(line) ?? names.size;
      names.set(line, known);
      return known;
    });
  const [one, other] = [numbers(a), numbers(b)];
  return shortest(one, other) ?? betweenAnchors(one, other, anchorsOf(one, other, names.size));
}

/**
 * The shortest edit from one list of lines to the other; undefined if it has too many steps.
 * @see E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986
 */
function shortest(a: Int32Array, b: Int32Array): readonly Hunk[] | undefined {
  const steps = stepsBetween(a, b);
  return steps && hunksAlong(steps, a.length, b.length);
}

/** Compares the lines between equal ones. If too many differ, they differ as a whole. */
function betweenAnchors(a: Int32Array, b: Int32Array, anchors: readonly (readonly [number, number])[]): readonly Hunk[] {
  let [x, y] = [0, 0];
  return [...anchors, [a.length, b.length] as const].flatMap(([toX, toY]) => {
    const [fromX, fromY] = [x, y];
    [x, y] = [toX + 1, toY + 1];
    if (fromX === toX && fromY === toY) return [];
    const inside = shortest(a.subarray(fromX, toX), b.subarray(fromY, toY)) ?? [
      { fromA: 0, toA: toX - fromX, fromB: 0, toB: toY - fromY },
    ];
    return inside.map((hunk) => ({
      fromA: fromX + hunk.fromA,
      toA: fromX + hunk.toA,
      fromB: fromY + hunk.fromB,
      toB: fromY + hunk.toB,
    }));
  });
}

/** Unique lines that occur in the same order in both lists; as many as possible. */
function anchorsOf(a: Int32Array, b: Int32Array, nameCount: number): readonly (readonly [number, number])[] {
  const [placesA, placesB] = [uniqueIndexes(a, nameCount), uniqueIndexes(b, nameCount)];
  /** The last pair of the best run of each length, and the predecessor of each pair in its run. */
  const tails: number[] = [];
  const pairs: { readonly pair: readonly [number, number]; readonly before: number }[] = [];
  for (const [x, name] of a.entries()) {
    const y = placesB[name] ?? -1;
    if (placesA[name] !== x || y < 0) continue;
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tails[middle] ?? 0]?.pair[1] ?? 0) < y) low = middle + 1;
      else high = middle;
    }
    pairs.push({ pair: [x, y], before: low === 0 ? -1 : (tails[low - 1] ?? -1) });
    tails[low] = pairs.length - 1;
  }
  const anchors: (readonly [number, number])[] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; ) {
    const found = pairs[at];
    if (found === undefined) break;
    anchors.push(found.pair);
    at = found.before;
  }
  return anchors.reverse();
}

/** The index of each unique line; negative for the others. */
function uniqueIndexes(list: Int32Array, nameCount: number): Int32Array {
  const places = new Int32Array(nameCount).fill(-1);
  for (const [place, name] of list.entries()) places[name] = places[name] === -1 ? place : -2;
  return places;
}

/** How far each diagonal reaches after each step; `reach[k + step]` is a line of the first list. */
function stepsBetween(a: Int32Array, b: Int32Array): readonly Int32Array[] | undefined {
  const steps: Int32Array[] = [];
  let before = Int32Array.of(0);
  for (let step = 0; step <= Math.min(editsMax, a.length + b.length); step++) {
    const reach = new Int32Array(2 * step + 1);
    for (let k = -step; k <= step; k += 2) {
      let x = step === 0 ? 0 : firstReach(before, step, k);
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reach[k + step] = x;
      if (x < a.length || x - k < b.length) continue;
      steps.push(reach);
      return steps;
    }
    steps.push(reach);
    before = reach;
  }
  return undefined;
}

/** Whether a diagonal is reached from the one above it, by a line that only the second list has. */
const isFromAbove = (before: Int32Array, step: number, k: number): boolean =>
  k === -step || (k !== step && (before[k - 1 + step - 1] ?? 0) < (before[k + 1 + step - 1] ?? 0));

const firstReach = (before: Int32Array, step: number, k: number): number =>
  isFromAbove(before, step, k) ? (before[k + 1 + step - 1] ?? 0) : (before[k - 1 + step - 1] ?? 0) + 1;

/** Goes back along the steps. Consecutive lines form one hunk. */
function hunksAlong(steps: readonly Int32Array[], lengthA: number, lengthB: number): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let [x, y] = [lengthA, lengthB];
  for (let step = steps.length - 1; step > 0; step--) {
    const before = steps[step - 1] ?? Int32Array.of(0);
    const k = x - y;
    const isAdded = isFromAbove(before, step, k);
    const fromK = isAdded ? k + 1 : k - 1;
    const fromX = before[fromK + step - 1] ?? 0;
    const fromY = fromX - fromK;
    const [toX, toY] = isAdded ? [fromX, fromY + 1] : [fromX + 1, fromY];
    const last = hunks.at(-1);
    if (last !== undefined && last.fromA === toX && last.fromB === toY) {
      last.fromA = fromX;
      last.fromB = fromY;
    } else {
      hunks.push({ fromA: fromX, toA: toX, fromB: fromY, toB: toY });
    }
    [x, y] = [fromX, fromY];
  }
  return hunks.reverse();
}
