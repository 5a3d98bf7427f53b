/** Writes of public state and their outcomes. */

import type { NewPublicState, PublicStateKey, WriteOutcome } from '../../../contract/public-states.ts';
import { type EncodedVersion, KeptVersion } from '../../../history/versions.ts';
import { integerAt, type Row, textAt } from '../../../rows/columns.ts';
import { noProject } from '../../../rows/state-rows.ts';

/** An outcome, with the written version and its project. */
export type PublicStateWritten =
  | { readonly kind: 'written'; readonly record: KeptVersion; readonly projectId: string }
  | Exclude<WriteOutcome, { kind: 'written' }>;

export interface PublicStateWrite {
  readonly key: PublicStateKey;
  /** Null: nothing is stored yet. */
  readonly expectedVersion: number | null;
  readonly next: NewPublicState;
  /** The installation's floor (version-floors.ts). */
  readonly floor: number;
  readonly stored: EncodedVersion;
}

/**
 * Returns the outcome of a row. Undefined if nothing was written although the expectation held when the statement began: the account is
 * near its limit, another write came in between, which the next attempt sees, the text differs from the expected one, or an event must be
 * stored.
 */
export function outcomeOf(
  { expectedVersion, next, stored }: PublicStateWrite,
  row: Row | undefined,
): PublicStateWritten | undefined {
  // No row: no such project.
  if (row === undefined) return noProject;
  if (row.written !== null) {
    const record = new KeptVersion(integerAt(row, 'written'), next, stored);
    return { kind: 'written', record, projectId: textAt(row, 'project_id') };
  }
  const currentVersion = row.is_present === true ? integerAt(row, 'version') : null;
  return currentVersion === expectedVersion ? undefined : { kind: 'conflict', currentVersion };
}
