/** Steps of shared verbs that use this engine's own tables. */

import { storedGuestId } from '../contract/guests.ts';
import type { EngineSql } from '../sql/engine-sql.ts';
import { all, first } from '../sql/steps.ts';
import { environmentOf, headKeySql, isHeadOf } from './schema/head-keys.ts';
import { signInStatements } from './sign-in/sign-in-statements.ts';
import { linkedStates } from './state/linked-states.ts';
import { mergedStates } from './state/merged-states.ts';
import { publicHistory } from './state/public-retention.ts';
import { userStateRemoval } from './state/user-state-removal.ts';
import { raiseUserStateCeiling, userStateSteps } from './state/user-state-steps.ts';
import { deleteHeads, deleteUsage, orphanHeads, orphanPlayers } from './sweep/sweep.ts';

/** SQL: an account's usage, in a statement over its row. */
const usageOf = (column: string): string =>
  `coalesce((SELECT ${column} FROM account_usage WHERE account_usage.account_id = accounts.account_id), 0)`;

/** Rows of repeats that one sweep looks at, in the order in which they were written. */
const repeatsMax = 500;

export const engineSql: EngineSql = {
  signIns: signInStatements,
  ...userStateRemoval,
  playerIds: `
    SELECT end_user_id FROM user_states INDEXED BY user_states_by_key
    WHERE project_id = (SELECT project_id FROM projects WHERE account_id = $1 AND slug = $2)
      AND lower(end_user_id) >= $3 AND lower(end_user_id) < $4 AND (lower(end_user_id) > $3 OR ($5 = 1 AND end_user_id > $6))
    GROUP BY lower(end_user_id), end_user_id ORDER BY lower(end_user_id), end_user_id LIMIT $7`,
  ...publicHistory,
  // The writer's memory of what collects is forgotten with each guarded command (`runGuarded`).
  endCollecting: ({ accountId, slug }, environment) =>
    // No row: nothing is stored.
    first(
      `SELECT versions.version, author, comment
       FROM projects JOIN public_state_heads ON head_key = ${headKeySql('projects.project_id', '$3')}
       JOIN public_state_versions AS versions ON versions.id = newest_id
       WHERE account_id = $1 AND slug = $2`,
      [accountId, slug, environment],
    ),
  ...userStateSteps,
  raiseUserStateCeiling,
  ...linkedStates,
  ...mergedStates,
  isGuest: (column) => `(${column} GLOB '${storedGuestId.sqlite}')`,
  highestVersions: [
    'SELECT max(version) AS highest FROM public_state_heads',
    'SELECT max(version_ceiling) AS highest FROM user_versions',
  ],
  isOneOf: (query) => `IN (${query})`,
  given: 'json_each($1)',
  givenBytes: 'unhex(value ->> 0)',
  clock: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
  players: usageOf('end_users'),
  removeOldRepeats: `
    DELETE FROM write_repeats WHERE repeat_number IN (SELECT repeat_number FROM (
      SELECT repeat_number, written_at FROM write_repeats ORDER BY repeat_number LIMIT ${repeatsMax})
    WHERE written_at < $1) RETURNING 1`,
  storageBytes: usageOf('storage_bytes'),
  *isUncleared(accountId) {
    // No row: everything was cleared.
    return (yield* first('SELECT 1 AS found FROM orphans WHERE account_id = $1', [accountId])) !== undefined;
  },
  *openProject({ accountId, slug, projectId }) {
    // One row for each environment that a deleted project with this key had written to.
    yield* all(
      `INSERT INTO public_state_heads (head_key, version, newest_id)
       SELECT ${headKeySql('$1', 'environment')}, version, NULL FROM version_floors
       WHERE account_id = $2 AND slug = $3 AND version > 0`,
      [projectId, accountId, slug],
    );
    // One row for each environment that players of a deleted project with this key had written to.
    yield* all(
      `INSERT INTO user_versions (head_key, version_floor, version_ceiling)
       SELECT ${headKeySql('$1', 'environment')}, user_version, user_version FROM version_floors
       WHERE account_id = $2 AND slug = $3 AND user_version > 0`,
      [projectId, accountId, slug],
    );
  },
  *closeProject({ accountId, slug, projectId }) {
    // No change: the account has used nothing.
    yield* all(
      `UPDATE account_usage SET
         end_users = end_users - coalesce((SELECT end_users FROM project_usage WHERE project_id = $2), 0),
         storage_bytes = storage_bytes - coalesce((SELECT user_state_bytes FROM project_usage WHERE project_id = $2), 0)
           - (SELECT coalesce(sum(kept_bytes), 0) FROM public_state_heads WHERE ${isHeadOf('$2')}),
         guests = guests - coalesce((SELECT guests FROM project_usage WHERE project_id = $2), 0),
         guest_bytes = guest_bytes - coalesce((SELECT guest_bytes FROM project_usage WHERE project_id = $2), 0)
       WHERE account_id = $1`,
      [accountId, projectId],
    );
    yield* all(deleteUsage, [projectId]);
    // One row for each environment that was written to, or had a floor already.
    yield* all(
      `INSERT INTO version_floors (account_id, slug, environment, version, user_version)
       SELECT $1, $2, ${environmentOf('$3')}, version, 0 FROM public_state_heads WHERE ${isHeadOf('$3')}
       ON CONFLICT DO UPDATE SET version = excluded.version`,
      [accountId, slug, projectId],
    );
    // One row for each environment that players have written to, or that had a floor already.
    yield* all(
      `INSERT INTO version_floors (account_id, slug, environment, version, user_version)
       SELECT $1, $2, ${environmentOf('$3')}, 0, version_ceiling FROM user_versions
       WHERE ${isHeadOf('$3')}
       ON CONFLICT DO UPDATE SET user_version = excluded.user_version`,
      [accountId, slug, projectId],
    );
    yield* all(orphanHeads, [projectId]);
    yield* all(deleteHeads, [projectId]);
    yield* all(orphanPlayers, [projectId]);
  },
  *closeAccount(accountId) {
    // One row, always.
    yield* all("INSERT INTO orphans (kind, account_id) VALUES ('account', $1)", [accountId]);
    // No change: it has used nothing.
    yield* all('DELETE FROM account_usage WHERE account_id = $1', [accountId]);
  },
};
