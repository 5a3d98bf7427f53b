/** Stores user states and their versions in this engine's tables, and counts them. */

import { isGuestId } from '../../contract/guests.ts';
import { ceilingSql } from '../../history/version-floors.ts';
import { environmentNumbers } from '../../rows/environment-numbers.ts';
import { encodeText } from '../../rows/stored-texts.ts';
import type { DocumentRowKey, EngineSql } from '../../sql/engine-sql.ts';
import { all, type Steps } from '../../sql/steps.ts';
import { headKey } from '../schema/head-keys.ts';

/** Records that one turn of the sweep reads. */
const recordsMax = 100;

export const userStateSteps: Pick<EngineSql, 'userStates' | 'countUserState'> = {
  userStates: {
    record: 'user_states.sequence AS record_id',
    recordColumns: ['record_id'],
    recordTypes: ['bigint'],
    stateOf: (versions) => `user_states.sequence = ${versions}.record_id`,
    ofAccount: '',
    ofRecord: (versions) => `${versions}.record_id = record.record_id`,
    // SQLite reads a whole row, including its text, to see whether it is outside a range. The range is therefore open, and rows of other
    // records, which a short history lets in, are dropped afterwards. A query with a limit is not affected by conditions around it.
    below: (columns, version, rowsMax) => `
      SELECT * FROM (
        SELECT versions.record_id, ${columns} FROM user_state_versions AS versions
        WHERE (versions.record_id, versions.version) < ((SELECT record_id FROM record), ${version})
        ORDER BY versions.record_id DESC, versions.version DESC LIMIT ${rowsMax})
      WHERE record_id = (SELECT record_id FROM record)`,
    oldest: (columns, rowsMax) => `
      SELECT * FROM (
        SELECT versions.record_id, ${columns} FROM user_state_versions AS versions
        WHERE (versions.record_id, versions.version) >= ((SELECT record_id FROM record), 0)
        ORDER BY versions.record_id, versions.version LIMIT ${rowsMax})
      WHERE record_id = (SELECT record_id FROM record)`,
    place: { columns: 'record_id', values: 'sequence' },
    at: ({ projectId, playerId, environment }) => ({
      condition: 'project_id = $1 AND end_user_id = $2 AND environment = $3',
      values: [projectId, encodeText(playerId), environmentNumbers[environment]],
    }),
    listKept: `
      WITH RECURSIVE kept (record_id) AS (
        SELECT min(record_id) FROM user_state_versions WHERE record_id > $1
        UNION ALL
        SELECT (SELECT min(record_id) FROM user_state_versions AS later WHERE later.record_id > kept.record_id)
        FROM kept WHERE record_id IS NOT NULL LIMIT ${recordsMax})
      SELECT kept.record_id, oldest.version, oldest.replaced_at, user_states.version AS current_version, projects.account_id, slug,
        environment, end_user_id
      FROM kept
      JOIN user_state_versions AS oldest ON oldest.record_id = kept.record_id AND oldest.version = (
        SELECT min(version) FROM user_state_versions AS each WHERE each.record_id = kept.record_id)
      LEFT JOIN user_states ON sequence = kept.record_id
      LEFT JOIN projects ON projects.project_id = user_states.project_id
      ORDER BY kept.record_id`,
    first: [0],
  },

  *countUserState({ accountId, projectId, playerId = '' }, bytes) {
    // A row: a former guest who has signed up, and is counted as a player.
    const linked = yield* all(
      'SELECT 1 FROM user_states WHERE project_id = $1 AND end_user_id = $2 AND is_linked = 1 LIMIT 1',
      [projectId, encodeText(playerId)],
    );
    const guestBytes = isGuestId(playerId) && linked.length === 0 ? bytes : 0;
    // One row each, always: a player with a user state is counted. No total is cached (`runGuarded`).
    yield* all(
      'UPDATE account_usage SET storage_bytes = storage_bytes + $2, guest_bytes = guest_bytes + $3 WHERE account_id = $1',
      [accountId, bytes, guestBytes],
    );
    yield* all(
      'UPDATE project_usage SET user_state_bytes = user_state_bytes + $2, guest_bytes = guest_bytes + $3 WHERE project_id = $1',
      [projectId, bytes, guestBytes],
    );
  },
};

/** Ensures that no version of a user state in this environment, which has states, exceeds the ceiling of its versions. */
export function* raiseUserStateCeiling(
  { projectId, environment }: DocumentRowKey,
  version: number,
  floor: number,
): Steps<void> {
  // No change: the ceiling is high enough.
  yield* all(
    `UPDATE user_versions SET version_ceiling = ${ceilingSql('$2', 'version_floor', '$3')}
     WHERE head_key = $1 AND version_ceiling < $2`,
    [headKey(projectId as number, environment), version, floor],
  );
}
