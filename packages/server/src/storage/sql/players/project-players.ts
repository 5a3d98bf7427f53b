/** Who has signed in to which project of an account. */

import type { ProjectKey } from '../../contract/projects.ts';
import { decodedTextAt } from '../../rows/columns.ts';
import { encodeText } from '../../rows/stored-texts.ts';
import { all, type Steps } from '../steps.ts';
import { slice } from '../upkeep/deletion-slices.ts';
import { type Setting, write } from '../verb.ts';
import { idKey } from './player-keys.ts';

/** Records that a player has signed in to a project. */
export function* noteSignedIn({ accountId, slug }: ProjectKey, playerId: string): Steps<void> {
  // No change: the player has signed in before.
  yield* all(
    `INSERT INTO project_players (account_id, slug, end_user_id, id_key) VALUES ($1, $2, $3, $4)
     ON CONFLICT (account_id, slug, end_user_id) DO NOTHING`,
    [accountId, slug, encodeText(playerId), idKey(playerId)],
  );
}

/** Returns those of some players who have signed in to a project. */
export function* signedInTo(
  { engine }: Pick<Setting, 'engine'>,
  { accountId, slug }: ProjectKey,
  playerIds: readonly string[],
): Steps<ReadonlySet<string>> {
  // At most a row for each.
  const rows = yield* all(
    `SELECT end_user_id FROM project_players WHERE account_id = $2 AND slug = $3
       AND end_user_id IN (SELECT value ->> 0 FROM ${engine.given})`,
    [JSON.stringify(playerIds.map((id) => [encodeText(id)])), accountId, slug],
  );
  return new Set(rows.map((row) => decodedTextAt(row, 'end_user_id')));
}

/** Makes sign-ins of a player those of another. */
export function* moveSignIns(accountId: string, from: string, to: string): Steps<void> {
  const [fromText, toText] = [encodeText(from), encodeText(to)];
  // A row for each project, unless both have signed in to it; then the first stays, and is deleted.
  yield* all(
    `UPDATE project_players SET end_user_id = $3, id_key = $4 WHERE account_id = $1 AND end_user_id = $2 AND NOT EXISTS (
       SELECT 1 FROM project_players AS theirs
       WHERE theirs.account_id = $1 AND theirs.slug = project_players.slug AND theirs.end_user_id = $3)`,
    [accountId, fromText, toText, idKey(to)],
  );
  yield* forgetSignIns(accountId, from, null);
}

/** Forgets that a player has signed in to a project; null: to any project of the account. */
export function* forgetSignIns(accountId: string, playerId: string, slug: string | null): Steps<void> {
  // A row for each project.
  yield* all(
    'DELETE FROM project_players WHERE account_id = $1 AND end_user_id = $2 AND (CAST($3 AS text) IS NULL OR slug = $3)',
    [accountId, encodeText(playerId), slug],
  );
}

/** Rows that one call deletes. */
const forgottenMax = 500;

function* forgetAll(_: Setting, { accountId, slug }: ProjectKey): Steps<number> {
  // A row for each deleted one.
  const condition = 'account_id = $1 AND slug = $2';
  return (yield* all(slice('project_players', 'account_id, slug, end_user_id', condition, forgottenMax), [accountId, slug]))
    .length;
}

export const projectPlayerVerbs = {
  /** Forgets who has signed in to a project that is about to be deleted, some hundreds per call. Returns the number forgotten. */
  forgetProjectPlayers: write(forgetAll),
};
