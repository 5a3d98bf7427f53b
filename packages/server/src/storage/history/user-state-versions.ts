/**
 * Stores the earlier versions of a user state, in the same way on both engines. The current state is stored whole and replaced in place.
 * The replaced text is kept as edits that lead back to it from the new text. It is kept whole if its version is a multiple of 32, the edits
 * are longer than a sixteenth of it, or the next version skips numbers (version-floors.ts). Any version is therefore read from a whole
 * version above it, or from the current version, through at most 31 edits. The oldest versions can be dropped without touching newer ones.
 *
 * Each version has the CRC-32 of its whole text, which is checked on every read. Damage is an error that names the version.
 */
import { crc32 } from 'node:zlib';
import type { TextEdit } from '@holdfast/json';
import { StoreFault } from '../contract/errors.ts';
import { integerAt, type Row, textAt } from '../rows/columns.ts';
import { differenceBetween, editsMax, parseEdits, printEdits } from './edits.ts';
import { TextBuilder } from './text-builder.ts';
import { isJump } from './version-floors.ts';

/** One in this many versions is stored whole. */
export const wholeEvery = 32;
/** Edits are at most this fraction of the text. */
const editsPart = 16;
/** If the difference is shorter, the edits of a patch are not considered. */
const shortCharacters = 64;

/** Added to the `form` of a version whose predecessor was not kept. */
const beginning = 2;
const wholeForm = 0;
const editsForm = 1;

/** A text with its version. */
export interface UserStateText {
  readonly version: number;
  readonly stateText: string;
}

/** The stored columns of a version. */
export interface StoredUserState {
  /** The whole text, or edits of the text of the next version. */
  readonly state: string;
  /** Whether `state` is a whole text, and whether the previous version is kept. */
  readonly form: number;
  /** The CRC-32 of the UTF-8 of the whole text, as a signed number of 32 bits. */
  readonly checksum: number;
}

/** The replacement of a user state, and the edits that produce it, if known. */
export interface Replacing {
  readonly stateText: string;
  readonly edits?: readonly TextEdit[] | undefined;
}

/**
 * Encodes a user state that `next` replaces. `continues`: its predecessor was kept, even if it has since been dropped as too old. `floor`
 * is the installation's version floor.
 */
export function encodeReplaced(before: UserStateText, next: Replacing, continues: boolean, floor: number): StoredUserState {
  const checksum = crc32(before.stateText) | 0;
  const begins = continues ? 0 : beginning;
  const isWhole = before.version % wholeEvery === 0 || isJump(before.version, floor);
  const edits = isWhole ? undefined : reverseEdits(before.stateText, next);
  return edits === undefined || edits.length * editsPart > before.stateText.length
    ? { state: before.stateText, form: wholeForm + begins, checksum }
    : { state: edits, form: editsForm + begins, checksum };
}

/** The reverse edits in stored form; undefined for texts that UTF-8 cannot represent. */
function reverseEdits(before: string, { stateText, edits = [] }: Replacing): string | undefined {
  if (!before.isWellFormed() || !stateText.isWellFormed()) return undefined;
  const found = printEdits(differenceBetween(stateText, before));
  if (found.length <= shortCharacters || edits.length < 2 || edits.length > editsMax) return found;
  const reversed = reverseOf(before, stateText, edits);
  const given = reversed && printEdits(reversed);
  return given !== undefined && given.length < found.length ? given : found;
}

/** Returns edits that undo the edits from `before` to `after`; undefined if the edits do not match the texts. */
function reverseOf(before: string, after: string, edits: readonly TextEdit[]): TextEdit[] | undefined {
  const builder = new TextBuilder(before);
  const reversed: TextEdit[] = [];
  for (const edit of edits) {
    const { start, end, replacement } = edit;
    reversed.push({ start, end: start + replacement.length, replacement: builder.slice(start, end) });
    if (!builder.apply([edit])) return undefined;
  }
  return builder.text() === after ? reversed.reverse() : undefined;
}

