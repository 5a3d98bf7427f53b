/**
 * Regular expressions of tenants, matched in time linear in the string. A compiled pattern is plain data: it is compiled on a worker thread
 * (pattern-source.ts) and can be matched on any thread.
 *
 * @see https://swtch.com/~rsc/regexp/regexp2.html
 */

import type { StepBudget } from './bounds.ts';
import { patternInstructionsMax } from './bounds.ts';

/**
 * The kinds of instructions. `check` continues if an assertion holds, `take` continues after a code point of its class, `fork` continues on
 * both paths.
 */
export const opcodes = { fork: 0, go: 1, check: 2, take: 3, match: 4, fail: 5 } as const;

/** Assertions about the code points before and after a position. Bits of `check`. */
export const assertions = { lineStart: 1, lineEnd: 2, textStart: 4, textEnd: 8, wordEdge: 16, noWordEdge: 32 } as const;

/** A compiled regular expression. */
export interface Pattern {
  readonly start: number;
  /** Whether it matches only from the start of a string. */
  readonly isAnchored: boolean;
  /** For each instruction: its kind, the next instruction, and its operand (the other path, the assertions or the class number). */
  readonly opcodes: Uint8Array;
  readonly next: Int32Array;
  readonly other: Int32Array;
  /** First and last code point of each range, in order. */
  readonly classes: readonly Int32Array[];
}

/** Steps per code point; and the number of instructions visited there per additional step. */
const stepsOfCodePoint = 0.5;
const instructionsOfStep = 4;
/** Steps that may be owed between two positions: one position needs at most 500. */
const unpaidMax = 64;

/** Instructions to visit, each once per position. */
class States {
  readonly list = new Int32Array(patternInstructionsMax);
  readonly #at = new Int32Array(patternInstructionsMax);
  count = 0;

  add(instruction: number): void {
    const at = this.#at[instruction] ?? 0;
    if (at < this.count && this.list[at] === instruction) return;
    this.#at[instruction] = this.count;
    this.list[this.count++] = instruction;
  }
}

/** Memory for a match. Matches never overlap, so they share it. */
const room = [new States(), new States()] as const;

/** Whether the pattern matches anywhere in the string. Charges for each instruction visited. Throws `BudgetSpent`. */
export function isIn(
  { opcodes: kinds, next, other, classes, start, isAnchored }: Pattern,
  text: string,
  budget: StepBudget,
): boolean {
  let [here, ahead] = room;
  here.count = 0;
  ahead.count = 0;
  let unpaid = 1;
  let before = -1;
  for (let at = 0; ; ) {
    const point = at < text.length ? (text.codePointAt(at) ?? -1) : -1;
    if (at === 0 || !isAnchored) here.add(start);
    else if (here.count === 0) break;
    for (let index = 0; index < here.count; index++) {
      const instruction = here.list[index] ?? 0;
      switch (kinds[instruction]) {
        case opcodes.match:
          budget.spend(unpaid + here.count / instructionsOfStep);
          return true;
        case opcodes.fork:
          here.add(next[instruction] ?? 0);
          here.add(other[instruction] ?? 0);
          break;
        case opcodes.go:
          here.add(next[instruction] ?? 0);
          break;
        case opcodes.check:
          if (((other[instruction] ?? 0) & ~assertionsAt(before, point)) === 0) here.add(next[instruction] ?? 0);
          break;
        case opcodes.take:
          if (point >= 0 && isOf(classes[other[instruction] ?? 0], point)) ahead.add(next[instruction] ?? 0);
          break;
      }
    }
    unpaid += stepsOfCodePoint + here.count / instructionsOfStep;
    // Nothing is left to take at the end of the text, but the instructions visited there are charged.
    if (point < 0) break;
    if (unpaid > unpaidMax) {
      budget.spend(unpaid);
      unpaid = 0;
    }
    here.count = 0;
    [here, ahead] = [ahead, here];
    before = point;
    at += point > 0xffff ? 2 : 1;
  }
  budget.spend(unpaid);
  return false;
}

/** Whether a code point is in a class. */
function isOf(ranges: Int32Array | undefined, point: number): boolean {
  if (ranges === undefined) return false;
  let low = 0;
  let high = ranges.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (point > (ranges[2 * middle + 1] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return 2 * low < ranges.length && point >= (ranges[2 * low] ?? 0);
}

/** The assertions that hold between two code points; -1 stands for an end of the text. */
function assertionsAt(before: number, after: number): number {
  let holds: number = isWord(before) === isWord(after) ? assertions.noWordEdge : assertions.wordEdge;
  if (before < 0) holds |= assertions.textStart | assertions.lineStart;
  else if (before === 0x0a) holds |= assertions.lineStart;
  if (after < 0) holds |= assertions.textEnd | assertions.lineEnd;
  else if (after === 0x0a) holds |= assertions.lineEnd;
  return holds;
}

const isWord = (point: number): boolean =>
  (point >= 0x61 && point <= 0x7a) ||
  (point >= 0x41 && point <= 0x5a) ||
  (point >= 0x30 && point <= 0x39) ||
  point === 0x5f;
