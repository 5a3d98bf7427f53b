import type { DatabaseSync } from 'node:sqlite';

/** What one slice removes at most: rows, or bytes of state, whichever is reached first. */
const rowsMax = 64;
const bytesMax = 1_000_000;

/** Removes some of what a deleted project knew of its end users. Returns whether all of it is gone. */
export function sweepEndUsers(database: DatabaseSync, project: number): boolean {
  if (!sweepStates(database, project)) return false;
  const signIns = database.prepare(
    `DELETE FROM sign_ins WHERE sign_in_number IN (SELECT sign_in_number FROM sign_ins WHERE project_id = ? LIMIT ?)`,
  );
  if (signIns.run(project, rowsMax).changes !== 0) return false;
  const floors = database.prepare(
    `DELETE FROM end_user_floors WHERE (head_key, bucket) IN
       (SELECT head_key, bucket FROM end_user_floors WHERE head_key BETWEEN ?1 * 4 AND ?1 * 4 + 3 LIMIT ?2)`,
  );
  if (floors.run(project, rowsMax).changes !== 0) return false;
  // At most one row for each environment, and one of settings.
  database.prepare('DELETE FROM user_versions WHERE head_key BETWEEN ?1 * 4 AND ?1 * 4 + 3').run(project);
  database.prepare('DELETE FROM end_user_auth WHERE project_id = ?').run(project);
  return true;
}

/** Removes some user states of a project. Returns whether all are gone. */
function sweepStates(database: DatabaseSync, project: number): boolean {
  const remove = database.prepare('DELETE FROM user_states WHERE sequence = ?');
  const rows = database
    .prepare('SELECT sequence, state_bytes FROM user_states WHERE project_id = ? LIMIT ?')
    .all(project, rowsMax);
  let bytes = 0;
  for (const row of rows) {
    if (bytes >= bytesMax) break;
    bytes += row.state_bytes as number;
    remove.run(row.sequence as number);
  }
  return rows.length === 0;
}

/** Removes some sign-ins of the developers of a deleted account. Returns whether all are gone. */
export function sweepDevelopers(database: DatabaseSync, account: number): boolean {
  const signIns = database.prepare(
    `DELETE FROM sign_ins WHERE sign_in_number IN
       (SELECT sign_in_number FROM sign_ins WHERE account_number = ? AND project_id IS NULL LIMIT ?)`,
  );
  return signIns.run(account, rowsMax).changes === 0;
}
