/** Which changes are promoted. A selection stays when the target moves and the list changes. */

export interface Selection {
  /** Whether changes are chosen until they are touched. */
  readonly atFirst: boolean;
  /** The ids of changes that are not as at first. */
  readonly touched: ReadonlySet<string>;
}

/** What players get is chosen one by one, or with one press for all; what nobody plays yet is chosen at first. */
export const selectionFor = (env: string): Selection => ({ atFirst: env !== 'production', touched: new Set() });

/** The ids of the chosen changes among these. */
export const chosenOf = ({ atFirst, touched }: Selection, ids: readonly string[]): ReadonlySet<string> =>
  new Set(ids.filter((id) => (touched.has(id) ? !atFirst : atFirst)));

/** The selection that chooses these of the changes, and no others. */
export function choosing({ atFirst }: Selection, ids: readonly string[], chosen: ReadonlySet<string>): Selection {
  return { atFirst, touched: new Set(ids.filter((id) => chosen.has(id) !== atFirst)) };
}
