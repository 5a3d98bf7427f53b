/** Erases a player: user states, sessions, sign-in methods, and the name in the audit trail. @see docs/contract.md §8.12 */
import { playerChange } from '../../caches/access-changes.ts';
import { playerName, userStateName } from '../../caches/record-names.ts';
import type { DeletionScope } from '../../contract/players.ts';
import { ofItsAccount } from '../../contract/read-owner.ts';
import { userScope } from '../../contract/repeats.ts';
import { decodedTextAt, textAt } from '../../rows/columns.ts';
import { environmentNames } from '../../rows/environment-numbers.ts';
import { encodeText } from '../../rows/stored-texts.ts';
import { erasedTarget, erasePlayer } from '../audit/audit.ts';
import { created } from '../audit/audit-detail.ts';
import { type AuditedSetting, audited, unchanged, type WithAuditEntry, withAuditEntry } from '../audit/audited.ts';
import { removeSignInsOfPlayer } from '../sign-in/user-sign-ins.ts';
import { scopeHash } from '../states/repeats.ts';
import { hasUserStates } from '../states/user-state-rows.ts';
import { all, first, type Steps } from '../steps.ts';
import { removeUser } from '../users/users.ts';
import { type Setting, write } from '../verb.ts';
import { eventAuthor, storeEvent } from '../webhooks/webhook-queue.ts';
import { isBlockedAnywhere } from './player-blocks.ts';
import { findProject } from './player-restrictions.ts';
import { areTokensRevoked, revokePlayerTokens } from './player-revocations.ts';
import { findPlayers } from './player-search.ts';
import { removeWords } from './player-words.ts';
import { forgetSignIns } from './project-players.ts';

type Outcome = 'deleted' | 'links_left' | 'no_project' | 'token_ended';

function* remove(setting: AuditedSetting, key: DeletionScope, playerId: string): Steps<WithAuditEntry<Outcome>> {
  const { engine, by } = setting;
  const { accountId, slug, environment, token, idHash } = key;
  const project = yield* findProject(key);
  if (project === undefined) return unchanged('no_project');
  if (token !== undefined && (yield* areTokensRevoked({ ...key, ...token, playerId }, token.epoch)))
    return unchanged('token_ended');
  const isKnown = (yield* findPlayers(setting, key, [playerId], by.at)).length > 0;
  // A player with a token may have no row: a guest without a user state has none.
  yield* revokePlayerTokens(setting, key, playerId, by.at);
  const player = { ...project, playerId };
  yield* engine.removeUserStates(player, environment);
  // Any number of rows: the repeatable writes.
  for (const one of environment === null ? environmentNames : [environment]) {
    const scope = scopeHash(userScope({ accountId, slug, environment: one, playerId }, project.createdAt));
    yield* all('DELETE FROM write_repeats WHERE account_id = $1 AND scope = $2', [accountId, scope]);
  }
  yield* removeSignInsOfPlayer(engine, player, environment);
  if (environment === null) yield* forgetSignIns(accountId, playerId, slug);
  const identity = yield* removeIdentity(setting, accountId, playerId, by.at);
  if (identity !== 'stays' || environment === null) yield* erasePlayer(accountId, slug, playerId, by);
  const outcome = identity === 'links_left' ? 'links_left' : 'deleted';
  if (!isKnown) return unchanged(outcome);
  const data = { endUserId: playerId, ...(environment !== null && { environment }), author: eventAuthor(by) };
  yield* storeEvent({ accountId, slug }, { type: 'player.erased', at: by.at, data });
  const detail = idHash === undefined ? {} : created({ idHash });
  return withAuditEntry(outcome, { action: 'player.delete', target: erasedTarget(slug, by), detail });
}

/**
 * Deletes a player's sign-in methods if no project of the account has a state of the player or blocks the player. Returns whether all links
 * of the player were deleted too.
 */
function* removeIdentity(
  setting: Setting,
  accountId: string,
  playerId: string,
  now: number,
): Steps<'stays' | 'removed' | 'links_left'> {
  if (yield* isBlockedAnywhere(accountId, playerId, now)) return 'stays';
  if (yield* hasUserStates(setting, accountId, playerId)) return 'stays';
  // A row for each provider that the player signed in through.
  const removed = yield* all('DELETE FROM identities WHERE account_id = $1 AND end_user_id = $2 RETURNING subject', [
    accountId,
    encodeText(playerId),
  ]);
  for (const subject of new Set(removed.map((row) => textAt(row, 'subject')))) yield* removeWords(accountId, subject);
  yield* forgetSignIns(accountId, playerId, null);
  const subjects = new Set([playerId, ...removed.map((row) => decodedTextAt(row, 'subject'))]);
  for (const subject of subjects) yield* removeUser(setting, accountId, subject, now);
  return (yield* unlink(setting, accountId, playerId)) ? 'links_left' : 'removed';
}

/** Links of former guests of one player that one transaction changes. */
const linksMax = 2_000;

/**
 * Removes the links of a player, at most `linksMax` of former guests. Their keys stay retired: only their ids are kept, which reveal
 * nothing else. Returns whether more may be left.
 */
function* unlink({ engine }: Setting, accountId: string, playerId: string): Steps<boolean> {
  const player = encodeText(playerId);
  // A few rows: the identities that sign the player in, and the player's own link.
  yield* all(
    `DELETE FROM player_links WHERE account_id = $1 AND (subject = $2 OR player_id = $2) AND NOT ${engine.isGuest('subject')}`,
    [accountId, player],
  );
  // No row: there are fewer former guests. Their rows are read in key order, so that no statement has to join them.
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
  /**
   * Deletes all data of a player in a project or one of its environments, and ends the player's tokens there, whether or not anything is
   * stored. The identity is also deleted if no project of the account has a state or block for it. Blocks stay. `links_left`: all of this
   * is done, but rows of former guests may still name the player, for `unlinkErased` to remove.
   */
  deletePlayer: audited(remove, ofItsAccount, {
    invalidates: playerChange,
    changes: ({ accountId, slug }, playerId) =>
      environmentNames.map((environment) => userStateName({ accountId, slug, environment, playerId })),
    orderedBy: playerName,
    forgets: true,
  }),
  /** Removes links from former guests to an erased player, some thousands per call. Returns whether more may be left. */
  unlinkErased: write(unlink, { forgets: true }),
};
