/** The deletion of a player's states: no trace of the player stays in any table or index. */

import { playerName, userStateName } from '../../caches/record-names.ts';
import type { ProjectKey } from '../../contract/projects.ts';
import { ofItsAccount } from '../../contract/read-owner.ts';
import { userScope } from '../../contract/repeats.ts';
import { environmentNames } from '../../rows/environment-numbers.ts';
import { erasedTarget, erasePlayer } from '../audit/audit.ts';
import { type AuditedSetting, audited, unchanged, type WithAuditEntry, withAuditEntry } from '../audit/audited.ts';
import type { ProjectRowKey } from '../engine-sql.ts';
import { removeSignInsOfPlayer } from '../sign-in/user-sign-ins.ts';
import { all, first, type Steps, type Value } from '../steps.ts';
import { scopeHash } from './repeats.ts';

function* remove(
  { engine, by }: AuditedSetting,
  { accountId, slug }: ProjectKey,
  playerId: string,
): Steps<WithAuditEntry<'deleted' | 'absent' | 'no_project'>> {
  // No row: no such project.
  const project = yield* first(
    'SELECT project_id, projects.created_at FROM accounts JOIN projects USING (account_id) WHERE account_id = $1 AND slug = $2',
    [accountId, slug],
  );
  if (project === undefined) return unchanged('no_project');
  yield* erasePlayer(accountId, slug, playerId, by);
  const player = { accountId, slug, playerId, projectId: project.project_id as ProjectRowKey['projectId'] };
  const states = yield* engine.removeUserStates(player);
  const scopes: readonly Value[] = environmentNames.map((environment) =>
    scopeHash(userScope({ ...player, environment }, project.created_at as number)),
  );
  // Any number of rows: the repeatable writes.
  yield* all('DELETE FROM write_repeats WHERE account_id = $1 AND scope IN ($2, $3, $4)', [accountId, ...scopes]);
  const signIns = yield* removeSignInsOfPlayer(engine, player);
  if (states + signIns === 0) return unchanged('absent');
  return withAuditEntry('deleted', { action: 'user_state.delete', target: erasedTarget(slug, by), detail: {} });
}

export const userStateDeletionVerbs = {
  /**
   * Deletes a player's state in all environments of the project in one step, with the player's refresh-token families and authorization
   * codes there. No trace of the player stays in any table or index.
   */
  deleteUserStates: audited(remove, ofItsAccount, {
    changes: (key, playerId) => environmentNames.map((environment) => userStateName({ ...key, environment, playerId })),
    orderedBy: playerName,
    forgets: true,
  }),
};
