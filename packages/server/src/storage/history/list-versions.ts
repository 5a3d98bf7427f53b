/** Lists versions: as many of the newest as fit. */
import { integerAt, type Row } from '../rows/columns.ts';
import { restoreVersions, versionOf } from './restore-versions.ts';
import type { KeptVersion } from './versions.ts';

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
