/** The players with state in a project, for searching and listing. */

import { encodeText } from '../../rows/rows.ts';
import { first } from '../../sql/steps.ts';
import type { EngineSql } from '../../sql/verb.ts';

/** SQL: the key of a player (sql/player-keys.ts), as in the later index (schema/later-indexes.ts). */
export const playerKeySql = '(lower(end_user_id COLLATE "C"))';

export const playerStates: Pick<EngineSql, 'playerIds' | 'playerStates' | 'hasStates'> = {
  playerIds: `
    SELECT end_user_id FROM end_users
    WHERE account_id = $1 AND project_id = (SELECT project_id FROM projects WHERE account_id = $1 AND slug = $2)
      AND ${playerKeySql} >= $3 AND ${playerKeySql} < $4
      AND (${playerKeySql} > $3 OR ($5::integer = 1 AND end_user_id > $6))
    ORDER BY ${playerKeySql}, end_user_id LIMIT $7`,
  playerStates: `
    SELECT end_user_id, environment, version, updated_at, state_bytes, created_at FROM user_states
    WHERE account_id = $2 AND project_id = (SELECT project_id FROM projects WHERE account_id = $2 AND slug = $3)
      AND end_user_id IN (SELECT value ->> 0 FROM json_array_elements(CAST(CAST($1 AS text) AS json)) AS given (value))
    ORDER BY end_user_id, environment`,
  *hasStates(accountId, playerId) {
    // No row: none.
    const row = yield* first(
      `SELECT 1 AS found FROM end_users
       WHERE account_id = $1 AND project_id = ANY (ARRAY (SELECT project_id FROM projects WHERE account_id = $1))
         AND end_user_id = $2 LIMIT 1`,
      [accountId, encodeText(playerId)],
    );
    return row !== undefined;
  },
};
