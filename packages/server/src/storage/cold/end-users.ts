/** The deletion of end users: no table and no index keeps anything of them. */
import type { ProjectKey } from '../management-store.ts';
import { endUserName, userStateName } from '../record-names.ts';
import { userScopes } from '../repeat-scopes.ts';
import { environmentNames } from '../rows.ts';
import { scopeHash } from './scope-hash.ts';
import { all, first, type Steps, type Value } from './steps.ts';
import { type ProjectRowKey, type Setting, write } from './verb.ts';

function* remove(
  { own }: Setting,
  { accountId, slug }: ProjectKey,
  endUserId: string,
): Steps<'deleted' | 'absent' | 'no_project'> {
  // No row: no such project.
  const project = yield* first(
    'SELECT project_id, projects.created_at FROM accounts JOIN projects USING (account_id) WHERE account_id = $1 AND slug = $2',
    [accountId, slug],
  );
  if (project === undefined) return 'no_project';
  const endUser = { accountId, slug, endUserId, projectId: project.project_id as ProjectRowKey['projectId'] };
  const states = yield* own.removeUserStates(endUser);
  const scopes: readonly Value[] = userScopes(endUser, project.created_at as number).map(scopeHash);
  // Any number of rows: writes that could be repeated.
  yield* all('DELETE FROM write_repeats WHERE account_id = $1 AND scope IN ($2, $3, $4)', [accountId, ...scopes]);
  const signIns = yield* own.removeSignInsOfEndUser(endUser);
  return states + signIns === 0 ? 'absent' : 'deleted';
}

export const endUserVerbs = {
  deleteEndUser: write(remove, {
    changes: (key, endUserId) => environmentNames.map((environment) => userStateName({ ...key, environment, endUserId })),
    orderedBy: endUserName,
    forgets: true,
  }),
};
