/** How far a search through versions goes by itself. */
import type { ListedVersion } from '../ui/authors.ts';

/** What is searched before a user must ask for more: bytes read, and versions compared. */
const bytesMax = 12_000_000;
const versionsMax = 1_000;

export interface Searched {
  /** How many versions were searched, newest first. */
  readonly looked: number;
  /** How many of them when the user last asked for more. */
  readonly since: number;
}

/** Returns whether so much was searched, from `since` to `looked`, that a user must ask for more. The newest versions cost one. */
export function isSpent(
  items: readonly Pick<ListedVersion, 'stateSizeBytes'>[],
  { since, looked }: Searched,
  cheapCount: number,
): boolean {
  const read = items.slice(Math.max(since, cheapCount), looked);
  return looked - since >= versionsMax || read.reduce((sum, { stateSizeBytes }) => sum + stateSizeBytes, 0) > bytesMax;
}