const isWhole = (row: Row): boolean => integerAt(row, 'form') % 2 === wholeForm;
const begins = (row: Row): boolean => integerAt(row, 'form') >= beginning;
const versionOf = (row: Row): number => integerAt(row, 'version');

/** The current version of a user state, above the rows of its history. */
export interface Newest extends UserStateText {
  /** Whether its predecessor was kept, even if it has since been dropped as too old. */
  readonly continues: boolean;
}

/** Whether a version can be read: `gone` if a version above it was never kept, `broken` if a version above it is missing. */
export type Readability = 'kept' | 'gone' | 'broken';

/**
 * Walks the rows of a user state, newest first, and reports which can be read. Programs that predate histories overwrite versions without
 * keeping them, so edits based on overwritten versions cannot be read.
 */
export class VersionWalk {
  #above: { readonly version: number; readonly continues: boolean } | undefined;
  #readability: Readability;

  /** Begins below the newest version. If that is not given, everything above the first whole version is `gone`. */
  constructor(newest?: Pick<Newest, 'version' | 'continues'>) {
    this.#above = newest;
    this.#readability = newest === undefined ? 'gone' : 'kept';
  }

  take(row: Row): Readability {
    const version = versionOf(row);
    const follows = this.#above?.version === version + 1;
    if (isWhole(row)) this.#readability = 'kept';
    else if (!follows && this.#readability !== 'gone')
      this.#readability = this.#above?.continues === true ? 'broken' : 'gone';
    this.#above = { version, continues: !begins(row) };
    return this.#readability;
  }
}

/** Computes the texts of a user state from its rows, newest first. */
export class UserStateTexts {
  readonly #walk: VersionWalk;
  #builder: TextBuilder | undefined;

  /** Begins below the newest version; if that is not given, at the first whole version. */
  constructor(newest?: Newest) {
    this.#walk = new VersionWalk(newest);
    this.#builder = newest && new TextBuilder(newest.stateText);
  }

  /** Skips the text of the next row without copying it. */
  pass(row: Row): void {
    this.#advance(row);
  }

  /**
   * The text of the next row. `gone`: it can no longer be read, which is not a fault. `damaged`: it differs from the text that was written.
   */
  take(row: Row): { readonly kind: 'text'; readonly text: string } | { readonly kind: 'gone' | 'damaged' } {
    const readability = this.#advance(row);
    if (readability === 'gone') return { kind: 'gone' };
    const text = readability === 'kept' ? this.#builder?.text() : undefined;
    return text !== undefined && (crc32(text) | 0) === row.checksum ? { kind: 'text', text } : { kind: 'damaged' };
  }

  #advance(row: Row): Readability {
    const readability = this.#walk.take(row);
    if (isWhole(row)) this.#builder = new TextBuilder(textAt(row, 'state'));
    else if (readability === 'kept') this.#edit(textAt(row, 'state'));
    return readability;
  }

  #edit(state: string): void {
    const edits = parseEdits(state);
    if (edits === undefined || this.#builder?.apply(edits) !== true) this.#builder = undefined;
  }
}

/**
 * Returns the rows of readable versions up to `newestWanted` with their texts, newest first. `rows` must be newest first and include every
 * newer row needed to reconstruct them. Throws a `StoreFault` that names the newest damaged version and, using `nameOf`, the user state.
 */
export function restoreUserStates(
  rows: readonly Row[],
  newestWanted: number,
  nameOf: () => string,
  newest?: Newest,
): { readonly row: Row; readonly stateText: string }[] {
  const texts = new UserStateTexts(newest);
  return rows.flatMap((row) => {
    if (versionOf(row) > newestWanted) {
      texts.pass(row);
      return [];
    }
    const found = texts.take(row);
    if (found.kind === 'gone') return [];
    if (found.kind === 'text') return [{ row, stateText: found.text }];
    throw new StoreFault(`version ${versionOf(row)} of ${nameOf()} is damaged: what is stored is not what was written`);
  });
}
