/** Erasing a player: saves, sessions, what signs the player in, and the name in the audit trail. @see docs/contract.md §8.12 */
import { playerChange } from '../access-changes.ts';
import { textAt } from '../columns.ts';
import type { DeletionScope } from '../player-store.ts';
import { endUserName, userStateName } from '../record-names.ts';
import { userScope } from '../repeat-scopes.ts';
import { decodeText, encodeText, environmentNames } from '../rows.ts';
import { erasedTarget, erasePlayer } from './audit.ts';
import { created } from './audit-detail.ts';
import { type AuditedSetting, audited, unchanged, type WithAuditEntry, withAuditEntry } from './audited.ts';
import { isBlockedAnywhere } from './player-blocks.ts';
import { endPlayer, haveTokensEnded } from './player-endings.ts';
import { findPlayers } from './player-search.ts';
import { findProject } from './players.ts';
import { scopeHash } from './scope-hash.ts';
import { all, first, type Steps } from './steps.ts';
import { removeUser } from './users.ts';
import { type Setting, write } from './verb.ts';

type Outcome = 'deleted' | 'links_left' | 'no_project' | 'token_ended';

function* remove(setting: AuditedSetting, key: DeletionScope, endUserId: string): Steps<WithAuditEntry<Outcome>> {
  const { engine, by } = setting;
  const { accountId, slug, environment, token, idHash } = key;
  const project = yield* findProject(key);
  if (project === undefined) return unchanged('no_project');
  if (token !== undefined && (yield* haveTokensEnded({ ...key, ...token, endUserId }, token.epoch)))
    return unchanged('token_ended');
  const isKnown = (yield* findPlayers(setting, key, [endUserId], by.at)).length > 0;
  // Whoever has a token need not have a row: a guest without a save has none.
  yield* endPlayer(setting, key, endUserId, by.at);
  const endUser = { ...project, endUserId };
  yield* engine.removeUserStates(endUser, environment);
  // Any number of rows: writes that could be repeated.
  for (const one of environment === null ? environmentNames : [environment]) {
    const scope = scopeHash(userScope({ accountId, slug, environment: one, endUserId }, project.createdAt));
    yield* all('DELETE FROM write_repeats WHERE account_id = $1 AND scope = $2', [accountId, scope]);
  }
  yield* engine.removeSignInsOfEndUser(endUser, environment);
  const identity = yield* removeIdentity(setting, accountId, endUserId, by.at);
  if (identity !== 'stays' || environment === null) yield* erasePlayer(accountId, slug, endUserId, by);
  const outcome = identity === 'links_left' ? 'links_left' : 'deleted';
  if (!isKnown) return unchanged(outcome);
  const detail = idHash === undefined ? {} : created({ idHash });
  return withAuditEntry(outcome, { action: 'player.delete', target: erasedTarget(slug, by), detail });
}

/**
 * Deletes what signs a player in, when no project of the account has a state of the player, and none blocks the player. Says whether all
 * links of the player are gone with it.
 */
function* removeIdentity(
  setting: Setting,
  accountId: string,
  endUserId: string,
  now: number,
): Steps<'stays' | 'removed' | 'links_left'> {
  if (yield* isBlockedAnywhere(accountId, endUserId, now)) return 'stays';
  if (yield* setting.engine.hasStates(accountId, endUserId)) return 'stays';
  // A row for each provider that the player signed in by.
  const removed = yield* all('DELETE FROM identities WHERE account_id = $1 AND end_user_id = $2 RETURNING subject', [
    accountId,
    encodeText(endUserId),
  ]);
  const subjects = new Set([endUserId, ...removed.map((row) => decodeText(row.subject))]);
  for (const subject of subjects) yield* removeUser(setting, accountId, subject, now);
  return (yield* unlink(setting, accountId, endUserId)) ? 'links_left' : 'removed';
}

/** Links of former guests of one player that one transaction changes. */
const linksMax = 2_000;

/**
 * Removes the links of a player, at most `linksMax` of former guests. Their keys stay retired: their ids are kept, which say nothing but that.
 * Returns whether there may be more of them.
 */
function* unlink({ engine }: Setting, accountId: string, endUserId: string): Steps<boolean> {
  const player = encodeText(endUserId);
  // Any number of rows, few: the identities that sign the player in, and what the player stands for.
  yield* all(
    `DELETE FROM player_links WHERE account_id = $1 AND (subject = $2 OR player_id = $2) AND NOT ${engine.isGuest('subject')}`,
    [accountId, player],
  );
  // No row: there are not so many former guests. Their rows are looked at in the order of the key, so that no statement has to join them.
  const next = yield* first(
    `SELECT subject FROM player_links WHERE account_id = $1 AND player_id = $2 AND subject <> $2
     ORDER BY subject LIMIT 1 OFFSET ${linksMax}`,
    [accountId, player],
  );
  // A row for each former guest below that one.
  yield* all(
    `UPDATE player_links SET player_id = subject WHERE account_id = $1 AND player_id = $2 AND subject <> $2
     AND (CAST($3 AS text) IS NULL OR subject < $3)`,
    [accountId, player, next === undefined ? null : textAt(next, 'subject')],
  );
  return next !== undefined;
}

export const erasureVerbs = {
  deletePlayer: audited(remove, {
    takes: playerChange,
    changes: ({ accountId, slug }, endUserId) =>
      environmentNames.map((environment) => userStateName({ accountId, slug, environment, endUserId })),
    orderedBy: endUserName,
    forgets: true,
  }),
  unlinkErased: write(unlink, { forgets: true }),
};
