/** The changes of public state that wait for webhooks, and take in what comes. */

import { first } from '../../sql/steps.ts';
import type { EngineSql } from '../../sql/verb.ts';

export const collectedChanges: Pick<EngineSql, 'endCollecting'> = {
  // The writer's memory of what collects is forgotten with each guarded command (`runGuarded`).
  endCollecting: ({ accountId, slug }, environment) =>
    // No row: nothing is stored.
    first(
      `SELECT versions.version, author, comment
       FROM projects JOIN public_state_heads ON head_key = projects.project_id * 4 + $3
       JOIN public_state_versions AS versions ON versions.id = newest_id
       WHERE account_id = $1 AND slug = $2`,
      [accountId, slug, environment],
    ),
};
