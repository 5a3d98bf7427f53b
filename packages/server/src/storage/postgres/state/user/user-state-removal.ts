/** Removes a player's states in a deletion, and leaves version floors in case the player returns. */

import { integerAt, textAt } from '../../../rows/columns.ts';
import { environmentNumbers } from '../../../rows/environment-numbers.ts';
import { encodeText } from '../../../rows/stored-texts.ts';
import type { EngineSql, PlayerRowKey } from '../../../sql/engine-sql.ts';
import { all, first, type Steps, type Value } from '../../../sql/steps.ts';
import { bucketOf, usagePartOf, usageParts } from '../../usage/usage-sums.ts';

/** Returns the steps. `bucketSecret` sorts players into buckets. */
export const userStateRemoval = (bucketSecret: Uint8Array): Pick<EngineSql, 'removeUserStates'> => ({
  *removeUserStates(owner, environment = null) {
    const { accountId, projectId, playerId } = owner;
    const bucket = bucketOf(bucketSecret, owner);
    const player = [accountId, projectId, encodeText(playerId)];
    yield* lockBuckets(owner, bucket);
    // A row for each environment in which the player had state, as left by the last write.
    const states = yield* all(
      `DELETE FROM user_states WHERE account_id = $1 AND project_id = $2 AND end_user_id = $3
         AND ($4::smallint IS NULL OR environment = $4::smallint)
       RETURNING record_id, environment, version, state_bytes + history_bytes AS bytes, is_linked`,
      [...player, environment && environmentNumbers[environment]],
    );
    let bytes = 0;
    let bits = 0;
    for (const state of states) {
      bytes += integerAt(state, 'bytes');
      // Any number of rows.
      yield* all('DELETE FROM user_state_versions WHERE account_id = $1 AND project_id = $2 AND record_id = $3', [
        accountId,
        projectId,
        textAt(state, 'record_id'),
      ]);
      bits |= 2 ** integerAt(state, 'environment');
      // One row, always: it is locked.
      yield* all(
        `UPDATE end_user_floors SET version = greatest(version, $5)
         WHERE account_id = $1 AND project_id = $2 AND environment = $3 AND bucket = $4`,
        [accountId, projectId, integerAt(state, 'environment'), bucket, integerAt(state, 'version')],
      );
    }
    const isLinked = states.some((state) => state.is_linked === 1);
    yield* removeMember(player, isLinked ? bucket % usageParts : usagePartOf(bucket, playerId), { bytes, bits });
    return states.length;
  },
});

/**
 * Subtracts a player's states in these environments, with their bytes, from the counts. With the last state, the player is no longer
 * counted.
 */
function* removeMember(
  player: readonly Value[],
  part: number,
  { bytes, bits }: { readonly bytes: number; readonly bits: number },
): Steps<void> {
  const [accountId, projectId] = player as [string, string];
  const where = 'account_id = $1 AND project_id = $2 AND end_user_id = $3';
  // No row: the player had no state.
  const member = yield* first(
    `UPDATE end_users SET environments = environments & ~($4::smallint) WHERE ${where} RETURNING environments`,
    [...player, bits],
  );
  if (member === undefined) return;
  const isGone = integerAt(member, 'environments') === 0;
  // One row, always.
  if (isGone) yield* all(`DELETE FROM end_users WHERE ${where}`, player);
  // One row, always.
  yield* all(
    `UPDATE user_usage SET end_users = end_users - $5, bytes = bytes - $4
     WHERE account_id = $1 AND project_id = $2 AND part = $3`,
    [accountId, projectId, part, bytes, isGone ? 1 : 0],
  );
}

/** Locks the rows that creations of this player lock first: none is running, and one that has waited looks again. */
function* lockBuckets({ accountId, projectId }: PlayerRowKey, bucket: number): Steps<void> {
  for (const environment of Object.values(environmentNumbers)) {
    // One row, always; a new one holds the floor of the environment. No row: the project has just been deleted.
    yield* all(
      `INSERT INTO end_user_floors (account_id, project_id, environment, bucket, version, endings)
       SELECT $1, $2, $3, $4, user_version_floor, 1 FROM environments
       WHERE account_id = $1 AND project_id = $2 AND environment = $3
       ON CONFLICT (account_id, project_id, environment, bucket) DO UPDATE SET endings = end_user_floors.endings + 1`,
      [accountId, projectId, environment, bucket],
    );
  }
}
