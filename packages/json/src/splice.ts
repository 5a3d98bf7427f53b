/**
 * JSON Patch on the text of a document, without parsing it. A few operations on a large document cost a walk to each path and one copy of
 * the text; parsing, patching and printing cost several times that.
 */
import { applyOperations } from './patch.ts';
import {
  type ApplicationFailure,
  badIndex,
  noSuchMember,
  resultNotObject,
  resultTooDeep,
  rootNotObject,
  untraversable,
} from './patch-failure.ts';
import { endOfSegment, indexBelow, isIndex, segmentAt } from './pointer.ts';
import type { PatchOperation } from './read-operations.ts';
import { endOfString, endOfValue, isCloser, isOpener, scanJson } from './scan.ts';
import { defaultNestingDepthMax, exceedsNestingDepth, isContainer, parseDocument, printJson } from './text.ts';

/** Replaces the characters of a text from `start` to `end`, in UTF-16 code units. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** The result of patching a text. */
export type PatchTextResult =
  | {
      readonly kind: 'patched';
      readonly text: string;
      /** One per operation, applied in order; undefined if the whole text was printed. */
      readonly edits?: readonly TextEdit[];
      /** The ends of long values in the new text; undefined if not given for the old text, or if the whole text was printed. */
      readonly ends?: ValueEnds;
    }
  | ApplicationFailure;

const openBrace = 0x7b;
const comma = 0x2c;

/** Up to this many operations are spliced. Measured on 250 KB: more can cost as much as parsing and printing. */
const splicedOperationsMax = 8;

/** Longer texts are not spliced, so that one scan per operation stays cheaper than parsing once. */
const splicedCharactersMax = 600_000;

/** How much splicing may skip, in all operations together, in a quick patch: 5 to 15 ms of the worst text, measured. */
const quickSpliceCharactersMax = 1_048_576;

/** The longest text that a quick patch parses and prints: 5 to 20 ms of the worst, measured. */
const quickParseCharactersMax = 65_536;

/**
 * Patches a document given as compact JSON text with an object at its root, as {@link printJson} writes it (no white space, no duplicate
 * names, strings in canonical form), nested no deeper than 256. The result is such a text too. The codes are those of {@link
 * applyOperations}. A few operations are spliced into the text, many are applied to the parsed document; the results differ at most in the
 * order of members. `ends` holds known ends of this exact text, and collects more.
 */
export function patchText(text: string, operations: readonly PatchOperation[], ends?: ValueEnds): PatchTextResult {
  const values = operations.length <= splicedOperationsMax ? printValues(operations) : undefined;
  if (values !== undefined && text.length + values.join('').length <= splicedCharactersMax) {
    return splice(text, operations, values, defaultNestingDepthMax, ends);
  }
  const result = applyOperations(parseDocument(text), operations);
  return result.kind === 'patched' ? { kind: 'patched', text: printJson(result.document) } : result;
}

/** Whether {@link patchText} takes at most some 20 ms for operations from a body of at most 64 KiB. */
export function isQuickPatch(text: string, operations: readonly PatchOperation[]): boolean {
  if (operations.length > splicedOperationsMax) return text.length <= quickParseCharactersMax;
  return operations.length * text.length <= quickSpliceCharactersMax;
}

/**
 * Applies the operations in order to the text, all or nothing, with the result of {@link applyOperations} on the parsed text, including
 * code, operation and message. Every member keeps its position and new ones are appended, whereas the runtime's objects move names such as
 * `10` to the front: the two ways differ only in that order.
 *
 * The text must meet the conditions of {@link patchText}. Time is linear in the text for each operation.
 */
export function spliceOperations(
  text: string,
  operations: readonly PatchOperation[],
  nestingDepthMax: number = defaultNestingDepthMax,
  ends?: ValueEnds,
): PatchTextResult {
  return splice(text, operations, printValues(operations), nestingDepthMax, ends);
}

function printValues(operations: readonly PatchOperation[]): string[] {
  return operations.map((operation) => (operation.op === 'remove' ? '' : printJson(operation.value)));
}

function splice(
  original: string,
  operations: readonly PatchOperation[],
  values: readonly string[],
  nestingDepthMax: number,
  given: ValueEnds | undefined,
): PatchTextResult {
  let text = original;
  let ends = given ?? new ValueEnds();
  let depthSuspected = false;
  const edits: TextEdit[] = [];
  for (const [index, operation] of operations.entries()) {
    const edit = operation.path === '' ? wholeOf(text) : locate(text, ends, operation, index);
    if ('kind' in edit) return edit;
    const { start, end } = edit;
    const replacement = edit.before + values[index] + edit.after;
    edits.push({ start, end, replacement });
    text = [text.slice(0, start), replacement, text.slice(end)].join('');
    ends = ends.after(start, end, replacement.length);
    depthSuspected ||= exceedsDepth(operation, nestingDepthMax);
  }
  if (text.charCodeAt(0) !== openBrace) return resultNotObject(operations.length - 1);
  if (depthSuspected && scanJson(text, nestingDepthMax).tooDeepAt !== -1) return resultTooDeep(nestingDepthMax);
  return given === undefined ? { kind: 'patched', text, edits } : { kind: 'patched', text, edits, ends };
}

/** Whether the operation puts its value too deep. Whether it stays there is checked at the end. */
function exceedsDepth(operation: PatchOperation, nestingDepthMax: number): boolean {
  if (operation.op === 'remove' || !isContainer(operation.value)) return false;
  let depth = 0;
  for (let at = 0; at < operation.path.length; at = endOfSegment(operation.path, at + 1)) depth++;
  return exceedsNestingDepth(operation.value, nestingDepthMax - depth);
}

