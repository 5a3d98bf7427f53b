/** Erasing a player: saves, sessions, what signs the player in, and the name in the audit trail. @see docs/contract.md §8.12 */
import { playerChange } from '../access-changes.ts';
import { isGuestId } from '../guest-ids.ts';
import type { DeletionScope } from '../player-store.ts';
import { endUserName, userStateName } from '../record-names.ts';
import { userScope } from '../repeat-scopes.ts';
import { decodeText, encodeText, environmentNames } from '../rows.ts';
import { erasedTarget, erasePlayer } from './audit.ts';
import { type AuditedSetting, audited, type Told, told, unchanged } from './audited.ts';
import { isBlockedAnywhere } from './player-blocks.ts';
import { endPlayer } from './player-endings.ts';
import { findPlayers } from './player-search.ts';
import { findProject } from './players.ts';
import { scopeHash } from './scope-hash.ts';
import { all, type Steps } from './steps.ts';
import { removeUser } from './users.ts';
import type { Setting } from './verb.ts';

function* remove(setting: AuditedSetting, key: DeletionScope, endUserId: string): Steps<Told<'deleted' | 'no_project'>> {
  const { own, by } = setting;
  const { accountId, slug, environment } = key;
  const project = yield* findProject(key);
  if (project === undefined) return unchanged('no_project');
  const isKnown = (yield* findPlayers(setting, key, [endUserId], by.at)).length > 0;
  // The token of a guest without a state ends too.
  if (isKnown || by.actor.kind === 'end_user') yield* endPlayer(setting, key, endUserId, by.at);
  const endUser = { ...project, endUserId };
  yield* own.removeUserStates(endUser, environment);
  // Any number of rows: writes that could be repeated.
  for (const one of environment === null ? environmentNames : [environment]) {
    const scope = scopeHash(userScope({ accountId, slug, environment: one, endUserId }, project.createdAt));
    yield* all('DELETE FROM write_repeats WHERE account_id = $1 AND scope = $2', [accountId, scope]);
  }
  yield* own.removeSignInsOfEndUser(endUser, environment);
  const isNobody = yield* removeIdentity(setting, accountId, endUserId, by.at);
  if (isNobody || environment === null) yield* erasePlayer(accountId, slug, endUserId, by);
  if (!isKnown) return unchanged('deleted');
  return told('deleted', { action: 'player.delete', target: erasedTarget(slug, by), detail: {} });
}

/**
 * Deletes what signs a player in, when no project of the account has a state of the player, and none blocks the player. Returns whether the
 * player is nobody then.
 */
function* removeIdentity(setting: Setting, accountId: string, endUserId: string, now: number): Steps<boolean> {
  if (yield* isBlockedAnywhere(accountId, endUserId, now)) return false;
  if (yield* setting.own.hasStates(accountId, endUserId)) return false;
  // A row for each provider that the player signed in by.
  const removed = yield* all('DELETE FROM identities WHERE account_id = $1 AND end_user_id = $2 RETURNING subject', [
    accountId,
    encodeText(endUserId),
  ]);
  const subjects = new Set([endUserId, ...removed.map((row) => decodeText(row.subject))]);
  for (const subject of subjects) yield* removeUser(setting, accountId, subject);
  yield* unlink(accountId, endUserId);
  return true;
}

/** The keys of guests who became the player stay retired: their ids are kept, which say nothing but that. */
function* unlink(accountId: string, endUserId: string): Steps<void> {
  const player = encodeText(endUserId);
  // Any number of rows: whatever stands for the player, or was one before.
  const rows = yield* all('SELECT subject FROM player_links WHERE account_id = $1 AND (subject = $2 OR player_id = $2)', [
    accountId,
    player,
  ]);
  for (const { subject } of rows) {
    // At most one row each; none for a guest who stands for somebody else.
    yield* isGuestId(decodeText(subject))
      ? all('UPDATE player_links SET player_id = subject WHERE account_id = $1 AND subject = $2 AND player_id = $3', [
          accountId,
          subject as string,
          player,
        ])
      : all('DELETE FROM player_links WHERE account_id = $1 AND subject = $2', [accountId, subject as string]);
  }
}

export const erasureVerbs = {
  deletePlayer: audited(remove, {
    takes: playerChange,
    changes: ({ accountId, slug }, endUserId) =>
      environmentNames.map((environment) => userStateName({ accountId, slug, environment, endUserId })),
    orderedBy: endUserName,
    forgets: true,
  }),
};
