/** Deletes an end user: no table and no index keeps anything of it. */
import { userScopes } from '../../repeat-scopes.ts';
import { encodeText, environmentNumbers } from '../../rows.ts';
import type { ProjectKey } from '../../store.ts';
import type { UserStateStore } from '../../user-state-store.ts';
import type { Query } from '../connection/query.ts';
import type { Dependencies } from '../dependencies.ts';
import { removeSignInsOfEndUser } from '../sign-in/user-sign-ins.ts';
import { bucketOf, usagePartOf } from '../usage/usage-sums.ts';
import { scopeHash } from './repeats.ts';

/** Returns the deletion of end users. */
export function createEndUserDeletion({ database, bucketSecret }: Dependencies): UserStateStore['deleteEndUser'] {
  return (key, endUserId) =>
    database.transaction('read committed', (query) =>
      deleteEndUser(query, key, endUserId, bucketOf(bucketSecret, { ...key, endUserId })),
    );
}

async function deleteEndUser(
  query: Query,
  { accountId, slug }: ProjectKey,
  endUserId: string,
  bucket: number,
): Promise<'deleted' | 'absent' | 'no_project'> {
  // No row: no such project.
  const [project] = await query(
    'SELECT project_id, projects.created_at FROM accounts JOIN projects USING (account_id) WHERE account_id = $1 AND slug = $2',
    [accountId, slug],
  );
  if (project === undefined) return 'no_project';
  const projectId = project.project_id as string;
  const endUser = [accountId, projectId, encodeText(endUserId)];
  await holdBuckets(query, accountId, projectId, bucket);
  // A row for each environment in which the end user had state, as the last write has left it.
  const states = await query(
    `DELETE FROM user_states WHERE account_id = $1 AND project_id = $2 AND end_user_id = $3
     RETURNING environment, version, state_bytes`,
    endUser,
  );
  let bytes = 0;
  for (const { environment, version, state_bytes: stateBytes } of states) {
    bytes += stateBytes as number;
    // One row, always: it is held.
    await query(
      `UPDATE end_user_floors SET version = greatest(version, $5)
       WHERE account_id = $1 AND project_id = $2 AND environment = $3 AND bucket = $4`,
      [accountId, projectId, environment as number, bucket, version as number],
    );
  }
  // No row: the end user had no state.
  const members = await query(
    'DELETE FROM end_users WHERE account_id = $1 AND project_id = $2 AND end_user_id = $3 RETURNING 1',
    endUser,
  );
  if (members.length > 0) {
    // One row, always.
    await query(
      `UPDATE user_usage SET end_users = end_users - 1, bytes = bytes - $4
       WHERE account_id = $1 AND project_id = $2 AND part = $3`,
      [accountId, projectId, usagePartOf(bucket), bytes],
    );
  }
  // Any number of rows: writes that could be repeated.
  await query('DELETE FROM write_repeats WHERE account_id = $1 AND scope IN ($2, $3, $4)', [
    accountId,
    ...userScopes({ accountId, slug, endUserId }, project.created_at as number).map(scopeHash),
  ]);
  const signIns = await removeSignInsOfEndUser(query, accountId, projectId, endUserId);
  return states.length + signIns === 0 ? 'absent' : 'deleted';
}

/** Locks the rows that creations of this end user lock first, so that none can be under way. */
async function holdBuckets(query: Query, accountId: string, projectId: string, bucket: number): Promise<void> {
  for (const environment of Object.values(environmentNumbers)) {
    // One row, always; a new one holds the floor of the environment. No row: the project has just been deleted.
    await query(
      `INSERT INTO end_user_floors (account_id, project_id, environment, bucket, version)
       SELECT $1, $2, $3, $4, user_version_floor FROM environments
       WHERE account_id = $1 AND project_id = $2 AND environment = $3
       ON CONFLICT (account_id, project_id, environment, bucket) DO UPDATE SET version = end_user_floors.version`,
      [accountId, projectId, environment, bucket],
    );
  }
}
