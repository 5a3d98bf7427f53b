/** Projects, and the rows of their environments. */

import { randomUUID } from 'node:crypto';
import { projectChange } from '../../access-changes.ts';
import { projectDeletions } from '../../cold/tables.ts';
import { encodeText } from '../../rows.ts';
import type { Project, ProjectKey, Store } from '../../store.ts';
import type { QuotaReached } from '../../usage-store.ts';
import type { Query } from '../connection/query.ts';
import type { Parts } from '../parts.ts';
import { noteOrphan } from '../sweep/sweep.ts';

type Projects = Pick<Store, 'createProject' | 'deleteProject'>;

/** Returns the methods of the store that keep projects. */
export function createProjects({ database, access, quotas }: Parts): Projects {
  return {
    createProject: (project) =>
      database.transaction('read committed', (query) => createProject(query, project, quotas.projects)),
    deleteProject: (key) =>
      access.change(
        projectChange(key),
        (query) => deleteProject(query, key),
        (outcome) => outcome === 'absent',
        'read committed',
      ),
  };
}

/**
 * Projects of one account are created one after the other: each creation holds the row of the account until it is committed.
 */
async function createProject(
  query: Query,
  { accountId, slug, name, createdAt }: Project,
  projectsMax: number,
): Promise<'created' | 'already_exists' | 'no_account' | QuotaReached> {
  // No row: no such account.
  const [account] = await query('SELECT projects, projects_max FROM accounts WHERE account_id = $1 FOR UPDATE', [
    accountId,
  ]);
  if (account === undefined) return 'no_account';
  // No row: the slug is free.
  const taken = await query('SELECT 1 FROM projects WHERE account_id = $1 AND slug = $2', [accountId, slug]);
  if (taken.length > 0) return 'already_exists';
  const used = account.projects as number;
  const limit = (account.projects_max as number | null) ?? projectsMax;
  if (limit > 0 && used >= limit) return { kind: 'quota', quota: 'projects', limit, used };

  const projectId = randomUUID();
  // One row, always; and so below.
  await query('INSERT INTO projects (account_id, slug, project_id, name, created_at) VALUES ($1, $2, $3, $4, $5)', [
    ...[accountId, slug, projectId, encodeText(name), createdAt],
  ]);
  await query('UPDATE accounts SET projects = projects + 1 WHERE account_id = $1', [accountId]);
  // Three rows. Versions continue above those of a deleted project of this name.
  await query(
    `INSERT INTO environments (account_id, slug, environment, project_id, version, is_present, kept_bytes,
       user_version_floor, user_version_ceiling)
     SELECT $1, $2, all_three.environment, $3, coalesce(version, 0), false, 0, coalesce(user_version, 0), coalesce(user_version, 0)
     FROM (VALUES (0), (1), (2)) AS all_three (environment)
     LEFT JOIN version_floors ON account_id = $1 AND slug = $2 AND version_floors.environment = all_three.environment`,
    [accountId, slug, projectId],
  );
  return 'created';
}

async function deleteProject(query: Query, { accountId, slug }: ProjectKey): Promise<'deleted' | 'absent'> {
  // No row: no such account. This row is locked before those of the project, as in a creation.
  const account = await query('SELECT 1 FROM accounts WHERE account_id = $1 FOR UPDATE', [accountId]);
  if (account.length === 0) return 'absent';
  // No row: no such project. Its state and keys refer to this row, so they can no longer be reached.
  const [project] = await query('DELETE FROM projects WHERE account_id = $1 AND slug = $2 RETURNING project_id', [
    accountId,
    slug,
  ]);
  if (project === undefined) return 'absent';
  const projectId = project.project_id as string;
  // Three rows, as the last write left them.
  const environments = await query(
    `DELETE FROM environments WHERE account_id = $1 AND slug = $2
     RETURNING environment, version, user_version_ceiling`,
    [accountId, slug],
  );
  for (const { environment, version, user_version_ceiling: userVersion } of environments) {
    // One row, always.
    await query(
      `INSERT INTO version_floors (account_id, slug, environment, version, user_version) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (account_id, slug, environment) DO UPDATE
       SET version = excluded.version, user_version = excluded.user_version`,
      [accountId, slug, environment as number, version as number, userVersion as number],
    );
  }
  await query('UPDATE accounts SET projects = projects - 1 WHERE account_id = $1', [accountId]);
  // Any number of rows each.
  for (const sql of projectDeletions) await query(sql, [accountId, slug]);
  await noteOrphan(query, { accountId, projectId, orphanId: randomUUID() });
  return 'deleted';
}
