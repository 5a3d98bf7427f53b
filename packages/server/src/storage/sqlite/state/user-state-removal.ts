/** Removes a player's states in a deletion, and leaves version floors in case the player returns. */

import { isGuestId } from '../../contract/guests.ts';
import { bytesAt, integerAt } from '../../rows/columns.ts';
import { environmentNumbers } from '../../rows/environment-numbers.ts';
import { encodeText } from '../../rows/stored-texts.ts';
import type { EngineSql } from '../../sql/engine-sql.ts';
import { all, first } from '../../sql/steps.ts';
import { headKey } from '../schema/head-keys.ts';
import { bucketOf } from './player-buckets.ts';

export const userStateRemoval: Pick<EngineSql, 'removeUserStates'> = {
  *removeUserStates({ accountId, projectId, playerId }, environment = null) {
    // A row for each environment in which the player had state.
    const removed = yield* all(
      `DELETE FROM user_states WHERE project_id = $1 AND end_user_id = $2 AND ($3 IS NULL OR environment = $3)
       RETURNING sequence, environment, version, state_bytes + history_bytes AS bytes, is_linked`,
      [projectId, encodeText(playerId), environment && environmentNumbers[environment]],
    );
    if (removed.length === 0) return 0;
    // One row, always: made with the table.
    const key = (yield* first('SELECT secret FROM bucket_key')) ?? {};
    const bucket = bucketOf(bytesAt(key, 'secret'), projectId as number, playerId);
    let bytes = 0;
    for (const state of removed) {
      // One row, always.
      yield* all(
        `INSERT INTO end_user_floors (head_key, bucket, version) VALUES ($1, $2, $3)
         ON CONFLICT DO UPDATE SET version = max(version, excluded.version)`,
        [headKey(projectId as number, integerAt(state, 'environment')), bucket, integerAt(state, 'version')],
      );
      // Any number of rows.
      yield* all('DELETE FROM user_state_versions WHERE record_id = $1', [integerAt(state, 'sequence')]);
      bytes += integerAt(state, 'bytes');
    }
    // A row: the player has a state in another environment, and stays counted.
    const left = yield* first('SELECT 1 AS found FROM user_states WHERE project_id = $1 AND end_user_id = $2 LIMIT 1', [
      projectId,
      encodeText(playerId),
    ]);
    const gone = left === undefined ? 1 : 0;
    const guests = isGuestId(playerId) && removed.every((state) => state.is_linked === 0) ? 1 : 0;
    // One row each, always: a player with state is counted. No total is cached (`runGuarded`).
    yield* all(
      `UPDATE account_usage SET end_users = end_users - $4, storage_bytes = storage_bytes - $2,
         guests = guests - $3 * $4, guest_bytes = guest_bytes - $3 * $2 WHERE account_id = $1`,
      [accountId, bytes, guests, gone],
    );
    yield* all(
      `UPDATE project_usage SET end_users = end_users - $4, user_state_bytes = user_state_bytes - $2,
         guests = guests - $3 * $4, guest_bytes = guest_bytes - $3 * $2 WHERE project_id = $1`,
      [projectId, bytes, guests, gone],
    );
    return removed.length;
  },
};
