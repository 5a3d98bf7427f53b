/** The players with state in a project, for searching and listing. */

import { encodeText } from '../../rows/rows.ts';
import { first } from '../../sql/steps.ts';
import type { EngineSql } from '../../sql/verb.ts';

export const playerStates: Pick<EngineSql, 'playerIds' | 'playerStates' | 'hasStates'> = {
  playerIds: `
    SELECT end_user_id FROM user_states INDEXED BY user_states_by_key
    WHERE project_id = (SELECT project_id FROM projects WHERE account_id = $1 AND slug = $2)
      AND lower(end_user_id) >= $3 AND lower(end_user_id) < $4 AND (lower(end_user_id) > $3 OR ($5 = 1 AND end_user_id > $6))
    GROUP BY lower(end_user_id), end_user_id ORDER BY lower(end_user_id), end_user_id LIMIT $7`,
  playerStates: `
    SELECT end_user_id, environment, version, updated_at, state_bytes, created_at FROM user_states
    WHERE project_id = (SELECT project_id FROM projects WHERE account_id = $2 AND slug = $3)
      AND end_user_id IN (SELECT value ->> 0 FROM json_each($1))
    ORDER BY end_user_id, environment`,
  *hasStates(accountId, playerId) {
    // No row: none.
    const row = yield* first(
      `SELECT 1 AS found FROM user_states
       WHERE project_id IN (SELECT project_id FROM projects WHERE account_id = $1) AND end_user_id = $2 LIMIT 1`,
      [accountId, encodeText(playerId)],
    );
    return row !== undefined;
  },
};
