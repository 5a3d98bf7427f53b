/** The blocks of players in projects. */

import type { NewPlayerBlock, PlayerBlock } from '../../contract/players.ts';
import type { ProjectKey } from '../../contract/projects.ts';
import { integerAt, optionalDecodedTextAt, optionalIntegerAt, type Row } from '../../rows/columns.ts';
import { encodeOptional, encodeText } from '../../rows/stored-texts.ts';
import { all, first, type Steps } from '../steps.ts';

/** SQL: whether a block is in force at the time in this parameter. */
export const isInForce = (now: string): string => `(until IS NULL OR until > ${now})`;

export const toBlock = (row: Row): PlayerBlock => ({
  reason: optionalDecodedTextAt(row, 'reason'),
  until: optionalIntegerAt(row, 'until'),
  blockedAt: integerAt(row, 'blocked_at'),
});

/** Whether a player is blocked in a project. */
export function* isBlockedIn({ accountId, slug }: ProjectKey, playerId: string, now: number): Steps<boolean> {
  // No row: not blocked.
  const row = yield* first(
    `SELECT 1 AS found FROM player_blocks WHERE account_id = $1 AND slug = $2 AND end_user_id = $3 AND ${isInForce('$4')}`,
    [accountId, slug, encodeText(playerId), now],
  );
  return row !== undefined;
}

/**
 * Whether a player is blocked in any project of an account. If so, the identity stays, and cannot be linked or merged. The caller locks the
 * player.
 */
export function* isBlockedAnywhere(accountId: string, playerId: string, now: number): Steps<boolean> {
  // No row: not blocked.
  const row = yield* first(
    `SELECT 1 AS found FROM player_blocks WHERE account_id = $1 AND end_user_id = $2 AND ${isInForce('$3')} LIMIT 1`,
    [accountId, encodeText(playerId), now],
  );
  return row !== undefined;
}

/** Whether a project has any block. */
export function* hasBlocks({ accountId, slug }: ProjectKey, now: number): Steps<boolean> {
  // No row: it has none.
  const row = yield* first(
    `SELECT 1 AS found FROM player_blocks WHERE account_id = $1 AND slug = $2 AND ${isInForce('$3')} LIMIT 1`,
    [accountId, slug, now],
  );
  return row !== undefined;
}

/** Writes the block of a player, replacing an earlier one. */
export function* writeBlock(
  { accountId, slug }: ProjectKey,
  playerId: string,
  { reason, until }: NewPlayerBlock,
  at: number,
): Steps<PlayerBlock> {
  // One row, always.
  yield* all(
    `INSERT INTO player_blocks (account_id, slug, end_user_id, reason, blocked_at, until) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (account_id, slug, end_user_id) DO UPDATE
     SET reason = excluded.reason, blocked_at = excluded.blocked_at, until = excluded.until`,
    [accountId, slug, encodeText(playerId), encodeOptional(reason), at, until],
  );
  return { reason, until, blockedAt: at };
}

/** Deletes the block of a player. Returns whether there was one. */
export function* removeBlock({ accountId, slug }: ProjectKey, playerId: string): Steps<boolean> {
  // A row if there was one.
  const removed = yield* all(
    'DELETE FROM player_blocks WHERE account_id = $1 AND slug = $2 AND end_user_id = $3 RETURNING end_user_id',
    [accountId, slug, encodeText(playerId)],
  );
  return removed.length > 0;
}
