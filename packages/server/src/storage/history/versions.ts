/**
 * Stores the versions of a document, in the same way on both engines. A version is stored whole or as edits of the previous version's text,
 * whichever is smaller. A run is a whole version with the edits that follow it. A run has at most 32 versions, and its edits together are
 * at most half as long as the whole text, so reading any version takes little longer than reading a whole one.
 *
 * Each version has the CRC-32 of its whole text, which is checked on every read. Damage is an error that names the version.
 */
import { type TextEdit, ValueEnds } from '@holdfast/json';
import type { Author, Expectation, NewPublicState, PublicState, ReadOutcome } from '../contract/public-states.ts';
import { changedChecksum, checksumOf } from './checksums.ts';
import { differenceBetween, editsMax, printEdits } from './edits.ts';
import { TextBuilder } from './text-builder.ts';
import { isJump } from './version-floors.ts';

/** The maximum number of versions in a run, including the whole version. */
export const runVersionsMax = 32;

/** The position of a version in its run. */
export interface RunPosition {
  /** The number of earlier versions in the run; 0 if the version is stored whole. */
  readonly depth: number;
  /** Characters of the run's edits up to this version. */
  readonly editCharacters: number;
  /** Characters of the run's whole version. */
  readonly wholeCharacters: number;
}

/** The stored columns of a version. */
interface StoredText {
  /** The whole text, or edits. */
  readonly state: string;
  readonly depth: number;
  /** The CRC-32 of the UTF-8 of the whole text, as a signed number of 32 bits. */
  readonly checksum: number;
}

/** A version, with the data needed to store the next version as edits. */
export class KeptVersion implements PublicState {
  readonly version: number;
  readonly stateText: string;
  readonly stateBytes: number;
  readonly comment: string | null;
  // Private, so that only the engines see it.
  readonly #basis: Basis;
  #ends: ValueEnds | undefined;

  constructor(version: number, state: Pick<NewPublicState, 'stateText' | 'stateBytes' | 'comment' | 'ends'>, basis: Basis) {
    this.version = version;
    this.stateText = state.stateText;
    this.stateBytes = state.stateBytes;
    this.comment = state.comment;
    this.#basis = basis;
    this.#ends = state.ends;
  }

  get ends(): ValueEnds {
    this.#ends ??= new ValueEnds();
    return this.#ends;
  }

  /** The position of a version, and its checksum. */
  static basisOf(version: KeptVersion): Basis {
    return version.#basis;
  }
}

export interface Basis {
  readonly position: RunPosition;
  readonly checksum: number;
}

/** The stored form of a new version, and its position. */
export interface EncodedVersion extends StoredText, Basis {
  /** The checksum of the version that this version is based on; null if this version is stored whole. */
  readonly basis: number | null;
}

/** The version that a write expects, from the caller or the cache; undefined if neither has it. */
export function versionBefore(
  { before }: NewPublicState,
  known: ReadOutcome<KeptVersion> | undefined,
  expected: Expectation,
): KeptVersion | undefined {
  const record = before ?? (known?.kind === 'present' ? known.record : undefined);
  if (!(record instanceof KeptVersion) || expected.kind !== 'version') return undefined;
  return record.version === expected.version ? record : undefined;
}

const encodedAuthors = new WeakMap<Author, string>();

/** The stored author of a version. An author who writes again is the same object, and is printed once. */
export function encodeAuthor(author: Author | null): string | null {
  if (author === null) return null;
  let encoded = encodedAuthors.get(author);
  if (encoded === undefined) {
    encoded = JSON.stringify(author);
    encodedAuthors.set(author, encoded);
  }
  return encoded;
}

/**
 * Encodes a version. `before` is the previous version; undefined if unavailable. `floor` is the installation's version floor
 * (version-floors.ts).
 */
export function encodeVersion(next: NewPublicState, before: KeptVersion | undefined, floor: number): EncodedVersion {
  const { stateText, stateUtf8 } = next;
  if (before !== undefined && !isJump(before.version, floor)) {
    const { position: earlier, checksum: basis } = KeptVersion.basisOf(before);
    const { depth, editCharacters, wholeCharacters } = earlier;
    const edits = depth + 1 < runVersionsMax ? changeOf(next, before.stateText) : undefined;
    const state = edits && printEdits(edits);
    const characters = editCharacters + (state?.length ?? 0);
    if (
      edits !== undefined &&
      state !== undefined &&
      state.length < stateText.length &&
      characters <= wholeCharacters / 2
    ) {
      const checksum = checksumAfter(edits, before.stateText, basis) ?? checksumOf(stateUtf8 ?? stateText);
      const position = { depth: depth + 1, editCharacters: characters, wholeCharacters };
      return { state, depth: depth + 1, checksum, basis, position };
    }
  }
  return {
    state: stateText,
    depth: 0,
    checksum: checksumOf(stateUtf8 ?? stateText),
    basis: null,
    position: { depth: 0, editCharacters: 0, wholeCharacters: stateText.length },
  };
}

/** In shorter texts, computing the checksum from the text is as fast. */
const changedCharactersMin = 4_096;

/** The checksum after one edit of equal length in a long text; undefined for others. */
function checksumAfter([only, ...others]: readonly TextEdit[], before: string, checksum: number): number | undefined {
  if (before.length < changedCharactersMin || others.length > 0) return undefined;
  return only === undefined ? checksum : changedChecksum(checksum, before, only);
}

/**
 * The edits from the previous text; undefined for texts that UTF-8 cannot represent. The given edits are used if they are shorter and pass
 * a test.
 */
function changeOf({ stateText, edits = [] }: NewPublicState, before: string): readonly TextEdit[] | undefined {
  if (!stateText.isWellFormed() || !before.isWellFormed()) return undefined;
  const [only] = edits;
  if (only !== undefined && edits.length === 1 && leadsTo(only, before, stateText)) return shortened(only, before);
  const found = differenceBetween(before, stateText);
  if (edits.length < 2 || edits.length > editsMax) return found;
  if (printEdits(edits).length >= printEdits(found).length) return found;
  const builder = new TextBuilder(before);
  return builder.apply(edits) && builder.text() === stateText ? edits : found;
}

/** Whether one edit turns the first text into the second: faster than finding their difference. */
function leadsTo({ start, end, replacement }: TextEdit, before: string, after: string): boolean {
  const inserted = start + replacement.length;
  return (
    before.length - end === after.length - inserted &&
    before.slice(0, start) === after.slice(0, start) &&
    replacement === after.slice(start, inserted) &&
    before.slice(end) === after.slice(inserted)
  );
}

/** Returns the difference that an edit makes, at its place. */
function shortened({ start, end, replacement }: TextEdit, before: string): TextEdit[] {
  return differenceBetween(before.slice(start, end), replacement).map((edit) => ({
    start: start + edit.start,
    end: start + edit.end,
    replacement: edit.replacement,
  }));
}
