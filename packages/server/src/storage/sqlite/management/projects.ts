/** Projects. */
import type { DatabaseSync } from 'node:sqlite';
import { projectChange } from '../../access-changes.ts';
import type { ManagementStore, ProjectKey } from '../../management-store.ts';
import { beforeFirst, encodeText, pageOf, toProject } from '../../rows.ts';
import { statement } from '../directory/database.ts';
import type { Parts } from '../parts.ts';
import type { Reader } from '../reader.ts';
import { projectName } from '../record-cache.ts';
import { usageChanges } from '../usage/usage-totals.ts';
import type { Commands } from '../writer/commands.ts';

type Projects = Pick<ManagementStore, 'createProject' | 'findProject' | 'listProjects' | 'renameProject' | 'deleteProject'>;

/** Returns the methods of the store that keep projects. */
export function createProjects({
  cache,
  changeAccess,
  reader,
  quotas,
}: Pick<Parts, 'cache' | 'changeAccess' | 'reader' | 'quotas'>): Projects {
  return {
    createProject: (project) => changeAccess({}, 'createProject', project, quotas.projects),
    findProject(key) {
      const name = projectName(key);
      const known = cache.project(name);
      if (known !== undefined) return known;
      // No row: no such project.
      const row = reader.get(
        `SELECT account_id, slug, projects.name, projects.created_at FROM accounts JOIN projects USING (account_number)
         WHERE account_id = ? AND slug = ?`,
        key.accountId,
        key.slug,
      );
      const project = row && toProject(row);
      if (project !== undefined) cache.keepProject(name, project);
      return project;
    },
    listProjects(accountId, { after, itemsMax }) {
      const { createdAt, tie } = after ?? beforeFirst;
      // One row more than the page holds shows whether anything follows.
      const rows = reader.all(
        `SELECT ?1 AS account_id, slug, name, created_at FROM projects
         WHERE account_number = (SELECT account_number FROM accounts WHERE account_id = ?1) AND (created_at, slug) < (?2, ?3)
         ORDER BY created_at DESC, slug DESC LIMIT ?4`,
        accountId,
        createdAt,
        tie,
        itemsMax + 1,
      );
      return pageOf(rows.map(toProject), itemsMax, (item) => ({ createdAt: item.createdAt, tie: item.slug }));
    },
    renameProject: (key, name) =>
      changeAccess({ changes: projectName(key) }, 'renameProject', key.accountId, key.slug, name),
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
    'SELECT project_id FROM accounts JOIN projects USING (account_number) WHERE account_id = ? AND slug = ?',
    accountId,
    slug,
  );
  return row?.project_id as number | undefined;
}

/** The writes of projects, on the writer thread. */
export function projectWrites(database: DatabaseSync): Pick<Commands, 'createProject' | 'renameProject' | 'deleteProject'> {
  // No row: no such account.
  const findAccount = statement(database, 'SELECT account_number FROM accounts WHERE account_id = ?');
  // No row: the account has no such project.
  const find = statement(database, 'SELECT 1 FROM projects WHERE account_number = ? AND slug = ?');
  // No row: the slug is taken in this account.
  const insert = statement(
    database,
    `INSERT INTO projects (account_number, slug, name, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (account_number, slug) DO NOTHING RETURNING project_id`,
  );
  // One row for each environment that a deleted project of this key had written to.
  const raiseToFloors = statement(
    database,
    `INSERT INTO public_state_heads (head_key, version, newest_id)
     SELECT ?1 * 4 + environment, version, NULL FROM version_floors WHERE account_number = ?2 AND slug = ?3`,
  );
  // One row for each environment that end users of a deleted project of this key had written to.
  const raiseToUserFloors = statement(
    database,
    `INSERT INTO user_versions (head_key, version_floor, version_ceiling)
     SELECT ?1 * 4 + environment, version, version FROM user_version_floors WHERE account_number = ?2 AND slug = ?3`,
  );
  // No row: no such project.
  const rename = statement(
    database,
    `UPDATE projects SET name = ?3
     WHERE account_number = (SELECT account_number FROM accounts WHERE account_id = ?1) AND slug = ?2
     RETURNING ?1 AS account_id, slug, name, created_at`,
  );
  const usage = usageChanges(database);
  return {
    createProject({ accountId, slug, name, createdAt }, projectsMax) {
      const account = findAccount.get(accountId)?.account_number as number | undefined;
      if (account === undefined) return 'no_account';
      const refused = usage.refuseProject(account, projectsMax);
      if (refused !== undefined) return find.get(account, slug) === undefined ? refused : 'already_exists';
      const project = insert.get(account, slug, encodeText(name), createdAt)?.project_id;
      if (project === undefined) return 'already_exists';
      usage.addProject(account);
      raiseToFloors.changes(project, account, slug);
      raiseToUserFloors.changes(project, account, slug);
      return 'created';
    },
    renameProject(accountId, slug, name) {
      const row = rename.get(accountId, slug, encodeText(name));
      return row && toProject(row);
    },
    ...projectDeletion(database),
  };
}

function projectDeletion(database: DatabaseSync): Pick<Commands, 'deleteProject'> {
  // No row: no such project. Its state and keys refer to this row, so they can no longer be reached.
  const remove = statement(
    database,
    `DELETE FROM projects
     WHERE account_number = (SELECT account_number FROM accounts WHERE account_id = ?1) AND slug = ?2
     RETURNING project_id, account_number, end_users, user_state_bytes`,
  );
  // Any number of rows.
  const removeApiKeys = statement(database, 'DELETE FROM api_keys WHERE project_id = ?');
  // One row for each environment that was written to, or had a floor already.
  const keepFloors = statement(
    database,
    `INSERT INTO version_floors (account_number, slug, environment, version)
     SELECT ?1, ?2, head_key - ?3 * 4, version FROM public_state_heads WHERE head_key BETWEEN ?3 * 4 AND ?3 * 4 + 3
     ON CONFLICT DO UPDATE SET version = excluded.version`,
  );
  // One row for each environment that end users have written to, or that had a floor already.
  const keepUserFloors = statement(
    database,
    `INSERT INTO user_version_floors (account_number, slug, environment, version)
     SELECT ?1, ?2, head_key - ?3 * 4, version_ceiling FROM user_versions WHERE head_key BETWEEN ?3 * 4 AND ?3 * 4 + 3
     ON CONFLICT DO UPDATE SET version = excluded.version`,
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
      removeApiKeys.changes(project);
      keepFloors.changes(account, slug, project);
      orphan.changes(project);
      removeHeads.changes(project);
      keepUserFloors.changes(account, slug, project);
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
