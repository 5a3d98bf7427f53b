/** Steps of shared verbs that use this engine's own tables. */
import { randomUUID } from 'node:crypto';
import { storedGuestId } from '../contract/guests.ts';
import { integerAt } from '../rows/columns.ts';
import type { EngineSql, ProjectRowKey } from '../sql/engine-sql.ts';
import { all, first, type Steps } from '../sql/steps.ts';
import { playerKeySql } from './schema/later-indexes.ts';
import { signInStatements } from './sign-in/sign-in-statements.ts';
import { collectedChanges } from './state/public/collected-changes.ts';
import { publicHistory } from './state/public/public-retention.ts';
import { linkedStates } from './state/user/linked-states.ts';
import { mergedStates } from './state/user/merged-states.ts';
import { userStateRemoval } from './state/user/user-state-removal.ts';
import { raiseUserStateCeiling, userStateSteps } from './state/user/user-state-steps.ts';
import { noteOrphan } from './sweep/sweep.ts';
import { playersOf, stateBytesOf } from './usage/usage-sums.ts';

/** Rows of repeats that one sweep deletes. */
const repeatsMax = 250;

const noFloor = { version: 0, user_version: 0 };

function* openProject({ accountId, slug, projectId }: ProjectRowKey): Steps<void> {
  // A row for each environment of a deleted project with this name: versions continue above its own.
  const floors = yield* all(
    'SELECT environment, version, user_version FROM version_floors WHERE account_id = $1 AND slug = $2',
    [accountId, slug],
  );
  const begun = [0, 1, 2].map((environment) => ({
    ...noFloor,
    ...floors.find((row) => row.environment === environment),
    environment,
  }));
  // Three rows.
  yield* all(
    `INSERT INTO environments (account_id, slug, environment, project_id, version, is_present, kept_bytes,
       user_version_floor, user_version_ceiling)
     SELECT $1, $2, environment, $3, version, false, 0, user_version, user_version
     FROM json_to_recordset($4::text::json) AS floors (environment smallint, version bigint, user_version bigint)`,
    [accountId, slug, projectId, JSON.stringify(begun)],
  );
}

/** SQL: the current milliseconds since the epoch, not those of the beginning of the transaction. */
export const clock = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** Returns the steps. `bucketSecret` sorts players into buckets. */
export const engineSql = (bucketSecret: Uint8Array): EngineSql => ({
  signIns: signInStatements,
  ...userStateRemoval(bucketSecret),
  playerIds: `
    SELECT end_user_id FROM end_users
    WHERE account_id = $1 AND project_id = (SELECT project_id FROM projects WHERE account_id = $1 AND slug = $2)
      AND ${playerKeySql} >= $3 AND ${playerKeySql} < $4
      AND (${playerKeySql} > $3 OR ($5::integer = 1 AND end_user_id > $6))
    ORDER BY ${playerKeySql}, end_user_id LIMIT $7`,
  ...publicHistory,
  ...collectedChanges,
  ...userStateSteps(bucketSecret),
  raiseUserStateCeiling,
  ...linkedStates(bucketSecret),
  ...mergedStates(bucketSecret),
  isGuest: (column) => `(${column} ~ '${storedGuestId.postgres}')`,
  highestVersions: [
    'SELECT max(version) AS highest FROM environments',
    'SELECT max(user_version_ceiling) AS highest FROM environments',
  ],
  isOneOf: (query) => `= ANY (ARRAY (${query}))`,
  // The driver would encode a parameter of type `json` as JSON again.
  given: 'json_array_elements(CAST(CAST($1 AS text) AS json)) AS given (value)',
  givenBytes: "decode(value ->> 0, 'hex')",
  clock,
  players: playersOf('$1'),
  // A row that a write has just reused is no longer old, and stays.
  removeOldRepeats: `
    DELETE FROM write_repeats WHERE written_at < $1 AND (account_id, scope, slot) IN (
      SELECT account_id, scope, slot FROM write_repeats WHERE written_at < $1 ORDER BY written_at LIMIT ${repeatsMax})
    RETURNING 1`,
  storageBytes: stateBytesOf('$1'),
  *isUncleared(accountId) {
    // No row: everything was cleared.
    const sql = 'SELECT 1 AS found FROM orphans WHERE account_id = $1 AND project_id IS NULL LIMIT 1';
    return (yield* first(sql, [accountId])) !== undefined;
  },
  openProject,
  *closeProject({ accountId, slug, projectId }) {
    // Three rows, as the last write left them.
    const environments = yield* all(
      `DELETE FROM environments WHERE account_id = $1 AND slug = $2 RETURNING environment, version, user_version_ceiling`,
      [accountId, slug],
    );
    for (const row of environments) {
      // One row, always.
      yield* all(
        `INSERT INTO version_floors (account_id, slug, environment, version, user_version) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (account_id, slug, environment) DO UPDATE
         SET version = excluded.version, user_version = excluded.user_version`,
        [accountId, slug, ...['environment', 'version', 'user_version_ceiling'].map((column) => integerAt(row, column))],
      );
    }
    yield* noteOrphan({ accountId, projectId: projectId as string, orphanId: randomUUID() });
  },
  closeAccount: (accountId) => noteOrphan({ accountId, projectId: null, orphanId: randomUUID() }),
});
