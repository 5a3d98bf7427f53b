import { integerAt, type Row } from '../rows/columns.ts';
import { Run } from './restore-versions.ts';
import { KeptVersion } from './versions.ts';

/**
 * Keeps the whole version of the last listed run if it is so large that a list step holds only one version. Up to 31 further steps need it,
 * and reading a large text each time would fill memory faster than it is collected.
 */
export class ListedRun {
  #document = -1;
  #whole: KeptVersion | undefined;

  /** Returns the whole version that version `newest` of a document may be based on; undefined if a different run was listed last. */
  wholeOf(document: number, newest: number, charactersMax: number): KeptVersion | undefined {
    const whole = this.#document === document ? this.#whole : undefined;
    return whole !== undefined && newest > whole.version && whole.stateBytes > charactersMax ? whole : undefined;
  }

  /** Keeps the whole version among the rows of a step, newest first, if it is too large to be listed together with a second version. */
  keep(document: number, rows: readonly Row[], charactersMax: number): void {
    const row = rows.at(-1);
    if (row?.depth !== 0 || integerAt(row, 'state_bytes') <= charactersMax) return;
    const run = new Run();
    run.take(row);
    const stateText = run.textOf(row);
    if (stateText === undefined) return;
    const state = { stateText, stateBytes: integerAt(row, 'state_bytes'), comment: null };
    this.#whole = new KeptVersion(integerAt(row, 'version'), state, {
      position: run.position,
      checksum: integerAt(row, 'checksum'),
    });
    this.#document = document;
  }
}
