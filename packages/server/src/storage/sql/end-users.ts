/** The deletion of end users: no table and no index keeps anything of them. */
import type { ProjectKey } from '../management-store.ts';
import { endUserName, userStateName } from '../record-names.ts';
import { userScopes } from '../repeat-scopes.ts';
import { environmentNames } from '../rows.ts';
import { erasedTarget, erasePlayer } from './audit.ts';
import { type AuditedSetting, audited, unchanged, type WithAuditEntry, withAuditEntry } from './audited.ts';
import { scopeHash } from './scope-hash.ts';
import { all, first, type Steps, type Value } from './steps.ts';
import type { ProjectRowKey } from './verb.ts';

function* remove(
  { engine, by }: AuditedSetting,
  { accountId, slug }: ProjectKey,
  endUserId: string,
): Steps<WithAuditEntry<'deleted' | 'absent' | 'no_project'>> {
  // No row: no such project.
  const project = yield* first(
    'SELECT project_id, projects.created_at FROM accounts JOIN projects USING (account_id) WHERE account_id = $1 AND slug = $2',
    [accountId, slug],
  );
  if (project === undefined) return unchanged('no_project');
  yield* erasePlayer(accountId, slug, endUserId, by);
  const endUser = { accountId, slug, endUserId, projectId: project.project_id as ProjectRowKey['projectId'] };
  const states = yield* engine.removeUserStates(endUser);
  const scopes: readonly Value[] = userScopes(endUser, project.created_at as number).map(scopeHash);
  // Any number of rows: writes that could be repeated.
  yield* all('DELETE FROM write_repeats WHERE account_id = $1 AND scope IN ($2, $3, $4)', [accountId, ...scopes]);
  const signIns = yield* engine.removeSignInsOfEndUser(endUser);
  if (states + signIns === 0) return unchanged('absent');
  return withAuditEntry('deleted', { action: 'user_state.delete', target: erasedTarget(slug, by), detail: {} });
}

export const endUserVerbs = {
  deleteEndUser: audited(remove, {
    changes: (key, endUserId) => environmentNames.map((environment) => userStateName({ ...key, environment, endUserId })),
    orderedBy: endUserName,
    forgets: true,
  }),
};
