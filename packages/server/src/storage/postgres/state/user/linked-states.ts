/** The states of former guests, and of players whose identity becomes a guest's sign-in method. */

import { integerAt, textAt } from '../../../rows/columns.ts';
import { environmentNumbers } from '../../../rows/environment-numbers.ts';
import { encodeText } from '../../../rows/stored-texts.ts';
import type { EngineSql } from '../../../sql/engine-sql.ts';
import { all } from '../../../sql/steps.ts';
import { bucketOf, usageParts } from '../../usage/usage-sums.ts';
import { addCounts, counts } from '../../usage/user-counts.ts';

const ofPlayer = `
  user_states.account_id = $1 AND end_user_id = $2
  AND project_id = ANY (ARRAY (SELECT project_id FROM projects WHERE projects.account_id = $1))`;

/** Returns the steps. `bucketSecret` sorts players into buckets. */
export const linkedStates = (bucketSecret: Uint8Array): Pick<EngineSql, 'lockFirstWrites' | 'countAsOrdinary'> => ({
  *lockFirstWrites(accountId, playerId) {
    // Three rows for each project.
    const environments = yield* all('SELECT project_id, slug FROM projects WHERE account_id = $1 ORDER BY project_id', [
      accountId,
    ]);
    const buckets = environments.flatMap((row) => {
      const bucket = bucketOf(bucketSecret, { accountId, slug: textAt(row, 'slug'), playerId });
      return Object.values(environmentNumbers).map((environment) => ({ project: row.project_id, environment, bucket }));
    });
    if (buckets.length === 0) return;
    // A row for each, which a first state in the same bucket has to wait for. A new one holds the floor of the environment.
    yield* all(
      `INSERT INTO end_user_floors (account_id, project_id, environment, bucket, version, endings)
       SELECT $1, environments.project_id, environments.environment, buckets.bucket, user_version_floor, 1
       FROM json_to_recordset(CAST(CAST($2 AS text) AS json)) AS buckets (project uuid, environment smallint, bucket smallint)
       JOIN environments ON environments.account_id = $1 AND environments.project_id = buckets.project
         AND environments.environment = buckets.environment
       ORDER BY environments.project_id, environments.environment
       ON CONFLICT (account_id, project_id, environment, bucket) DO UPDATE SET endings = end_user_floors.endings + 1`,
      [accountId, JSON.stringify(buckets)],
    );
  },
  *countAsOrdinary(accountId, guestId) {
    // A row for each state of the guest, as left by the last write.
    const states = yield* all(
      `UPDATE user_states SET is_linked = 1 WHERE ${ofPlayer} AND is_linked = 0
       RETURNING project_id, state_bytes + history_bytes AS bytes, (SELECT slug FROM projects WHERE projects.account_id = $1 AND projects.project_id = user_states.project_id) AS slug`,
      [accountId, encodeText(guestId)],
    );
    for (const [project, rows] of Map.groupBy(states, (row) => textAt(row, 'project_id'))) {
      const slug = textAt(rows[0] ?? {}, 'slug');
      const part = bucketOf(bucketSecret, { accountId, slug, playerId: guestId }) % usageParts;
      const bytes = rows.reduce((sum, row) => sum + integerAt(row, 'bytes'), 0);
      // One row, always: a player with state is counted.
      yield* all(
        `UPDATE user_usage SET end_users = end_users - 1, bytes = bytes - $4
         WHERE account_id = $1 AND project_id = $2 AND part = $3`,
        [accountId, project, part + usageParts, bytes],
      );
      // One row, always; a new one if nobody was counted in this part yet.
      yield* all(`${counts.statement.text} ${addCounts}`, [accountId, project, part, 1, bytes]);
    }
  },
});
