/** The creation and deletion of projects. */
import type { DatabaseSync } from 'node:sqlite';
import { projectChange } from '../../access-changes.ts';
import { projectDeletions } from '../../cold/tables.ts';
import type { ManagementStore, ProjectKey } from '../../management-store.ts';
import { projectName } from '../../record-names.ts';
import { encodeText } from '../../rows.ts';
import { statement } from '../directory/database.ts';
import type { Parts } from '../parts.ts';
import type { Reader } from '../reader.ts';
import { usageChanges } from '../usage/usage-totals.ts';
import type { Commands } from '../writer/commands.ts';

type Projects = Pick<ManagementStore, 'createProject' | 'deleteProject'>;

/** Returns the methods of the store that keep projects. */
export function createProjects({ changeAccess, quotas }: Pick<Parts, 'changeAccess' | 'quotas'>): Projects {
  return {
    createProject: (project) => changeAccess({}, 'createProject', project, quotas.projects),
    deleteProject(key) {
      const effect = { changes: projectName(key), takes: projectChange(key) };
      return changeAccess(effect, 'deleteProject', key.accountId, key.slug);
    },
  };
}

/** Returns the number of a project, within the caller's snapshot. */
export function findProjectId(reader: Reader, { accountId, slug }: ProjectKey): number | undefined {
  // No row: no such project.
  const row = reader.get(
    'SELECT project_id FROM accounts JOIN projects USING (account_id) WHERE account_id = ? AND slug = ?',
    accountId,
    slug,
  );
  return row?.project_id as number | undefined;
}

/** The writes of projects, on the writer thread. */
export function projectWrites(database: DatabaseSync): Pick<Commands, 'createProject' | 'deleteProject'> {
  // No row: no such account.
  const findAccount = statement(database, 'SELECT account_number FROM accounts WHERE account_id = ?');
  // No row: the account has no such project.
  const find = statement(database, 'SELECT 1 FROM projects WHERE account_id = ? AND slug = ?');
  // No row: the slug is taken in this account.
  const insert = statement(
    database,
    `INSERT INTO projects (account_id, slug, name, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (account_id, slug) DO NOTHING RETURNING project_id`,
  );
  // One row for each environment that a deleted project of this key had written to.
  const raiseToFloors = statement(
    database,
    `INSERT INTO public_state_heads (head_key, version, newest_id)
     SELECT ?1 * 4 + environment, version, NULL FROM version_floors
     WHERE account_id = ?2 AND slug = ?3 AND version > 0`,
  );
  // One row for each environment that end users of a deleted project of this key had written to.
  const raiseToUserFloors = statement(
    database,
    `INSERT INTO user_versions (head_key, version_floor, version_ceiling)
     SELECT ?1 * 4 + environment, user_version, user_version FROM version_floors
     WHERE account_id = ?2 AND slug = ?3 AND user_version > 0`,
  );
  const usage = usageChanges(database);
  return {
    createProject({ accountId, slug, name, createdAt }, projectsMax) {
      const account = findAccount.get(accountId)?.account_number as number | undefined;
      if (account === undefined) return 'no_account';
      const refused = usage.refuseProject(account, projectsMax);
      if (refused !== undefined) return find.get(accountId, slug) === undefined ? refused : 'already_exists';
      const project = insert.get(accountId, slug, encodeText(name), createdAt)?.project_id;
      if (project === undefined) return 'already_exists';
      usage.addProject(account);
      raiseToFloors.changes(project, accountId, slug);
      raiseToUserFloors.changes(project, accountId, slug);
      return 'created';
    },
    ...projectDeletion(database),
  };
}

function projectDeletion(database: DatabaseSync): Pick<Commands, 'deleteProject'> {
  // No row: no such project. Its state and keys refer to this row, so they can no longer be reached.
  const remove = statement(
    database,
    `DELETE FROM projects
     WHERE account_id = ?1 AND slug = ?2 AND EXISTS (SELECT 1 FROM accounts WHERE account_id = ?1)
     RETURNING project_id, end_users, user_state_bytes,
       (SELECT account_number FROM accounts WHERE account_id = ?1) AS account_number`,
  );
  // Any number of rows each.
  const removeRows = projectDeletions.map((sql) => statement(database, sql.replaceAll('$', '?')));
  // One row for each environment that was written to, or had a floor already.
  const keepFloors = statement(
    database,
    `INSERT INTO version_floors (account_id, slug, environment, version, user_version)
     SELECT ?1, ?2, head_key - ?3 * 4, version, 0 FROM public_state_heads WHERE head_key BETWEEN ?3 * 4 AND ?3 * 4 + 3
     ON CONFLICT DO UPDATE SET version = excluded.version`,
  );
  // One row for each environment that end users have written to, or that had a floor already.
  const keepUserFloors = statement(
    database,
    `INSERT INTO version_floors (account_id, slug, environment, version, user_version)
     SELECT ?1, ?2, head_key - ?3 * 4, 0, version_ceiling FROM user_versions
     WHERE head_key BETWEEN ?3 * 4 AND ?3 * 4 + 3
     ON CONFLICT DO UPDATE SET user_version = excluded.user_version`,
  );
  const orphan = statement(database, orphanHeads);
  const removeHeads = statement(database, deleteHeads);
  const orphanUsers = statement(database, orphanEndUsers);
  const usage = usageChanges(database);
  return {
    deleteProject(accountId, slug) {
      const row = remove.get(accountId, slug);
      if (row === undefined) return 'absent';
      const { project_id: project, account_number: account } = row as { project_id: number; account_number: number };
      usage.removeProject({
        accountNumber: account,
        projectId: project,
        endUsers: row.end_users as number,
        userStateBytes: row.user_state_bytes as number,
      });
      for (const each of removeRows) each.changes(accountId, slug);
      keepFloors.changes(accountId, slug, project);
      orphan.changes(project);
      removeHeads.changes(project);
      keepUserFloors.changes(accountId, slug, project);
      orphanUsers.changes(project);
      return 'deleted';
    },
  };
}

/** One row for each environment of a project that holds state: its chain of versions is to be swept. */
export const orphanHeads = `
  INSERT INTO orphans (kind, target)
  SELECT 'versions', newest_id FROM public_state_heads
  WHERE head_key BETWEEN ?1 * 4 AND ?1 * 4 + 3 AND newest_id IS NOT NULL`;
/** At most one row for each environment of a project. */
export const deleteHeads = 'DELETE FROM public_state_heads WHERE head_key BETWEEN ?1 * 4 AND ?1 * 4 + 3';

/** One row, always: the records of the end users of a project are to be swept. */
export const orphanEndUsers = "INSERT INTO orphans (kind, target) VALUES ('end_users', ?)";
