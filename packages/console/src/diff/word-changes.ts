/** What differs between two long texts, word by word. */

/** A part of a text, and whether the other one lacks it. */
export interface Piece {
  readonly text: string;
  readonly isChanged: boolean;
}

/** Words shown before and after what differs. */
const contextWords = 3;
/** What a line shows. */
const charactersMax = 200;
/** Longer words, such as encoded data, have no readable difference. */
const wordMax = 60;
/** Longer texts take too long to take apart. */
const textMax = 100_000;
/** Between equal ends, texts with more pairs of words than this differ as a whole. */
const pairsMax = 40_000;

interface Step {
  readonly kind: 'same' | 'old' | 'new';
  readonly text: string;
}

/**
 * Returns both texts in pieces: what differs, with three words around it, and `…` for the rest. Undefined if a shown word, or a text, is too
 * long for that.
 */
export function wordChanges(from: string, to: string): readonly [readonly Piece[], readonly Piece[]] | undefined {
  if (Math.max(from.length, to.length) > textMax) return undefined;
  const steps = stepsBetween(tokensOf(from), tokensOf(to));
  const isNear = nearChanges(steps);
  if (steps.some(({ text }, index) => isNear[index] === true && text.length > wordMax)) return undefined;
  const side = (kind: 'old' | 'new') => {
    const pieces: Piece[] = [];
    let length = 0;
    for (const [index, step] of steps.entries()) {
      if (step.kind !== 'same' && step.kind !== kind) continue;
      const isShown = isNear[index] === true && length <= charactersMax;
      if (isShown) length += step.text.length;
      append(pieces, isShown ? step.text : '…', isShown && step.kind === kind);
    }
    return pieces;
  };
  return [side('old'), side('new')];
}

function append(pieces: Piece[], text: string, isChanged: boolean): void {
  const last = pieces.at(-1);
  if (last === undefined || last.isChanged !== isChanged) pieces.push({ text, isChanged });
  else if (text !== '…' || !last.text.endsWith('…')) pieces.splice(-1, 1, { text: last.text + text, isChanged });
}

/** Words, and the spaces between them. */
const tokensOf = (text: string): readonly string[] => text.match(/\s+|\S+/g) ?? [];

/** The tokens of both in order: equal ends, and between them the longest common part. */
function stepsBetween(from: readonly string[], to: readonly string[]): readonly Step[] {
  const most = Math.min(from.length, to.length);
  let begin = 0;
  while (begin < most && from[begin] === to[begin]) begin++;
  let end = 0;
  while (end < most - begin && from.at(-1 - end) === to.at(-1 - end)) end++;
  const of = (kind: Step['kind'], tokens: readonly string[]) => tokens.map((text) => ({ kind, text }));
  const [old, next] = [from.slice(begin, from.length - end), to.slice(begin, to.length - end)];
  const middle =
    old.length * next.length > pairsMax ? [...of('old', old), ...of('new', next)] : alongLongestCommon(old, next);
  return [...of('same', from.slice(0, begin)), ...middle, ...of('same', from.slice(from.length - end))];
}

function alongLongestCommon(from: readonly string[], to: readonly string[]): readonly Step[] {
  const width = to.length + 1;
  /** How many tokens both have in common from a pair of places on. */
  const common = new Uint16Array((from.length + 1) * width);
  const at = (x: number, y: number) => common[x * width + y] ?? 0;
  for (let x = from.length - 1; x >= 0; x--) {
    for (let y = to.length - 1; y >= 0; y--) {
      common[x * width + y] = from[x] === to[y] ? at(x + 1, y + 1) + 1 : Math.max(at(x + 1, y), at(x, y + 1));
    }
  }
  const steps: Step[] = [];
  for (let [x, y] = [0, 0]; x < from.length || y < to.length; ) {
    const [old, next] = [from[x], to[y]];
    if (old !== undefined && old === next) {
      steps.push({ kind: 'same', text: old });
      x++;
      y++;
    } else if (old !== undefined && (next === undefined || at(x + 1, y) >= at(x, y + 1))) {
      steps.push({ kind: 'old', text: old });
      x++;
    } else {
      steps.push({ kind: 'new', text: next ?? '' });
      y++;
    }
  }
  return steps;
}

/** Whether each step is a change, or at most three words away from one. */
function nearChanges(steps: readonly Step[]): readonly boolean[] {
  const near = steps.map(({ kind }) => kind !== 'same');
  const spread = (indexes: Iterable<number>) => {
    let wordsLeft = 0;
    for (const index of indexes) {
      const step = steps[index];
      if (step?.kind !== 'same') wordsLeft = contextWords;
      else if (wordsLeft > 0) {
        near[index] = true;
        if (step.text.trim() !== '') wordsLeft--;
      }
    }
  };
  spread(steps.keys());
  spread([...steps.keys()].reverse());
  return near;
}
