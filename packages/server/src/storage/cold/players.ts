/** What developers do to players: blocks, sessions, deletion. */
import { playerChange } from '../access-changes.ts';
import { isGuestId } from '../guest-ids.ts';
import type { ProjectKey } from '../management-store.ts';
import type { DeletionScope, NewPlayerBlock, PlayerBlock } from '../player-store.ts';
import { endUserName, userStateName } from '../record-names.ts';
import { userScope } from '../repeat-scopes.ts';
import { decodeText, encodeText, environmentNames } from '../rows.ts';
import { type AuditEntry, erasedTarget, erasePlayer } from './audit.ts';
import { made } from './audit-detail.ts';
import { type AuditedSetting, audited, type Told, told, unchanged } from './audited.ts';
import { isBlockedAnywhere, removeBlock, writeBlock } from './player-blocks.ts';
import { endPlayer } from './player-endings.ts';
import { findPlayers } from './player-search.ts';
import { scopeHash } from './scope-hash.ts';
import { all, first, type Steps } from './steps.ts';
import { removeUser } from './users.ts';
import { type ProjectRowKey, type Setting, write } from './verb.ts';

/** The path of a player in the audit trail, below the account. */
const targetOf = (slug: string, endUserId: string): Pick<AuditEntry, 'target' | 'player'> => ({
  target: `projects/${slug}/players/${encodeURIComponent(endUserId.toWellFormed())}`,
  player: { slug, endUserId },
});

/** A project that exists; its account is held. */
function* findProject({
  accountId,
  slug,
}: ProjectKey): Steps<(ProjectRowKey & { readonly createdAt: number }) | undefined> {
  // No row: no such project.
  const row = yield* first(
    'SELECT project_id, projects.created_at FROM accounts JOIN projects USING (account_id) WHERE account_id = $1 AND slug = $2',
    [accountId, slug],
  );
  return (
    row && { accountId, slug, projectId: row.project_id as ProjectRowKey['projectId'], createdAt: row.created_at as number }
  );
}

function* block(
  setting: AuditedSetting,
  key: ProjectKey,
  endUserId: string,
  next: NewPlayerBlock,
): Steps<Told<PlayerBlock | 'unknown' | 'no_project'>> {
  const { at } = setting.by;
  if ((yield* findProject(key)) === undefined) return unchanged('no_project');
  if ((yield* findPlayers(setting, key, [endUserId], at)).length === 0) return unchanged('unknown');
  const written = yield* writeBlock(key, endUserId, next, at);
  yield* endPlayer(setting, { ...key, environment: null }, endUserId, at);
  const until = next.until === null ? null : new Date(next.until).toISOString();
  return told(written, {
    action: 'player.block',
    ...targetOf(key.slug, endUserId),
    detail: made({ ...(next.reason !== null && { reason: next.reason }), until }),
  });
}

function* unblock(_: AuditedSetting, key: ProjectKey, endUserId: string): Steps<Told<'done' | 'no_project'>> {
  if ((yield* findProject(key)) === undefined) return unchanged('no_project');
  if (!(yield* removeBlock(key, endUserId))) return unchanged('done');
  return told('done', { action: 'player.unblock', ...targetOf(key.slug, endUserId), detail: {} });
}

function* endSessions(setting: AuditedSetting, key: ProjectKey, endUserId: string): Steps<Told<'done' | 'no_project'>> {
  if ((yield* findProject(key)) === undefined) return unchanged('no_project');
  // An id that nobody has leaves no trace.
  if ((yield* findPlayers(setting, key, [endUserId], setting.by.at)).length === 0) return unchanged('done');
  yield* endPlayer(setting, { ...key, environment: null }, endUserId, setting.by.at);
  return told('done', { action: 'player.sign_out', ...targetOf(key.slug, endUserId), detail: {} });
}

function* noteExport(_: AuditedSetting, key: ProjectKey, endUserId: string): Steps<Told<'done' | 'no_project'>> {
  if ((yield* findProject(key)) === undefined) return unchanged('no_project');
  return told('done', { action: 'player.export', ...targetOf(key.slug, endUserId), detail: {} });
}

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

/** Rows of each kind that one sweep deletes at most. */
const sweepRowsMax = 250;
/** No access token is older. */
const tokenMilliseconds = 31 * 24 * 60 * 60 * 1000;

function* sweep(_: Setting, now: number): Steps<number> {
  // A row for each that was deleted. A block that is renewed meanwhile stays.
  const blocks = yield* all(
    `DELETE FROM player_blocks WHERE until <= $1 AND (account_id, slug, end_user_id) IN (
       SELECT account_id, slug, end_user_id FROM player_blocks WHERE until <= $1 ORDER BY until LIMIT ${sweepRowsMax})
     RETURNING 1 AS removed`,
    [now],
  );
  const endings = yield* all(
    `DELETE FROM player_endings WHERE ended_at <= $1 AND (account_id, player_hash, slug, environment) IN (
       SELECT account_id, player_hash, slug, environment FROM player_endings WHERE ended_at <= $1 ORDER BY ended_at
       LIMIT ${sweepRowsMax})
     RETURNING 1 AS removed`,
    [now - tokenMilliseconds],
  );
  return blocks.length + endings.length;
}

const ends = { takes: playerChange } as const;

export const playerVerbs = {
  blockPlayer: audited(block, {
    ...ends,
    isWithoutEffect: (outcome) => outcome === 'unknown' || outcome === 'no_project',
  }),
  unblockPlayer: audited(unblock),
  endPlayerSessions: audited(endSessions, ends),
  recordPlayerExport: audited(noteExport),
  deletePlayer: audited(remove, {
    ...ends,
    changes: ({ accountId, slug }, endUserId) =>
      environmentNames.map((environment) => userStateName({ accountId, slug, environment, endUserId })),
    orderedBy: endUserName,
    forgets: true,
  }),
  sweepPlayers: write(sweep),
};
