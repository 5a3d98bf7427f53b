/** Stores user states and their versions in this engine's tables, and counts them. */

import { ceilingSql } from '../../../history/version-floors.ts';
import { environmentNumbers } from '../../../rows/environment-numbers.ts';
import { encodeText } from '../../../rows/stored-texts.ts';
import type { DocumentRowKey, EngineSql } from '../../../sql/engine-sql.ts';
import { all, type Steps } from '../../../sql/steps.ts';
import { bucketOf, usagePartOf, usageParts } from '../../usage/usage-sums.ts';

/** The columns that find a record in its index. */
const place = 'account_id, project_id, environment, created_micros, record_id';
const stateOf = (versions: string) =>
  place
    .split(', ')
    .map((name) => `user_states.${name} = ${versions}.${name}`)
    .join(' AND ');

/** The account is always the first parameter: with it, a database of several machines asks only the account's. */
const ofRecord = (versions: string) =>
  `${versions}.account_id = $1 AND ${['project_id', 'record_id'].map((name) => `${versions}.${name} = record.${name}`).join(' AND ')}`;

/** Records that one turn of the sweep reads. */
const recordsMax = 200;

/** A guest who has signed up is counted as a player. */
const countUser = `
  UPDATE user_usage SET bytes = bytes + $4 WHERE account_id = $1 AND project_id = $2 AND part = CASE
    WHEN EXISTS (SELECT 1 FROM user_states WHERE account_id = $1 AND project_id = $2 AND end_user_id = $5 AND is_linked = 1)
    THEN $3::smallint % ${usageParts} ELSE $3::smallint END`;

/** Returns the steps. `bucketSecret` sorts players into the rows that count them. */
export const userStateSteps = (bucketSecret: Uint8Array): Pick<EngineSql, 'userStates' | 'countUserState'> => ({
  userStates: {
    record: 'user_states.account_id, user_states.project_id, user_states.record_id',
    recordColumns: ['account_id', 'project_id', 'record_id'],
    recordTypes: ['text', 'uuid', 'uuid'],
    stateOf,
    ofAccount: 'AND user_states.account_id = projects.account_id',
    ofRecord,
    below: (columns, version, rowsMax) => `
      SELECT ${columns}
      FROM record JOIN user_state_versions AS versions ON ${ofRecord('versions')}
      WHERE versions.version < ${version}
      ORDER BY versions.version DESC LIMIT ${rowsMax}`,
    oldest: (columns, rowsMax) => `
      SELECT ${columns}
      FROM record JOIN user_state_versions AS versions ON ${ofRecord('versions')}
      ORDER BY versions.version LIMIT ${rowsMax}`,
    place: { columns: place, values: place },
    at: ({ accountId, projectId, playerId, environment }) => ({
      condition: 'account_id = $1 AND project_id = $2 AND end_user_id = $3 AND environment = $4',
      values: [accountId, projectId, encodeText(playerId), environmentNumbers[environment]],
    }),
    // A row without `current_version`: a node of the previous release has deleted the user state, or its project.
    listKept: `
      SELECT oldest.*, slug,
        (SELECT user_states.version FROM user_states WHERE ${stateOf('oldest')}) AS current_version,
        (SELECT end_user_id FROM user_states WHERE ${stateOf('oldest')}) AS end_user_id
      FROM (
        SELECT DISTINCT ON (account_id, project_id, record_id) account_id, project_id, record_id, created_micros, environment, version, replaced_at
        FROM user_state_versions WHERE (account_id, project_id, record_id) > ($1, $2::uuid, $3::uuid)
        ORDER BY account_id, project_id, record_id, version
      ) AS oldest
      LEFT JOIN projects ON projects.account_id = oldest.account_id AND projects.project_id = oldest.project_id
      ORDER BY oldest.account_id, oldest.project_id, oldest.record_id LIMIT ${recordsMax}`,
    first: ['', '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000'],
  },

  *countUserState({ accountId, projectId, slug, playerId }, bytes) {
    if (slug === undefined || playerId === undefined) {
      // One row; none if the project was deleted. Only sums count.
      yield* all(
        `UPDATE user_usage SET bytes = bytes + $3 WHERE account_id = $1 AND project_id = $2 AND part = (
           SELECT min(part) FROM user_usage WHERE account_id = $1 AND project_id = $2)`,
        [accountId, projectId, bytes],
      );
      return;
    }
    const part = usagePartOf(bucketOf(bucketSecret, { accountId, slug, playerId }), playerId);
    // One row, always: a player with a user state is counted.
    yield* all(countUser, [accountId, projectId, part, bytes, encodeText(playerId)]);
  },
});

/** Ensures that no version of a user state in this environment, which has states, exceeds the ceiling of its versions. */
export function* raiseUserStateCeiling(
  { accountId, slug, environment }: DocumentRowKey,
  version: number,
  floor: number,
): Steps<void> {
  // No change: the ceiling is high enough.
  yield* all(
    `UPDATE environments SET user_version_ceiling = ${ceilingSql('$4::bigint', 'user_version_floor', '$5::bigint')}
     WHERE account_id = $1 AND slug = $2 AND environment = $3 AND user_version_ceiling < $4::bigint`,
    [accountId, slug, environment, version, floor],
  );
}
