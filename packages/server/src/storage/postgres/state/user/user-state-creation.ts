/** The statements that create a user state: one that does everything, and the steps for a distributed database. */
import { ceilingSql, nextVersionSql } from '../../../history/version-floors.ts';
import { type NamedValues, parameters, type Statement } from '../../connection/parameters.ts';
import { fitsBytes, fitsGuestBytes, fitsGuests, fitsPlayers } from '../../usage/usage-sums.ts';
import { addCounts, counts, joinMember, members } from '../../usage/user-counts.ts';
import { findingRepeat, type RepeatName, type RepeatSql, withoutRepeat, withRepeat } from '../repeats.ts';
import { addRecord, recordOf, unlessThere } from './user-state-rows.ts';
import { common, current, ending, isOrdinary, partOf, raise, target } from './user-state-sql.ts';

/** The parameters that a creation depends on. */
const looked = parameters(
  ...common.names,
  /** The limit of players of an account without its own, and the margin below it. */
  'playersMax',
  'marginPlayers',
  /** As in a replacement. */
  'epoch',
  'playerHash',
);
const created = parameters(
  ...looked.names,
  'versionFloor',
  /** The bucket of the player, and the bit of the environment. */
  'bucket',
  'environmentBit',
  'recordId',
  'author',
  'comment',
  'stateText',
  'writtenAt',
);
const at = created.at;

type CreationName = (typeof created.names)[number] | RepeatName;
export type CreationValues = NamedValues<CreationName>;

/** The WITH clause of a creation with everything that it depends on. */
const lookOf = ({ known }: RepeatSql) => `
  WITH ${known}target AS (${target}), current AS (${current}), ending AS (${ending(at.epoch, at.playerHash)}), member AS (
    SELECT 1 FROM target JOIN end_users ON end_users.account_id = ${at.accountId} AND end_users.project_id = target.project_id
      AND end_users.end_user_id = ${at.playerId}
  ), player AS (
    SELECT player_id, CASE WHEN player_id = ${at.playerId} THEN 1 ELSE 0 END AS is_linked FROM player_links
    WHERE player_links.account_id = ${at.accountId} AND subject = ${at.playerId}
  )`;

const playersMax = `coalesce(end_users_max, ${at.playersMax})`;
const unlimited = `${playersMax} = 0 OR EXISTS (SELECT 1 FROM member)`;
const addedPlayers = `1 + ${at.marginPlayers}::bigint`;
const addedBytes = `${at.stateBytes}::bigint + ${at.marginBytes}::bigint`;

/** Whether the account has room for the record. */
const hasRoom = `(${unlimited} OR ${fitsPlayers(at.accountId, addedPlayers, playersMax)})
      AND (bytes_max = 0 OR ${fitsBytes(at.accountId, addedBytes)})
      AND (${isOrdinary} OR EXISTS (SELECT 1 FROM player) OR ((${unlimited} OR ${fitsGuests(at.accountId, addedPlayers, playersMax)})
        AND (bytes_max = 0 OR ${fitsGuestBytes(at.accountId, addedBytes)})))`;

/** The result of a creation, with the version that was written. */
const createdOf = (version: string, { columns }: RepeatSql) => `
  SELECT current.version, NULL::bigint AS state_bytes, NOT EXISTS (SELECT 1 FROM member) AS is_new, target.bytes_max,
    coalesce(target.end_users_max, ${at.playersMax}) AS end_users_max, ${version} AS written,
    (SELECT is_linked FROM player) AS is_linked, EXISTS (SELECT 1 FROM ending) AS has_ended${columns}`;

/** What a new record has from the other expressions. */
const createdFrom = {
  projectId: 'target.project_id',
  version: 'bucket.version',
  isLinked: 'coalesce((SELECT is_linked FROM player), 0)',
};
const newMember = {
  account_id: at.accountId,
  end_user_id: at.playerId,
  environments: `${at.environmentBit}::smallint`,
};
const added = {
  account_id: at.accountId,
  part: partOf('joined'),
  end_users: `CASE WHEN environments = ${at.environmentBit}::smallint THEN 1 ELSE 0 END`,
  bytes: `${at.stateBytes}::bigint`,
};

