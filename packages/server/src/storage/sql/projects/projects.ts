/** Projects. */

import { isDeepStrictEqual } from 'node:util';
import { projectChange } from '../../caches/access-changes.ts';
import { projectName } from '../../caches/record-names.ts';
import type { Page, PageRequest } from '../../contract/pages.ts';
import {
  changedProject,
  type DeletionRights,
  deletionObstacle,
  namedProjectFields,
  type Project,
  type ProjectChanges,
  type ProjectFieldName,
  type ProjectKey,
} from '../../contract/projects.ts';
import { ofAccount, ofItsAccount } from '../../contract/read-owner.ts';
import type { QuotaReached } from '../../contract/usage.ts';
import { decodedTextAt, integerAt, optionalIntegerAt } from '../../rows/columns.ts';
import { environmentNames } from '../../rows/environment-numbers.ts';
import { beforeFirst, pageOf } from '../../rows/pages.ts';
import { projectColumn, projectColumns, toProject } from '../../rows/project-rows.ts';
import { created, differing, removed } from '../audit/audit-detail.ts';
import { audited, unchanged, type WithAuditEntry, withAuditEntry } from '../audit/audited.ts';
import type { ProjectRowKey } from '../engine-sql.ts';
import { projectDeletions } from '../schema/tables.ts';
import { all, first, one, type Steps } from '../steps.ts';
import { largeRead, type Setting, smallRead } from '../verb.ts';

/** SQL: the fields' columns, and what sets them from `$4` or `$3` on. */
const columns = namedProjectFields.map(([, { column }]) => column);
const insertion = `INSERT INTO projects (account_id, slug, created_at, ${columns.join(', ')})
  VALUES ($1, $2, $3, ${columns.map((_, index) => `$${index + 4}`).join(', ')}) RETURNING project_id`;
const assignments = columns.map((column, index) => `${column} = $${index + 3}`).join(', ');

/** Returns the fields of a new project whose value is not the default. */
const chosenIn = (project: Project): Partial<Pick<Project, ProjectFieldName>> =>
  Object.fromEntries(
    namedProjectFields.flatMap(([name, { default: byDefault }]) =>
      isDeepStrictEqual(project[name], byDefault) ? [] : [[name, project[name]]],
    ),
  );

const valuesOf = (project: Project) => namedProjectFields.map(([name]) => projectColumn(name, project[name]));

/** The path of a project below its account. */
export const projectTarget = (slug: string): string => `projects/${slug}`;

/**
 * Locks a project and its account until the end of the transaction, so that no concurrent step deletes them or adds to the project. Returns
 * whether there is such a project.
 */
export function* lockProject({ accountId, slug }: ProjectKey): Steps<boolean> {
  // No row: no such project.
  const row = yield* first(
    `SELECT 1 AS found FROM accounts JOIN projects USING (account_id) WHERE account_id = $1 AND slug = $2 FOR UPDATE`,
    [accountId, slug],
  );
  return row !== undefined;
}

function* create(
  { quotas, engine, account }: Setting,
  project: Project,
): Steps<WithAuditEntry<'created' | 'already_exists' | 'no_account' | QuotaReached>> {
  const { accountId, slug, createdAt } = project;
  if (account === undefined) return unchanged('no_account');
  // No row: the slug is free.
  const taken = yield* first('SELECT 1 AS found FROM projects WHERE account_id = $1 AND slug = $2', [accountId, slug]);
  if (taken !== undefined) return unchanged('already_exists');
  const used = integerAt(account, 'projects');
  const limit = optionalIntegerAt(account, 'projects_max') ?? quotas.projects;
  if (limit > 0 && used >= limit) return unchanged({ kind: 'quota', quota: 'projects', limit, used });
  // One row each, always.
  const row = yield* first(insertion, [accountId, slug, createdAt, ...valuesOf(project)]);
  yield* all('UPDATE accounts SET projects = projects + 1 WHERE account_id = $1', [accountId]);
  yield* engine.openProject({ accountId, slug, projectId: row?.project_id as ProjectRowKey['projectId'] });
  const entry = { action: 'project.create', target: projectTarget(slug), detail: created(chosenIn(project)) } as const;
  return withAuditEntry('created', entry);
}

/** Removes the schemas of a project that is being deleted; schemas of the next project with its name continue above their versions. */
function* removeSchemas({ accountId, slug }: ProjectKey): Steps<void> {
  // One row for each environment that had a schema.
  yield* all(
    `INSERT INTO version_floors (account_id, slug, environment, version, user_version, schema_version)
     SELECT account_id, slug, environment, 0, 0, max(version) FROM shapes WHERE account_id = $1 AND slug = $2
     GROUP BY account_id, slug, environment
     ON CONFLICT (account_id, slug, environment) DO UPDATE SET schema_version = excluded.schema_version`,
    [accountId, slug],
  );
  // One row each, always. The account is locked.
  const row = yield* first('SELECT coalesce(sum(bytes), 0) AS bytes FROM shapes WHERE account_id = $1 AND slug = $2', [
    accountId,
    slug,
  ]);
  const sql = 'UPDATE accounts SET schema_bytes = schema_bytes - $2 WHERE account_id = $1';
  yield* all(sql, [accountId, Number(row?.bytes)]);
}

