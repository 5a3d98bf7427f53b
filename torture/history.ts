/** Compares a history of versions after a crash with the earlier acknowledgements. Pure. */

export interface StoredVersion {
  readonly version: number;
  /** SHA-256 of the compact JSON text of the document. */
  readonly contentHash: string;
}

export interface HistoryEvidence {
  /** Every write acknowledged with 200, in any order. */
  readonly acknowledged: readonly StoredVersion[];
  /** The pending write without a response; undefined if there was none. */
  readonly inFlight: StoredVersion | undefined;
  /** The list of versions after the restart, newest first, as the service returned it. */
  readonly found: readonly StoredVersion[];
}

/** Returns the broken promises of a history, one line each; empty if there are none. */
export function checkHistory({ acknowledged, inFlight, found }: HistoryEvidence): string[] {
  return [...checkOrder(found), ...checkAcknowledged(acknowledged, found), ...checkExtra(acknowledged, inFlight, found)];
}

/** Newest first, without a gap or a repetition, down to 1. */
export function checkOrder(found: readonly StoredVersion[]): string[] {
  const faults = found.flatMap(({ version }, index) => {
    const expected = found.length - index;
    return version === expected ? [] : [`place ${index} of the list holds version ${version} where ${expected} belongs`];
  });
  return faults.slice(0, 1);
}

function checkAcknowledged(acknowledged: readonly StoredVersion[], found: readonly StoredVersion[]): string[] {
  const contents = new Map(found.map(({ version, contentHash }) => [version, contentHash]));
  return acknowledged.flatMap(({ version, contentHash }) => {
    const stored = contents.get(version);
    if (stored === undefined) return [`version ${version} was acknowledged and is lost`];
    return stored === contentHash ? [] : [`version ${version} was acknowledged and has other content`];
  });
}

/** Besides acknowledged writes, only the pending write may be there, and only unchanged. */
function checkExtra(
  acknowledged: readonly StoredVersion[],
  inFlight: StoredVersion | undefined,
  found: readonly StoredVersion[],
): string[] {
  const known = new Set(acknowledged.map(({ version }) => version));
  return found
    .filter(({ version }) => !known.has(version))
    .flatMap(({ version, contentHash }) => {
      if (version !== inFlight?.version) return [`version ${version} is there and nobody was told of it`];
      return contentHash === inFlight.contentHash ? [] : [`version ${version}, under way at the crash, has other content`];
    });
}