/** The part of the text to remove, from `start` to `end`, and the text to insert around the operation's value. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

const wholeOf = (text: string): Edit => ({ start: 0, end: text.length, before: '', after: '' });

/** The position of a container's child in the text, or where it would be appended. */
interface Child {
  readonly found: boolean;
  /** Offset of the child, including its name; of the closing bracket if there is no such child. */
  readonly start: number;
  /** Offset of the child's value. */
  readonly value: number;
  /** Number of children before this one. If an array's segment is not an index: 0 for an empty array, otherwise 1. */
  readonly count: number;
}

function locate(text: string, ends: ValueEnds, operation: PatchOperation, index: number): Edit | ApplicationFailure {
  const { path } = operation;
  if (text.charCodeAt(0) !== openBrace) return rootNotObject(index);
  let container = 0;
  for (let start = 1; ; ) {
    const opener = text.charCodeAt(container);
    if (!isOpener(opener)) return untraversable(index, path, start);
    const inObject = opener === openBrace;
    const end = endOfSegment(path, start);
    const segment = segmentAt(path, start, end);
    const child = inObject ? findMember(text, ends, container, segment) : findElement(text, ends, container, segment);
    const edit = end === path.length ? editAt(text, ends, child, segment, operation, inObject) : undefined;
    if (edit !== undefined) return edit;
    if (!child.found) return inObject ? noSuchMember(index, path, start) : badIndex(index, path, start, child.count);
    container = child.value;
    start = end + 1;
  }
}

function findMember(text: string, ends: ValueEnds, container: number, name: string): Child {
  const key = keyOf(name);
  let start = container + 1;
  for (let count = 0; ; count++) {
    if (isCloser(text.charCodeAt(start))) return { found: false, start, value: start, count };
    if (text.startsWith(key, start)) return { found: true, start, value: start + key.length, count };
    start = nextChild(text, ends, endOfString(text, start) + 1);
  }
}

function findElement(text: string, ends: ValueEnds, container: number, segment: string): Child {
  let start = container + 1;
  if (!isIndex(segment)) {
    const end = ends.endOf(text, container) - 1;
    return { found: false, start: end, value: end, count: end === start ? 0 : 1 };
  }
  const index = Number(segment);
  for (let count = 0; ; count++) {
    if (isCloser(text.charCodeAt(start))) return { found: false, start, value: start, count };
    if (count === index) return { found: true, start, value: start, count };
    start = nextChild(text, ends, start);
  }
}

/** Returns the offset of the child after the one whose value starts at `value`, or of the closing bracket. */
function nextChild(text: string, ends: ValueEnds, value: number): number {
  const end = ends.endOf(text, value);
  if (end >= text.length) throw new Error('cannot patch the text: it is not compact JSON');
  return text.charCodeAt(end) === comma ? end + 1 : end;
}

/** Returns the edit for the operation at its last segment; `undefined` if nothing changes. */
function editAt(
  text: string,
  ends: ValueEnds,
  child: Child,
  segment: string,
  operation: PatchOperation,
  inObject: boolean,
): Edit | undefined {
  const { start, value, count } = child;
  if (child.found) {
    if (operation.op === 'remove') return cut(text, ends, child);
    if (operation.op === 'add' && !inObject) return { start, end: start, before: '', after: ',' };
    return { start: value, end: ends.endOf(text, value), before: '', after: '' };
  }
  const appends = operation.op === 'add' && (inObject || segment === '-' || indexBelow(count + 1, segment) === count);
  if (!appends) return undefined;
  return { start, end: start, before: `${count > 0 ? ',' : ''}${inObject ? keyOf(segment) : ''}`, after: '' };
}

/** Removes a child with the comma after it, or, for the last child, the comma before it. */
function cut(text: string, ends: ValueEnds, { start, value }: Child): Edit {
  const end = ends.endOf(text, value);
  if (text.charCodeAt(end) === comma) return { start, end: end + 1, before: '', after: '' };
  return { start: text.charCodeAt(start - 1) === comma ? start - 1 : start, end, before: '', after: '' };
}

function keyOf(name: string): string {
  return `${JSON.stringify(name)}:`;
}

/**
 * Skipping a shorter value again takes less time than looking it up here. At most one value per this many characters of text is remembered,
 * which takes a tenth of the text's memory.
 */
const endCharactersMin = 512;

/**
 * The ends of a text's long arrays and objects, as far as they have been skipped. Another walk through the text steps over them: finding a
 * path in 250,000 characters then takes 3 µs instead of 250 µs.
 */
export class ValueEnds {
  readonly #ends = new Map<number, number>();
  readonly #charactersMin: number;

  /** Values of fewer characters are not remembered. */
  constructor(remembered = endCharactersMin) {
    this.#charactersMin = remembered;
  }

  /** Returns the end of the value that starts at `start`. The text must be the same at each call. */
  endOf(text: string, start: number): number {
    const known = this.#ends.get(start);
    if (known !== undefined) return known;
    const end = endOfValue(text, start);
    const isLong = end - start >= this.#charactersMin && isOpener(text.charCodeAt(start));
    if (isLong && this.#ends.size * this.#charactersMin < text.length) this.#ends.set(start, end);
    return end;
  }

  /** Returns the ends for the text in which `added` replaces the characters from `start` to `end`. */
  after(start: number, end: number, added: number): ValueEnds {
    const next = new ValueEnds(this.#charactersMin);
    const moved = added - (end - start);
    for (const [valueStart, valueEnd] of this.#ends) {
      if (valueEnd <= start) next.#ends.set(valueStart, valueEnd);
      else if (valueStart >= end) next.#ends.set(valueStart + moved, valueEnd + moved);
      else if (valueStart < start && valueEnd > end) next.#ends.set(valueStart, valueEnd + moved);
    }
    return next;
  }
}
