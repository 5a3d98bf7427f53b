/** Deletes long histories of user states in slices, each in its own transaction, so that other writes never wait for a whole history. */

import type { DeletionScope } from '../../contract/players.ts';
import { keptBytes } from '../../history/replaced-user-state.ts';
import { integerAt } from '../../rows/columns.ts';
import { environmentNames } from '../../rows/environment-numbers.ts';
import type { UserStateRowKey, UserStateStatements } from '../engine-sql.ts';
import { areTokensRevoked } from '../players/player-revocations.ts';
import { all, first, type Steps, type Value } from '../steps.ts';
import { type Setting, write } from '../verb.ts';
import { isOfRecordSql, recordOf, recordSql } from './user-state-rows.ts';

/**
 * The maximum number of versions in a slice, and of their bytes, unless a single version has more. A deletion never finds more than one
 * slice.
 */
const sliceRowsMax = 250;
const sliceBytesMax = 2_000_000;

function* shorten(setting: Setting, scope: DeletionScope, playerId: string): Steps<number> {
  const { accountId, slug, environment, token } = scope;
  if (token !== undefined && (yield* areTokensRevoked({ ...scope, ...token, playerId }, token.epoch))) return 0;
  // No row: no such project.
  const project = yield* first(
    'SELECT projects.project_id FROM accounts JOIN projects USING (account_id) WHERE account_id = $1 AND slug = $2',
    [accountId, slug],
  );
  if (project === undefined) return 0;
  const projectId = project.project_id as UserStateRowKey['projectId'];
  let deleted = 0;
  for (const one of environment === null ? environmentNames : [environment]) {
    deleted += yield* shortenOne(setting, { accountId, slug, projectId, playerId, environment: one });
  }
  return deleted;
}

function* shortenOne({ engine }: Setting, key: UserStateRowKey): Steps<number> {
  const { userStates } = engine;
  const { condition, values } = userStates.at(key);
  // No row: there is no user state.
  const held = yield* first(`SELECT ${userStates.record} FROM user_states WHERE ${condition} FOR UPDATE`, values);
  if (held === undefined) return 0;
  const record = recordOf(userStates, held);
  const last = yield* endOfSlice(userStates, record);
  if (last === undefined) return 0;
  // A row for each version of the slice.
  const rows = yield* all(
    `DELETE FROM user_state_versions WHERE ${isOfRecordSql(userStates)} AND version <= $${record.length + 1}
     RETURNING ${keptBytes} AS bytes`,
    [...record, last],
  );
  const bytes = rows.reduce((sum, row) => sum + integerAt(row, 'bytes'), 0);
  // One row, always: it is locked.
  yield* all(`UPDATE user_states SET history_bytes = history_bytes - $${values.length + 1} WHERE ${condition}`, [
    ...values,
    bytes,
  ]);
  yield* engine.countUserState(key, -bytes);
  return rows.length;
}

/** The newest version of the oldest slice. Undefined if all versions fit into one slice. */
function* endOfSlice(userStates: UserStateStatements, record: readonly Value[]): Steps<number | undefined> {
  // A row for each version, oldest first.
  const rows = yield* all(
    `WITH ${recordSql(userStates)} SELECT version, bytes FROM (
       ${userStates.oldest(`versions.version, ${keptBytes} AS bytes`, String(sliceRowsMax + 1))}) AS oldest ORDER BY version`,
    record,
  );
  let bytes = 0;
  let last: number | undefined;
  for (const [index, row] of rows.entries()) {
    bytes += integerAt(row, 'bytes');
    if (index === sliceRowsMax || (bytes > sliceBytesMax && last !== undefined)) return last;
    last = integerAt(row, 'version');
  }
  return undefined;
}

export const userStateSliceVerbs = {
  /**
   * Deletes the oldest versions of a player's user states, one slice of each long history per call, until the rest can be deleted in one
   * step. Returns the number deleted; 0 if no history is long.
   */
  shortenHistories: write(shorten, { forgets: true }),
};
