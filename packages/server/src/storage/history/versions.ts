/**
 * Stores the versions of a document, in the same way on both engines. A version is stored whole or as edits of the previous version's text,
 * whichever is smaller. A run is a whole version with the edits that follow it. A run has at most 32 versions, and its edits together are
 * at most half as long as the whole text, so reading any version takes little longer than reading a whole one.
 *
 * Each version has the CRC-32 of its whole text, which is checked on every read. Damage is an error that names the version.
 */
import { crc32 } from 'node:zlib';
import { ValueEnds } from '@holdfast/json';
import { StoreFault } from '../contract/errors.ts';
import type { Author, Edit, Expectation, NewPublicState, PublicState, ReadOutcome } from '../contract/public-states.ts';
import { integerAt, optionalDecodedTextAt, type Row, textAt } from '../rows/columns.ts';

import { differenceBetween, editsMax, parseEdits, printEdits } from './edits.ts';
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
export interface StoredText {
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

const checksumOf = (text: string | Uint8Array): number => crc32(text) | 0;

/**
 * Encodes a version. `before` is the previous version; undefined if unavailable. `floor` is the installation's version floor
 * (version-floors.ts).
 */
export function encodeVersion(next: NewPublicState, before: KeptVersion | undefined, floor: number): EncodedVersion {
  const { stateText, stateUtf8 } = next;
  const checksum = checksumOf(stateUtf8 ?? stateText);
  if (before !== undefined && !isJump(before.version, floor)) {
    const { position: earlier, checksum: basis } = KeptVersion.basisOf(before);
    const { depth, editCharacters, wholeCharacters } = earlier;
    const state = depth + 1 < runVersionsMax ? changeOf(next, before.stateText) : undefined;
    const characters = editCharacters + (state?.length ?? 0);
    if (state !== undefined && state.length < stateText.length && characters <= wholeCharacters / 2) {
      const position = { depth: depth + 1, editCharacters: characters, wholeCharacters };
      return { state, depth: depth + 1, checksum, basis, position };
    }
  }
  return {
    state: stateText,
    depth: 0,
    checksum,
    basis: null,
    position: { depth: 0, editCharacters: 0, wholeCharacters: stateText.length },
  };
}

/**
 * The edits from the previous text, in stored form; undefined for texts that UTF-8 cannot represent. The given edits are used if they are
 * shorter and pass a test.
 */
function changeOf({ stateText, edits = [] }: NewPublicState, before: string): string | undefined {
  if (!stateText.isWellFormed() || !before.isWellFormed()) return undefined;
  const [only] = edits;
  if (only !== undefined && edits.length === 1 && leadsTo(only, before, stateText))
    return printEdits(shortened(only, before));
  const found = printEdits(differenceBetween(before, stateText));
  if (edits.length < 2 || edits.length > editsMax) return found;
  const given = printEdits(edits);
  if (given.length >= found.length) return found;
  const builder = new TextBuilder(before);
  return builder.apply(edits) && builder.text() === stateText ? given : found;
}

/** Whether one edit turns the first text into the second: faster than finding their difference. */
function leadsTo({ start, end, replacement }: Edit, before: string, after: string): boolean {
  const inserted = start + replacement.length;
  return (
    before.length - end === after.length - inserted &&
    before.slice(0, start) === after.slice(0, start) &&
    replacement === after.slice(start, inserted) &&
    before.slice(end) === after.slice(inserted)
  );
}

/** Returns the difference that an edit makes, at its place. */
function shortened({ start, end, replacement }: Edit, before: string): Edit[] {
  return differenceBetween(before.slice(start, end), replacement).map((edit) => ({
    start: start + edit.start,
    end: start + edit.end,
    replacement: edit.replacement,
  }));
}

/** A run that is read from its beginning. */
export class Run {
  #builder: TextBuilder | undefined;
  #version = 0;
  #position: RunPosition = { depth: 0, editCharacters: 0, wholeCharacters: 0 };

  /** Begins after `before`, or else with a whole version. */
  constructor(before?: KeptVersion) {
    if (before === undefined) return;
    this.#builder = new TextBuilder(before.stateText);
    this.#version = before.version;
    this.#position = KeptVersion.basisOf(before).position;
  }

