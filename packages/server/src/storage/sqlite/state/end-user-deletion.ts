/** Deletes an end user: no table and no index keeps anything of it. */
import type { DatabaseSync } from 'node:sqlite';
import { userScopes } from '../../repeat-scopes.ts';
import { encodeText } from '../../rows.ts';
import { statement } from '../directory/database.ts';
import { endUserRemoval } from '../usage/usage-totals.ts';
import { type Commands, headKey } from '../writer/commands.ts';
import { scopeHash } from './repeats.ts';
import { Buckets } from './user-state-writes.ts';

/** The deletion of end users, on the writer thread. */
export function endUserDeletion(database: DatabaseSync): Pick<Commands, 'deleteEndUser'> {
  const buckets = new Buckets(database);
  const removeUsage = endUserRemoval(database);
  // No row: no such project.
  const findProject = statement(
    database,
    `SELECT project_id, projects.created_at FROM accounts JOIN projects USING (account_id)
     WHERE account_id = ? AND slug = ?`,
  );
  // A row for each environment in which the end user had state.
  const removeStates = statement(
    database,
    'DELETE FROM user_states WHERE project_id = ? AND end_user_id = ? RETURNING environment, version, state_bytes',
  );
  // One row, always.
  const raiseFloor = statement(
    database,
    `INSERT INTO end_user_floors (head_key, bucket, version) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET version = max(version, excluded.version)`,
  );
  // Any number of rows: the writes of one environment that could be repeated.
  const removeRepeats = statement(database, 'DELETE FROM write_repeats WHERE account_id = ? AND scope = ?');
  // Any number of rows: codes and families.
  const removeSignIns = statement(database, 'DELETE FROM sign_ins WHERE project_id = ? AND subject = ?');
  return {
    deleteEndUser(accountId, slug, endUserId) {
      const found = findProject.get(accountId, slug);
      if (found === undefined) return 'no_project';
      const project = found.project_id as number;
      const id = encodeText(endUserId);
      const removed = removeStates.all(project, id);
      let bytes = 0;
      for (const { environment, version, state_bytes: stateBytes } of removed) {
        raiseFloor.changes(headKey(project, environment as number), buckets.of(project, endUserId), version as number);
        bytes += stateBytes as number;
      }
      if (removed.length > 0) removeUsage(accountId, project, bytes);
      const scopes = userScopes({ accountId, slug, endUserId }, found.created_at as number);
      for (const scope of scopes) removeRepeats.changes(accountId, scopeHash(scope));
      return removeSignIns.changes(project, id) + removed.length === 0 ? 'absent' : 'deleted';
    },
  };
}
