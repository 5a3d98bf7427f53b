/** The states of former guests, and of players whose identity becomes a guest's sign-in method. */

import { integerAt } from '../../rows/columns.ts';
import { encodeText } from '../../rows/stored-texts.ts';
import type { EngineSql } from '../../sql/engine-sql.ts';
import { all } from '../../sql/steps.ts';

const ofPlayer = 'end_user_id = $2 AND project_id IN (SELECT project_id FROM projects WHERE account_id = $1)';

export const linkedStates: Pick<EngineSql, 'lockFirstWrites' | 'countAsOrdinary'> = {
  // There is no other writer.
  *lockFirstWrites() {},
  *countAsOrdinary(accountId, guestId) {
    const values = [accountId, encodeText(guestId)];
    // A row for each project in which the guest has state.
    const states = yield* all(
      `SELECT project_id, sum(state_bytes + history_bytes) AS bytes FROM user_states WHERE ${ofPlayer} AND is_linked = 0 GROUP BY project_id`,
      values,
    );
    // Any number of rows.
    yield* all(`UPDATE user_states SET is_linked = 1 WHERE ${ofPlayer}`, values);
    for (const row of states) {
      const bytes = integerAt(row, 'bytes');
      // One row each, always: a player with state is counted. No total is cached (`runGuarded`).
      yield* all('UPDATE account_usage SET guests = guests - 1, guest_bytes = guest_bytes - $2 WHERE account_id = $1', [
        accountId,
        bytes,
      ]);
      yield* all('UPDATE project_usage SET guests = guests - 1, guest_bytes = guest_bytes - $2 WHERE project_id = $1', [
        integerAt(row, 'project_id'),
        bytes,
      ]);
    }
  },
};
