/**
 * Ending the tokens of a player. Ending tokens raises the player's epoch, which tokens carry, in the transaction that revokes the sessions.
 * Clocks are not compared: a token is valid if it was issued after the end was stored.
 */
import type { Environment } from '@holdfast/contract';
import { playerHash } from '../../../common/ids/player-hash.ts';
import type { PlayerKey, RevocationScope } from '../../contract/players.ts';
import { integerAt, optionalIntegerAt } from '../../rows/columns.ts';
import { environmentNumbers } from '../../rows/environment-numbers.ts';
import { encodeText } from '../../rows/stored-texts.ts';
import { endSignInsOfPlayer } from '../sign-in/user-sign-ins.ts';
import { all, one, type Steps } from '../steps.ts';
import type { Setting } from '../verb.ts';

const allProjects = '';
const allEnvironments = -1;
const numberOf = (environment: Environment | null) =>
  environment === null ? allEnvironments : environmentNumbers[environment];

/**
 * Locks the identities of a player until the end of the transaction. Every step that blocks, links or deletes a player, ends the player's
 * tokens, or creates a session takes this lock.
 */
export function* lockPlayer(accountId: string, playerId: string): Steps<void> {
  // Any number of rows: none for a guest.
  yield* all(
    'SELECT subject FROM identities WHERE account_id = $1 AND end_user_id = $2 ORDER BY subject, provider FOR UPDATE',
    [accountId, encodeText(playerId)],
  );
}

/** Ends the tokens and sessions of a player, as of now. The caller announces it to all nodes (`playerChange`). */
export function* revokePlayerTokens(
  { engine }: Pick<Setting, 'engine'>,
  scope: RevocationScope,
  playerId: string,
  at: number,
): Steps<void> {
  const { accountId, slug, environment } = scope;
  yield* lockPlayer(accountId, playerId);
  const player = playerHash(accountId, playerId);
  const last = yield* one(
    'SELECT max(ended_at) AS ended_at FROM player_endings WHERE account_id = $1 AND player_hash = $2',
    [accountId, player],
  );
  const endedAt = Math.max(at, (optionalIntegerAt(last, 'ended_at') ?? 0) + 1);
  // One row, always.
  yield* all(
    `INSERT INTO player_endings (account_id, player_hash, slug, environment, ended_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (account_id, player_hash, slug, environment) DO UPDATE SET ended_at = excluded.ended_at`,
    [accountId, player, slug ?? allProjects, numberOf(environment), endedAt],
  );
  yield* endSignInsOfPlayer(engine, scope, playerId);
}

/** Returns the epoch of a player's new tokens. */
export function* epochOf({ accountId, slug, environment, playerId }: PlayerKey): Steps<number> {
  const row = yield* one(
    `SELECT coalesce(max(ended_at), 0) AS epoch FROM player_endings WHERE account_id = $1 AND player_hash = $2
     AND slug IN ($3, '${allProjects}') AND environment IN ($4, ${allEnvironments})`,
    [accountId, playerHash(accountId, playerId), slug, environmentNumbers[environment]],
  );
  return integerAt(row, 'epoch');
}

/** Whether tokens of a player of that epoch have ended. The caller locks the account, as every step that ends tokens does. */
export function* areTokensRevoked(player: PlayerKey, epoch: number): Steps<boolean> {
  return (yield* epochOf(player)) > epoch;
}

/** Returns when tokens of any player of a project last ended; null if none have. */
export function* lastEndedAt(accountId: string, slug: string): Steps<number | null> {
  const row = yield* one(
    `SELECT max(ended_at) AS ended_at FROM (
       SELECT max(ended_at) AS ended_at FROM player_endings WHERE account_id = $1 AND slug = $2
       UNION ALL SELECT max(ended_at) FROM player_endings WHERE account_id = $1 AND slug = '${allProjects}') AS theirs`,
    [accountId, slug],
  );
  return optionalIntegerAt(row, 'ended_at');
}
