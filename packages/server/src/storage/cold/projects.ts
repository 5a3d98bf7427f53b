/** Projects. */
import type { Page, PageRequest, Project, ProjectKey } from '../management-store.ts';
import { projectName } from '../record-names.ts';
import { beforeFirst, encodeText, pageOf, toProject } from '../rows.ts';
import { all, first, type Steps } from './steps.ts';
import { read, type Setting, write } from './verb.ts';

const columns = 'account_id, slug, projects.name, projects.created_at';

/**
 * Holds a project and its account until the end of the transaction, so that nobody else deletes them, or adds to the project. Gives
 * whether there is such a project.
 */
export function* holdProject({ accountId, slug }: ProjectKey): Steps<boolean> {
  // No row: no such project.
  const row = yield* first(
    `SELECT 1 AS found FROM accounts JOIN projects USING (account_id) WHERE account_id = $1 AND slug = $2 FOR UPDATE`,
    ...[accountId, slug],
  );
  return row !== undefined;
}

function* find(_: Setting, { accountId, slug }: ProjectKey): Steps<Project | undefined> {
  // No row: no such project.
  const row = yield* first(
    `SELECT ${columns} FROM accounts JOIN projects USING (account_id) WHERE account_id = $1 AND slug = $2`,
    ...[accountId, slug],
  );
  return row && toProject(row);
}

function* list(_: Setting, accountId: string, { after, itemsMax }: PageRequest): Steps<Page<Project>> {
  const { createdAt, tie } = after ?? beforeFirst;
  // One row more than the page holds shows whether anything follows.
  const rows = yield* all(
    `SELECT ${columns} FROM accounts JOIN projects USING (account_id)
     WHERE account_id = $1 AND (projects.created_at, slug) < ($2, $3)
     ORDER BY projects.created_at DESC, slug DESC LIMIT $4`,
    ...[accountId, createdAt, tie, itemsMax + 1],
  );
  return pageOf(rows.map(toProject), itemsMax, (item) => ({ createdAt: item.createdAt, tie: item.slug }));
}

function* rename(_: Setting, { accountId, slug }: ProjectKey, name: string): Steps<Project | undefined> {
  // No row: no such project.
  const row = yield* first(
    `UPDATE projects SET name = $3
     WHERE account_id = $1 AND slug = $2 AND EXISTS (SELECT 1 FROM accounts WHERE account_id = $1)
     RETURNING account_id, slug, name, created_at`,
    ...[accountId, slug, encodeText(name)],
  );
  return row && toProject(row);
}

export const projectVerbs = {
  findProject: read(find, { remembers: projectName }),
  listProjects: read(list),
  renameProject: write(rename, { changes: projectName }),
};