  get position(): RunPosition {
    return this.#position;
  }

  /** Advances to the version in a row. If the row does not follow or its edits do not apply, the run has no text. */
  take(row: Row): void {
    const [state, depth, version] = [textAt(row, 'state'), integerAt(row, 'depth'), integerAt(row, 'version')];
    const follows = version === this.#version + 1 && depth === this.#position.depth + 1;
    this.#version = version;
    if (depth === 0) {
      this.#builder = new TextBuilder(state);
      this.#position = { depth, editCharacters: 0, wholeCharacters: state.length };
      return;
    }
    const edits = follows ? parseEdits(state) : undefined;
    if (edits === undefined || this.#builder?.apply(edits) !== true) this.#builder = undefined;
    const { editCharacters, wholeCharacters } = this.#position;
    this.#position = { depth, editCharacters: editCharacters + state.length, wholeCharacters };
  }

  /** The text of the last row; undefined if it differs from the text that was written. */
  textOf(row: Row): string | undefined {
    const text = this.#builder?.text();
    return text !== undefined && checksumOf(text) === row.checksum ? text : undefined;
  }
}

/**
 * Returns the versions in `rows` from `oldest` on, newest first. `rows` must be newest first and go back to a whole version, or to the
 * version after `before`. Throws a `StoreFault` that names the oldest damaged version and, using `nameOf`, the document.
 */
export function restoreVersions(
  rows: readonly Row[],
  oldest: number,
  nameOf: () => string,
  before?: KeptVersion,
): KeptVersion[] {
  const run = new Run(before);
  const versions: KeptVersion[] = [];
  for (const row of rows.toReversed()) {
    run.take(row);
    if (versionOf(row) < oldest) continue;
    const stateText = run.textOf(row);
    if (stateText === undefined) {
      throw new StoreFault(`version ${versionOf(row)} of ${nameOf()} is damaged: what is stored is not what was written`);
    }
    const state = { stateText, stateBytes: integerAt(row, 'state_bytes'), comment: optionalDecodedTextAt(row, 'comment') };
    versions.push(new KeptVersion(versionOf(row), state, { position: run.position, checksum: integerAt(row, 'checksum') }));
  }
  return versions.reverse();
}

/**
 * Returns one version. `rows` are the rows of its run up to this version, as for `restoreVersions`. Throws a `StoreFault` that names a
 * damaged version.
 */
export function restoreVersion(
  rows: readonly Row[],
  version: number,
  nameOf: () => string,
  before?: KeptVersion,
): KeptVersion {
  const [record] = rows[0]?.version === version ? restoreVersions(rows, version, nameOf, before) : [];
  if (record === undefined) throw new StoreFault(`version ${version} of ${nameOf()} is missing`);
  return record;
}

const versionOf = (row: Row) => integerAt(row, 'version');

/** The maximum number of versions in one step of a list, so that small documents hold the event loop for only some 5 ms. */
export const listedVersionsMax = 1_000;

/**
 * Returns the newest versions that together fit into `charactersMax`, newest first; at least one if there are rows. `rows` must be newest
 * first: rows until their total in bytes reaches the limit, then on to a whole version, or to the version after `whole`. A character takes
 * one to three bytes, so fewer versions may be returned than would fit. Throws as `restoreVersions` does.
 */
export function restoreListed(
  rows: readonly Row[],
  charactersMax: number,
  nameOf: () => string,
  whole?: KeptVersion,
): KeptVersion[] {
  let oldest: number | undefined;
  let bytes = 0;
  for (const row of rows.slice(0, listedVersionsMax)) {
    if (bytes >= charactersMax) break;
    bytes += integerAt(row, 'state_bytes');
    oldest = versionOf(row);
  }
  const versions =
    oldest === undefined ? [] : restoreVersions(rows, oldest, nameOf, rows.at(-1)?.depth === 0 ? undefined : whole);
  let characters = 0;
  const tooMany = versions.findIndex(({ stateText }, index) => {
    characters += stateText.length;
    return index > 0 && characters > charactersMax;
  });
  return tooMany === -1 ? versions : versions.slice(0, tooMany);
}