/** Proposals are deleted with their project. */
function* uncountProposals({ accountId, slug }: ProjectKey): Steps<void> {
  // One row each, always.
  const row = yield* first('SELECT coalesce(sum(bytes), 0) AS bytes FROM proposals WHERE account_id = $1 AND slug = $2', [
    accountId,
    slug,
  ]);
  yield* all('UPDATE accounts SET proposal_bytes = proposal_bytes + $2 WHERE account_id = $1', [
    accountId,
    -Number(row?.bytes),
  ]);
}

function* remove(
  setting: Setting,
  { accountId, slug }: ProjectKey,
  rights: DeletionRights = { withApprovals: true, withProtection: true },
): Steps<WithAuditEntry<'deleted' | 'absent' | 'needs_approvals' | 'is_protected'>> {
  const { engine, account } = setting;
  if (account === undefined) return unchanged('absent');
  const current = yield* find(setting, { accountId, slug });
  const obstacle = current && deletionObstacle(current, rights);
  if (obstacle !== undefined) return unchanged(obstacle);
  // No row: no such project.
  const project = yield* first('SELECT project_id, name FROM projects WHERE account_id = $1 AND slug = $2 FOR UPDATE', [
    accountId,
    slug,
  ]);
  if (project === undefined) return unchanged('absent');
  yield* engine.closeProject({ accountId, slug, projectId: project.project_id as ProjectRowKey['projectId'] });
  yield* removeSchemas({ accountId, slug });
  // Any number of rows each.
  yield* uncountProposals({ accountId, slug });
  for (const sql of projectDeletions) yield* all(sql, [accountId, slug]);
  // One row each, always. States, versions and sign-ins refer to the row of the project, so they can no longer be reached.
  yield* all('DELETE FROM projects WHERE account_id = $1 AND slug = $2', [accountId, slug]);
  yield* all('UPDATE accounts SET projects = projects - 1 WHERE account_id = $1', [accountId]);
  const detail = removed({ name: decodedTextAt(project, 'name') });
  return withAuditEntry('deleted', { action: 'project.delete', target: projectTarget(slug), detail });
}

function* find(_: Setting, { accountId, slug }: ProjectKey): Steps<Project | undefined> {
  // No row: no such project.
  const row = yield* first(
    `SELECT ${projectColumns} FROM accounts JOIN projects USING (account_id) WHERE account_id = $1 AND slug = $2`,
    [accountId, slug],
  );
  return row && toProject(row);
}

function* list(_: Setting, accountId: string, { after, itemsMax }: PageRequest): Steps<Page<Project>> {
  const { createdAt, tie } = after ?? beforeFirst;
  // One row more than the page holds shows whether anything follows.
  const rows = yield* all(
    `SELECT ${projectColumns} FROM accounts JOIN projects USING (account_id)
     WHERE account_id = $1 AND (projects.created_at, slug) < ($2, $3)
     ORDER BY projects.created_at DESC, slug DESC LIMIT $4`,
    [accountId, createdAt, tie, itemsMax + 1],
  );
  return pageOf(rows.map(toProject), itemsMax, (item) => ({ createdAt: item.createdAt, tie: item.slug }));
}

function* update(
  setting: Setting,
  { accountId, slug }: ProjectKey,
  changes: ProjectChanges,
  mayLowerApprovals = true,
): Steps<WithAuditEntry<Project | 'may_not_lower' | undefined>> {
  const before = yield* find(setting, { accountId, slug });
  if (before === undefined) return unchanged(undefined);
  const after = changedProject(before, changes);
  const isLowered = environmentNames.some((one) => after.requiredApprovals[one] < before.requiredApprovals[one]);
  if (isLowered && !mayLowerApprovals) return unchanged('may_not_lower');
  // Deletions and other changes wait for the account, which is locked.
  const row = yield* one(
    `UPDATE projects SET ${assignments}
     WHERE account_id = $1 AND slug = $2 AND EXISTS (SELECT 1 FROM accounts WHERE account_id = $1)
     RETURNING ${projectColumns}`,
    [accountId, slug, ...valuesOf(after)],
  );
  const { accountId: _account, slug: _slug, createdAt: _at, ...settings } = after;
  const detail = differing({ ...before }, settings);
  return withAuditEntry(toProject(row), { action: 'project.update', target: projectTarget(slug), detail });
}

export const projectVerbs = {
  createProject: audited(create, ofItsAccount),
  /**
   * Deletes the project with its state and API keys; none of it can be read once this resolves. A project created later under the same key
   * starts its versions above every version of this one. `needs_approvals`, `is_protected`: nothing was deleted, as the rights, by default
   * all, do not suffice for the project as it now is.
   */
  deleteProject: audited(remove, ofItsAccount, {
    changes: projectName,
    invalidates: projectChange,
    isWithoutEffect: (outcome) => outcome !== 'deleted',
    forgets: true,
  }),
  findProject: smallRead(find, { remembers: projectName }),
  /** Newest first; `tie` is the slug. */
  listProjects: largeRead(list, ofAccount),
  /**
   * Returns the changed project; undefined if it does not exist. `may_not_lower`: fewer approvals would be required, which is only done if
   * `mayLowerApprovals` is true, the default. Changing a field with `isAccess` is an access change.
   */
  updateProject: audited(update, ofItsAccount, {
    changes: projectName,
    invalidates: (key, changes) =>
      namedProjectFields.some(([name, { isAccess }]) => isAccess && changes[name] !== undefined)
        ? projectChange(key)
        : undefined,
    isWithoutEffect: (outcome) => outcome === undefined || outcome === 'may_not_lower',
  }),
};
