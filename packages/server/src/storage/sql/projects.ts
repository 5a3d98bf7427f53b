/** Projects. */
import { type Environment, flagsChecks, type HistorySetting } from '@holdfast/contract';
import { projectChange } from '../caches/access-changes.ts';
import { projectName } from '../caches/record-names.ts';
import type { NewProject, Page, PageRequest, Project, ProjectChanges, ProjectKey } from '../contract/management.ts';
import type { QuotaReached } from '../contract/usage.ts';
import { integerAt, jsonAt, optionalIntegerAt, textAt, wordAt } from '../rows/columns.ts';
import { requiredApprovalsAt } from '../rows/proposal-rows.ts';
import { beforeFirst, decodeText, encodeText, environmentNames, pageOf, type Row } from '../rows/rows.ts';
import { created, differing, removed } from './audit-detail.ts';
import { audited, unchanged, type WithAuditEntry, withAuditEntry } from './audited.ts';
import { lockAccount } from './locks.ts';
import { all, first, type Steps } from './steps.ts';
import { projectDeletions } from './tables.ts';
import { type ProjectRowKey, read, type Setting } from './verb.ts';

export const projectColumns =
  'account_id, slug, projects.name, projects.created_at, protected_environments, flags_check, public_state_history, required_approvals';

/** Returns the project of a row with these columns. */
export const toProject = (row: Row): Project => ({
  accountId: textAt(row, 'account_id'),
  slug: textAt(row, 'slug'),
  name: decodeText(row.name),
  createdAt: integerAt(row, 'created_at'),
  protectedEnvironments: jsonAt<Environment[]>(row, 'protected_environments'),
  flagsCheck: wordAt(row, 'flags_check', flagsChecks),
  publicStateHistory: row.public_state_history === null ? null : jsonAt<HistorySetting>(row, 'public_state_history'),
  requiredApprovals: requiredApprovalsAt(row),
});

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
  { quotas, engine }: Setting,
  { accountId, slug, name, createdAt }: NewProject,
): Steps<WithAuditEntry<'created' | 'already_exists' | 'no_account' | QuotaReached>> {
  // Projects of one account are created one after the other.
  const account = yield* lockAccount(accountId);
  if (account === undefined) return unchanged('no_account');
  // No row: the slug is free.
  const taken = yield* first('SELECT 1 AS found FROM projects WHERE account_id = $1 AND slug = $2', [accountId, slug]);
  if (taken !== undefined) return unchanged('already_exists');
  const used = integerAt(account, 'projects');
  const limit = optionalIntegerAt(account, 'projects_max') ?? quotas.projects;
  if (limit > 0 && used >= limit) return unchanged({ kind: 'quota', quota: 'projects', limit, used });
  // One row each, always.
  const row = yield* first(
    'INSERT INTO projects (account_id, slug, name, created_at) VALUES ($1, $2, $3, $4) RETURNING project_id',
    [accountId, slug, encodeText(name), createdAt],
  );
  yield* all('UPDATE accounts SET projects = projects + 1 WHERE account_id = $1', [accountId]);
  yield* engine.openProject({ accountId, slug, projectId: row?.project_id as ProjectRowKey['projectId'] });
  return withAuditEntry('created', { action: 'project.create', target: projectTarget(slug), detail: created({ name }) });
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

function* remove({ engine }: Setting, { accountId, slug }: ProjectKey): Steps<WithAuditEntry<'deleted' | 'absent'>> {
  // The account is locked before the project, as in a creation.
  if ((yield* lockAccount(accountId)) === undefined) return unchanged('absent');
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
  const detail = removed({ name: decodeText(project.name) });
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
  const { name, protectedEnvironments, flagsCheck, publicStateHistory } = changes;
  const before = yield* find(setting, { accountId, slug });
  if (before === undefined) return unchanged(undefined);
  const requiredApprovals = changes.requiredApprovals && { ...before.requiredApprovals, ...changes.requiredApprovals };
  const isLowered = environmentNames.some(
    (one) => (requiredApprovals ?? before.requiredApprovals)[one] < before.requiredApprovals[one],
  );
  if (isLowered && !mayLowerApprovals) return unchanged('may_not_lower');
  // One row, always: a deletion waits for the account.
  const row = yield* first(
    `UPDATE projects SET name = coalesce(CAST($3 AS text), name),
       protected_environments = coalesce(CAST($4 AS text), protected_environments),
       flags_check = coalesce(CAST($5 AS text), flags_check),
       public_state_history = CASE WHEN CAST($6 AS bigint) = 1 THEN CAST($7 AS text) ELSE public_state_history END,
       required_approvals = coalesce(CAST($8 AS text), required_approvals)
     WHERE account_id = $1 AND slug = $2 AND EXISTS (SELECT 1 FROM accounts WHERE account_id = $1)
     RETURNING ${projectColumns}`,
    [
      accountId,
      slug,
      name === undefined ? null : encodeText(name),
      protectedEnvironments === undefined ? null : JSON.stringify(protectedEnvironments),
      flagsCheck ?? null,
      publicStateHistory === undefined ? 0 : 1,
      publicStateHistory == null ? null : JSON.stringify(publicStateHistory),
      requiredApprovals === undefined ? null : JSON.stringify(requiredApprovals),
    ],
  );
  const detail = differing({ ...before }, { ...changes, ...(requiredApprovals && { requiredApprovals }) });
  return withAuditEntry(row && toProject(row), { action: 'project.update', target: projectTarget(slug), detail });
}

export const projectVerbs = {
  createProject: audited(create),
  /**
   * Deletes the project with its state and API keys; none of it can be read once this resolves. A project created later under the same key
   * starts its versions above every version of this one.
   */
  deleteProject: audited(remove, {
    changes: projectName,
    invalidates: projectChange,
    isWithoutEffect: (outcome) => outcome === 'absent',
    forgets: true,
  }),
  findProject: read(find, { remembers: projectName }),
  /** Newest first; `tie` is the slug. */
  listProjects: read(list),
  /**
   * Returns the changed project; undefined if it does not exist. `may_not_lower`: fewer approvals would be required, which is only done if
   * `mayLowerApprovals` is true, the default. Changing protected environments, required approvals or the check of flags is an access change.
   */
  updateProject: audited(update, {
    changes: projectName,
    invalidates: (key, { protectedEnvironments, flagsCheck, requiredApprovals }) =>
      protectedEnvironments === undefined && flagsCheck === undefined && requiredApprovals === undefined
        ? undefined
        : projectChange(key),
    isWithoutEffect: (outcome) => outcome === undefined || outcome === 'may_not_lower',
  }),
};
