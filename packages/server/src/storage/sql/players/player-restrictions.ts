/** Developers' actions on players: blocks, ended sessions, and audit records of exports. */
import { dayMilliseconds } from '../../../common/time/durations.ts';
import { playerChange } from '../../caches/access-changes.ts';
import type { NewPlayerBlock, PlayerBlock } from '../../contract/players.ts';
import type { ProjectKey } from '../../contract/projects.ts';
import { ofItsAccount } from '../../contract/read-owner.ts';
import type { AuditEntry } from '../audit/audit.ts';
import { created } from '../audit/audit-detail.ts';
import { type AuditedSetting, audited, unchanged, type WithAuditEntry, withAuditEntry } from '../audit/audited.ts';
import type { ProjectRowKey } from '../engine-sql.ts';
import { all, first, type Steps } from '../steps.ts';
import { type Setting, write } from '../verb.ts';
import { eventAuthor, storeEvent } from '../webhooks/webhook-queue.ts';
import { removeBlock, writeBlock } from './player-blocks.ts';
import { revokePlayerTokens } from './player-revocations.ts';
import { findPlayers } from './player-search.ts';

/** The path of a player in the audit trail, below the account. */
const targetOf = (slug: string, playerId: string): Pick<AuditEntry, 'target' | 'player'> => ({
  target: `projects/${slug}/players/${encodeURIComponent(playerId.toWellFormed())}`,
  player: { slug, playerId },
});

/** Returns an existing project; its account is locked. */
export function* findProject({
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
  playerId: string,
  next: NewPlayerBlock,
): Steps<WithAuditEntry<PlayerBlock | 'unknown' | 'no_project'>> {
  const { at } = setting.by;
  if ((yield* findProject(key)) === undefined) return unchanged('no_project');
  const isKnown = next.isRepeated || (yield* findPlayers(setting, key, [playerId], at)).length > 0;
  if (!isKnown) return unchanged('unknown');
  const written = yield* writeBlock(key, playerId, next, at);
  yield* revokePlayerTokens(setting, { ...key, environment: null }, playerId, at);
  const until = next.until === null ? null : new Date(next.until).toISOString();
  yield* storeEvent(key, {
    type: 'player.blocked',
    at,
    data: { endUserId: playerId, until, author: eventAuthor(setting.by) },
  });
  return withAuditEntry(written, {
    action: 'player.block',
    ...targetOf(key.slug, playerId),
    detail: created({ ...(next.reason !== null && { reason: next.reason }), until }),
  });
}

function* unblock({ by }: AuditedSetting, key: ProjectKey, playerId: string): Steps<WithAuditEntry<'done' | 'no_project'>> {
  if ((yield* findProject(key)) === undefined) return unchanged('no_project');
  if (!(yield* removeBlock(key, playerId))) return unchanged('done');
  const data = { endUserId: playerId, author: eventAuthor(by) };
  yield* storeEvent(key, { type: 'player.unblocked', at: by.at, data });
  return withAuditEntry('done', { action: 'player.unblock', ...targetOf(key.slug, playerId), detail: {} });
}

function* endSessions(
  setting: AuditedSetting,
  key: ProjectKey,
  playerId: string,
): Steps<WithAuditEntry<'done' | 'no_project'>> {
  if ((yield* findProject(key)) === undefined) return unchanged('no_project');
  // A player with a token may have no row: a guest without a user state has none.
  yield* revokePlayerTokens(setting, { ...key, environment: null }, playerId, setting.by.at);
  return withAuditEntry('done', { action: 'player.sign_out', ...targetOf(key.slug, playerId), detail: {} });
}

function* noteExport(_: AuditedSetting, key: ProjectKey, playerId: string): Steps<WithAuditEntry<'done' | 'no_project'>> {
  if ((yield* findProject(key)) === undefined) return unchanged('no_project');
  return withAuditEntry('done', { action: 'player.export', ...targetOf(key.slug, playerId), detail: {} });
}

/** Rows of each kind that one sweep deletes at most. */
const sweepRowsMax = 250;
/** The maximum age of an access token. */
const tokenMilliseconds = 31 * dayMilliseconds;

function* sweep(_: Setting, now: number): Steps<number> {
  // A row for each deleted block. A block that is renewed in the meantime stays.
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

const ends = { invalidates: playerChange } as const;

export const playerVerbs = {
  /** Blocks a player and ends the player's tokens and sessions in the project, or changes the block. `unknown` if no player has the id. */
  blockPlayer: audited(block, ofItsAccount, {
    ...ends,
    isWithoutEffect: (outcome) => outcome === 'unknown' || outcome === 'no_project',
  }),
  unblockPlayer: audited(unblock, ofItsAccount),
  /** Ends all sessions and tokens of a player in the project, even if nothing is stored of the player. */
  endPlayerSessions: audited(endSessions, ofItsAccount, ends),
  /** Records that all data of a player was exported. */
  recordPlayerExport: audited(noteExport, ofItsAccount),
  /** Deletes some expired records: expired blocks, and token endings whose tokens have all expired since. */
  sweepPlayers: write(sweep),
};
