/** Merges the states of two players. */

import { isGuestId } from '../../../contract/guests.ts';
import { nextVersion } from '../../../history/version-floors.ts';
import { integerAt } from '../../../rows/columns.ts';
import { encodeText } from '../../../rows/stored-texts.ts';
import type { EngineSql, MergedRow, PlayerRowKey } from '../../../sql/engine-sql.ts';
import { all, first, type Steps } from '../../../sql/steps.ts';
import { readVersionFloor } from '../../../sql/upkeep/store-rollback.ts';
import { bucketOf, usageParts } from '../../usage/usage-sums.ts';
import { addCounts, counts, joinMember, members } from '../../usage/user-counts.ts';
import { raiseUserStateCeiling } from './user-state-steps.ts';

const ofUserState = 'account_id = $1 AND project_id = $2 AND end_user_id = $3 AND environment = $4';
const valuesOf = ({ accountId, projectId, playerId, environment }: MergedRow) =>
  [accountId, projectId, encodeText(playerId), environment] as const;

/** Adds to one of the rows that count the players of a project. */
function* count(
  { accountId, projectId }: Pick<MergedRow, 'accountId' | 'projectId'>,
  part: number,
  players: number,
  bytes: number,
): Steps<void> {
  // One row, always; a new one if nobody was counted in this part yet.
  yield* all(`${counts.statement.text} ${addCounts}`, [accountId, projectId, part, players, bytes]);
}

/** Moves locked states to another player. Their versions are above all that the player has ever had there. */
function* moveAll(moved: readonly MergedRow[], player: PlayerRowKey, bucket: number): Steps<readonly MergedRow[]> {
  const { accountId, projectId, playerId } = player;
  const floor = yield* readVersionFloor();
  const now: MergedRow[] = [];
  for (const userState of moved) {
    // One row, always: it is locked.
    const deleted = yield* first(
      'SELECT version FROM end_user_floors WHERE account_id = $1 AND project_id = $2 AND environment = $3 AND bucket = $4',
      [accountId, projectId, userState.environment, bucket],
    );
    const version = Math.max(userState.version, nextVersion(integerAt(deleted ?? {}, 'version'), floor));
    // One row, always: it is locked.
    yield* all(`UPDATE user_states SET end_user_id = $5, version = $6, is_linked = $7 WHERE ${ofUserState}`, [
      ...valuesOf(userState),
      encodeText(playerId),
      version,
      isGuestId(playerId) ? 1 : 0,
    ]);
    const next = { ...userState, playerId, version };
    yield* raiseUserStateCeiling(next, version, floor);
    now.push(next);
  }
  return now;
}

/** Returns the steps. `bucketSecret` sorts players into buckets. */
export const mergedStates = (bucketSecret: Uint8Array): Pick<EngineSql, 'lockUserStates' | 'moveUserStates'> => ({
  *lockUserStates(accountId, one, other) {
    // A row for each state, as left by the last write.
    const held = yield* all(
      `SELECT project_id, environment, end_user_id, version, state_bytes + history_bytes AS bytes FROM user_states
       WHERE account_id = $1 AND end_user_id IN ($2, $3)
         AND project_id = ANY (ARRAY (SELECT project_id FROM projects WHERE projects.account_id = $1))
       ORDER BY project_id, environment, end_user_id FOR UPDATE`,
      [accountId, encodeText(one), encodeText(other)],
    );
    // A row for each project.
    const projects = yield* all('SELECT project_id, slug FROM projects WHERE account_id = $1', [accountId]);
    const slugs = new Map(projects.map((row) => [row.project_id, row.slug]));
    return held.map((row) => ({ ...row, slug: slugs.get(row.project_id) }));
  },
  *moveUserStates(guest, playerId, { userStates, moved, isNew }) {
    const { accountId, projectId, slug, playerId: guestId } = guest;
    const player = { accountId, projectId, slug, playerId };
    const [guestBucket, bucket] = [bucketOf(bucketSecret, guest), bucketOf(bucketSecret, player)];
    const now = yield* moveAll(moved, player, bucket);
    const ofGuest = [accountId, projectId, encodeText(guestId)];
    // Any number of rows: those that are now versions of the other player.
    yield* all(
      `DELETE FROM user_state_versions WHERE account_id = $1 AND project_id = $2 AND record_id IN (
         SELECT record_id FROM user_states WHERE account_id = $1 AND project_id = $2 AND end_user_id = $3)`,
      ofGuest,
    );
    yield* all('DELETE FROM user_states WHERE account_id = $1 AND project_id = $2 AND end_user_id = $3', ofGuest);
    // One row, always.
    yield* all('DELETE FROM end_users WHERE account_id = $1 AND project_id = $2 AND end_user_id = $3', ofGuest);
    if (moved.length > 0) {
      const environments = moved.reduce((bits, { environment }) => bits | (1 << environment), 0);
      // One row, always.
      yield* all(`${members.statement.text} ${joinMember}`, [accountId, projectId, encodeText(playerId), environments]);
    }
    const guestBytes = userStates.reduce((sum, userState) => sum + userState.bytes, 0);
    const movedBytes = moved.reduce((sum, userState) => sum + userState.bytes, 0);
    yield* count(guest, (guestBucket % usageParts) + usageParts, -1, -guestBytes);
    yield* count(player, bucket % usageParts, moved.length > 0 && isNew ? 1 : 0, movedBytes);
    return now;
  },
});
