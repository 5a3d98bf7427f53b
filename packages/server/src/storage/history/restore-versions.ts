/** Restores versions from the rows of their run (versions.ts). */
import { StoreFault } from '../contract/errors.ts';
import { integerAt, optionalDecodedTextAt, type Row, textAt } from '../rows/columns.ts';
import { checksumOf } from './checksums.ts';
import { parseEdits } from './edits.ts';
import { TextBuilder } from './text-builder.ts';
import { KeptVersion, type RunPosition } from './versions.ts';

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

/** The number of the version in a row. */
export const versionOf = (row: Row): number => integerAt(row, 'version');
