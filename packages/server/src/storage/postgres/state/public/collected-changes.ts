/** The changes of public state that wait for webhooks, and take in what comes. */

import type { PublicStateKey } from '../../../contract/public-states.ts';
import { environmentNumbers } from '../../../rows/environment-numbers.ts';
import type { EngineSql } from '../../../sql/engine-sql.ts';
import { all, first, type Steps } from '../../../sql/steps.ts';
import { type StateChange, storeStateChange } from '../../../sql/webhooks/webhook-queue.ts';

export const collectedChanges: Pick<EngineSql, 'endCollecting'> = {
  *endCollecting({ accountId, slug }, environment) {
    // Waits for a write under way. Writes that wait for this one will find the column changed. No row: the project was deleted.
    const head = yield* first(
      `UPDATE environments SET collecting = NULL WHERE account_id = $1 AND slug = $2 AND environment = $3
       RETURNING project_id, version`,
      [accountId, slug, environment],
    );
    if (head === undefined) return undefined;
    // No row: nothing is stored.
    return yield* first(
      `SELECT version, author, comment FROM public_state_versions
       WHERE account_id = $1 AND project_id = $2 AND environment = $3 AND version = $4`,
      [accountId, head.project_id as string, environment, head.version as string],
    );
  },
};

/**
 * Stores a write for each webhook that subscribes to it, in the write's transaction. Notes which webhooks have a change that takes in what
 * comes, in the row of the environment, which the write has locked: until `endCollecting`, one statement then writes for the same webhooks.
 */
export function* storeSubscribedChange(key: PublicStateKey, change: StateChange): Steps<void> {
  const subscribers = yield* storeStateChange(key, change);
  // One row, always.
  yield* all('UPDATE environments SET collecting = $4 WHERE account_id = $1 AND slug = $2 AND environment = $3', [
    key.accountId,
    key.slug,
    environmentNumbers[key.environment],
    subscribers,
  ]);
}