/**
 * Creates a record.
 *
 * Nothing is created for an id that stands for another player (`player_links`). Whoever changes that locks the bucket too, and counts in
 * `endings`: a creation that has waited for it looks again.
 *
 * The row of the bucket is locked first, until the end: its version is the floor that the new record starts above. A deletion of the same
 * player raises that floor, and therefore comes completely before or completely after.
 */
const creation = (repeat: RepeatSql) => `${lookOf(repeat)}, seen AS (
    SELECT endings FROM target JOIN end_user_floors ON end_user_floors.account_id = ${at.accountId}
      AND end_user_floors.project_id = target.project_id AND end_user_floors.environment = ${at.environment}
      AND end_user_floors.bucket = ${at.bucket}
  ), bucket AS (
    INSERT INTO end_user_floors (account_id, project_id, environment, bucket, version)
    SELECT ${at.accountId}, project_id, ${at.environment}, ${at.bucket}, user_version_floor FROM target
    WHERE NOT EXISTS (SELECT 1 FROM current) AND NOT EXISTS (SELECT 1 FROM ending)
    ON CONFLICT (account_id, project_id, environment, bucket) DO UPDATE SET version = end_user_floors.version
    RETURNING ${nextVersionSql('version', `${at.versionFloor}::bigint`)} AS version, endings
  ), raised AS (
    ${raise('bucket.version', `${at.versionFloor}::bigint`, 'target, bucket')}
  ), record AS (
    ${addRecord.select(recordOf(at, createdFrom))}
    FROM target, bucket
    WHERE bucket.endings = coalesce((SELECT endings FROM seen), 0) AND NOT EXISTS (SELECT 1 FROM player WHERE is_linked = 0)
      AND (target.user_version_ceiling >= bucket.version OR EXISTS (SELECT 1 FROM raised))
      AND ${hasRoom}
      ${repeat.isNew}
    ${unlessThere}
    RETURNING project_id, version, is_linked
  ), joined AS (
    ${members.select(newMember)} FROM record
    ${joinMember}
    RETURNING project_id, environments, (SELECT is_linked FROM record) AS is_linked
  ), usage AS (
    ${counts.select(added)}
    FROM joined
    ${addCounts}
    RETURNING 1
  )${repeat.kept('record', at.writtenAt)}${createdOf('(SELECT version FROM record)', repeat)}
  FROM target LEFT JOIN current ON true`;

const repeatCreation = withRepeat<CreationName>(created.names);

/** The statements that create a record, without and with a key to repeat the write. */
export const creations: { readonly plain: Statement<CreationName>; readonly once: Statement<CreationName> } = {
  plain: { names: created.names, text: creation(withoutRepeat) },
  once: { names: repeatCreation.names, text: creation(repeatCreation) },
};

/**
 * Locks the row of the bucket, as a creation does: $1 account id, $2 slug, $3 environment, $4 bucket, $5 the version floor. No row: no such
 * project.
 */
export const lockBucket = `
  INSERT INTO end_user_floors (account_id, project_id, environment, bucket, version)
  SELECT account_id, project_id, environment, $4::smallint, user_version_floor FROM environments
  WHERE account_id = $1 AND slug = $2 AND environment = $3
  ON CONFLICT (account_id, project_id, environment, bucket) DO UPDATE SET version = end_user_floors.version
  RETURNING project_id, ${nextVersionSql('version', '$5::bigint')} AS version`;

const look = (repeat: RepeatSql) => `${lookOf(repeat)}${createdOf('NULL::bigint', repeat)},
    target.user_version_ceiling, (${hasRoom}) AS has_room
  FROM target LEFT JOIN current ON true`;

const findRepeat = findingRepeat<CreationName>(looked.names);

/** Reads everything that a creation depends on, once its bucket is locked. */
export const lookBeforeCreation: { readonly plain: Statement<CreationName>; readonly once: Statement<CreationName> } = {
  plain: { names: looked.names, text: look(withoutRepeat) },
  once: { names: findRepeat.names, text: look(findRepeat) },
};

/** Raises the ceiling to the version $4 of the project $5, by the version floor $6. */
export const raiseCeiling = `
  UPDATE environments
  SET user_version_ceiling = greatest(user_version_ceiling, ${ceilingSql('$4::bigint', 'user_version_floor', '$6::bigint')})
  WHERE account_id = $1 AND slug = $2 AND environment = $3 AND project_id = $5
  RETURNING 1`;
