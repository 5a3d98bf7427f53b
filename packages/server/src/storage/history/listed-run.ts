import { integerAt } from '../rows/columns.ts';
import type { Row } from '../rows/rows.ts';
import { KeptVersion, Run } from './versions.ts';

/**
 * The whole version of the last listed run, if it is so large that a step of a list holds one version only. The next steps need it again,
 * up to 31 times, and reading a large text each time would fill the memory faster than it is collected.
 */
export class ListedRun {
  #document = -1;
  #whole: KeptVersion | undefined;

  /** The whole version that the version `newest` of a document may be based on; undefined if another run was listed last. */
  wholeOf(document: number, newest: number, charactersMax: number): KeptVersion | undefined {
    const whole = this.#document === document ? this.#whole : undefined;
    return whole !== undefined && newest > whole.version && whole.stateBytes > charactersMax ? whole : undefined;
  }

  /** Keeps the whole version among the rows of a step, newest first, if it is too large to be listed together with another. */
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
