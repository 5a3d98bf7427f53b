/** Merges the states of two players. */

import { isGuestId } from '../../contract/guests.ts';
import { nextVersion } from '../../history/version-floors.ts';
import { bytesAt, optionalIntegerAt } from '../../rows/columns.ts';
import { encodeText } from '../../rows/stored-texts.ts';
import type { EngineSql } from '../../sql/engine-sql.ts';
import { all, first, type Steps } from '../../sql/steps.ts';
import { readVersionFloor } from '../../sql/upkeep/store-rollback.ts';
import { headKey } from '../schema/head-keys.ts';
import { bucketOf } from './player-buckets.ts';
import { raiseUserStateCeiling } from './user-state-steps.ts';

const ofUserState = 'project_id = $1 AND end_user_id = $2 AND environment = $3';

/** Adds to the counts. No total is cached (`runGuarded`). One row each, always: both have states. */
function* count(
  { accountId, projectId }: { readonly accountId: string; readonly projectId: string | number },
  added: { readonly bytes: number; readonly players?: number; readonly guests?: number; readonly guestBytes?: number },
): Steps<void> {
  const { bytes, players = 0, guests = 0, guestBytes = 0 } = added;
  yield* all(
    `UPDATE account_usage SET end_users = end_users + $2, storage_bytes = storage_bytes + $3, guests = guests + $4,
       guest_bytes = guest_bytes + $5 WHERE account_id = $1`,
    [accountId, players, bytes, guests, guestBytes],
  );
  yield* all(
    `UPDATE project_usage SET end_users = end_users + $2, user_state_bytes = user_state_bytes + $3, guests = guests + $4,
       guest_bytes = guest_bytes + $5 WHERE project_id = $1`,
    [projectId, players, bytes, guests, guestBytes],
  );
}

export const mergedStates: Pick<EngineSql, 'lockUserStates' | 'moveUserStates'> = {
  *lockUserStates(accountId, one, other) {
    // A row for each state. There is no other writer.
    return yield* all(
      `SELECT projects.project_id, slug, environment, end_user_id, version, state_bytes + history_bytes AS bytes
       FROM projects JOIN user_states ON user_states.project_id = projects.project_id AND end_user_id IN ($2, $3)
       WHERE projects.account_id = $1 ORDER BY projects.project_id, environment, end_user_id`,
      [accountId, encodeText(one), encodeText(other)],
    );
  },
  *moveUserStates(guest, playerId, { userStates, moved, isNew }) {
    const { accountId, playerId: guestId } = guest;
    const projectId = guest.projectId as number;
    // One row, always: made with the table.
    const secret = bytesAt((yield* first('SELECT secret FROM bucket_key')) ?? {}, 'secret');
    const bucket = bucketOf(secret, projectId, playerId);
    const floor = yield* readVersionFloor();
    const now = [];
    for (const userState of moved) {
      // No row: no player of this bucket was ever deleted here.
      const row = yield* first('SELECT version FROM end_user_floors WHERE head_key = $1 AND bucket = $2', [
        headKey(projectId, userState.environment),
        bucket,
      ]);
      const last = optionalIntegerAt(row ?? { version: null }, 'version') ?? 0;
      const version = Math.max(userState.version, nextVersion(last, floor));
      // One row, always: it is locked.
      yield* all(`UPDATE user_states SET end_user_id = $4, version = $5, is_linked = $6 WHERE ${ofUserState}`, [
        projectId,
        encodeText(guestId),
        userState.environment,
        encodeText(playerId),
        version,
        isGuestId(playerId) ? 1 : 0,
      ]);
      const next = { ...userState, playerId, version };
      yield* raiseUserStateCeiling(next, version, floor);
      now.push(next);
    }
    // Any number of rows: those that are now versions of the other player.
    yield* all(
      `DELETE FROM user_state_versions WHERE record_id IN (
         SELECT sequence FROM user_states WHERE project_id = $1 AND end_user_id = $2)`,
      [projectId, encodeText(guestId)],
    );
    yield* all('DELETE FROM user_states WHERE project_id = $1 AND end_user_id = $2', [projectId, encodeText(guestId)]);
    const guestBytes = userStates.reduce((sum, userState) => sum + userState.bytes, 0);
    const movedBytes = moved.reduce((sum, userState) => sum + userState.bytes, 0);
    const players = moved.length > 0 && isNew ? 0 : -1;
    yield* count(
      { accountId, projectId },
      { bytes: movedBytes - guestBytes, players, guests: -1, guestBytes: -guestBytes },
    );
    return now;
  },
};
