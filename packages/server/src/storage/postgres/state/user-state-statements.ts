/**
 * The two statements that write user state. Each is a transaction on its own. After waiting for another write, a statement sees the row
 * that it waited for as that write left it, and everything else as it was when the statement began. Rows are therefore checked at the
 * moment in which they are changed.
 */
import { partOfGuestsSql } from '../../contract/guests.ts';
import { ceilingSql, nextVersionSql } from '../../history/version-floors.ts';
import { guestBytesOf, guestsOf, playersOf, storageBytesOf, usageParts } from '../usage/usage-sums.ts';
import { type RepeatSql, withoutRepeat, withRepeat } from './repeats.ts';

/** $1 account id, $2 slug, $3 environment. */
const target = `
  SELECT environments.project_id, user_version_floor, user_version_ceiling,
    coalesce(storage_bytes_max, $7) AS bytes_max, end_users_max
  FROM accounts JOIN environments ON environments.account_id = accounts.account_id
  WHERE accounts.account_id = $1 AND environments.slug = $2 AND environments.environment = $3`;

/** $4 player id. */
const current = `
  SELECT user_states.version, user_states.state_bytes, user_states.history_bytes, user_states.is_linked FROM target
  JOIN user_states ON user_states.account_id = $1 AND user_states.project_id = target.project_id
    AND user_states.environment = $3 AND user_states.end_user_id = $4`;

/**
 * A row if a token of the player may no longer write: `epoch` is that of the token, and `player` stands for the player. Null: no token
 * writes. Whoever ends tokens and erases the player changes the row of the record, or that of the bucket, which the statement locks: it
 * then finds the record deleted, or looks again.
 */
const ending = (epoch: string, player: string) => `
  SELECT 1 FROM player_endings WHERE player_endings.account_id = $1 AND player_endings.player_hash = ${player}::bytea
    AND player_endings.slug IN ($2, '') AND player_endings.environment IN ($3, -1) AND player_endings.ended_at > ${epoch}::bigint`;

/** Whether the player is not a guest: guests are counted in separate parts, and may use half of the account's limit. */
const isOrdinary = `$6::smallint < ${usageParts}`;

/** The part that counts a record: a player's part once a guest has signed up. Guests have the parts above. */
const partOf = (record: string) =>
  `CASE WHEN ${record}.is_linked = 1 AND $6::smallint >= ${usageParts} THEN $6::smallint - ${usageParts} ELSE $6::smallint END`;

/** Raises the ceiling of the environment, if `version` has exceeded it; `floor` is that of the installation. */
const raise = (version: string, floor: string, from: string) => `
  UPDATE environments
  SET user_version_ceiling =
    greatest(environments.user_version_ceiling, ${ceilingSql(version, 'environments.user_version_floor', floor)})
  FROM ${from}
  WHERE environments.account_id = $1 AND environments.slug = $2 AND environments.environment = $3
    AND environments.project_id = target.project_id AND target.user_version_ceiling < ${version}
  RETURNING 1`;

/** SQL for the version that a write replaces. */
interface KeepingSql {
  /** The bytes by which the usage grows. */
  readonly grown: string;
  /** The counted bytes of the kept versions afterwards. */
  readonly historyBytes: string;
  /** Whether the write fits, regardless of the account's usage. */
  readonly fits: string;
  /** A condition of the change. */
  readonly condition: string;
  /** Expressions of the WITH clause after `record`: `whole` if the statement carries out the write alone. */
  readonly whole: string;
  readonly head: string;
}

/**
 * It is kept: $18 form, $19 checksum and $20 text are stored of it, which count with $17 bytes, with $21 its time, $22 its size, $23 its
 * author and $24 its comment. The caller knows all of it, since the version of a number never changes.
 */
const keeping: KeepingSql = {
  grown: '$5::bigint - user_states.state_bytes + $17::bigint',
  historyBytes: 'user_states.history_bytes + $17::bigint',
  fits: 'bytes_max = 0',
  condition: '',
  head: '',
  whole: `kept_version AS (
    INSERT INTO user_state_versions (account_id, project_id, record_id, version, created_micros, environment, form, checksum, written_at,
      replaced_at, state_bytes, author, comment, state)
    SELECT $1, project_id, record_id, $11::bigint, created_micros, $3, $18::smallint, $19::integer, $21::bigint, $10, $22::bigint, $23::text,
      $24::text, $20::text
    FROM record
    RETURNING 1
  ), `,
};

const dropped = `dropped AS (
    DELETE FROM user_state_versions AS versions USING record, current
    WHERE current.history_bytes > 0 AND versions.account_id = $1 AND versions.project_id = record.project_id
      AND versions.record_id = record.record_id
    RETURNING 1
  ), `;

/**
 * It is not kept, and earlier kept versions are dropped. All of them are seen if the write before is, which is read only if anything is
 * kept. A shorter state always has room.
 */
const dropping: KeepingSql = {
  grown: '$5::bigint - user_states.state_bytes - user_states.history_bytes',
  historyBytes: '0',
  fits: 'bytes_max = 0 OR $5::bigint <= user_states.state_bytes',
  condition: 'AND (user_states.history_bytes = 0 OR EXISTS (SELECT 1 FROM current WHERE current.version = $11::bigint))',
  whole: dropped,
  head: dropped,
};

/** The version of a replacement: the caller knows it too. */
const replacing = `(${nextVersionSql('$11::bigint', '$16::bigint')})`;

/**
 * Replaces a record: $5 bytes and $9 text of the state, $10 the time, $6 the part of the usage that counts the player, $7 the limit of
 * bytes, $8 the headroom below it, $11 the expected version, $12 the author, $13 the comment, $14 the epoch of the token, $15 what stands
 * for the player, and $16 the version floor.
 */
const replacement = (
  { known, isNew, kept, columns }: RepeatSql,
  { grown, historyBytes, fits, condition, ...expressions }: KeepingSql,
  form: 'whole' | 'head',
) => `
  WITH ${known}target AS (${target}), current AS (${current}), ending AS (${ending('$14', '$15')}), raised AS (
    ${raise(replacing, '$16::bigint', 'target JOIN current ON current.version = $11::bigint AND NOT EXISTS (SELECT 1 FROM ending)')}
  ), record AS (
    UPDATE user_states
    SET version = ${replacing}, updated_at = $10, grown_bytes = ${grown}, state_bytes = $5::bigint, state = $9,
      author = $12::text, comment = $13::text, history_version = ${replacing}, history_bytes = ${historyBytes}
    FROM target
    WHERE user_states.account_id = $1 AND user_states.project_id = target.project_id AND user_states.environment = $3
      AND user_states.end_user_id = $4 AND user_states.version = $11::bigint ${condition}
      AND (target.user_version_ceiling >= ${replacing} OR EXISTS (SELECT 1 FROM raised))
      AND (${fits} OR ${storageBytesOf('$1')} + ${grown} + $8::bigint <= bytes_max)
      AND (${isOrdinary} OR user_states.is_linked = 1 OR ${fits} OR ${guestBytesOf('$1')} + ${grown} + $8::bigint <= ${partOfGuestsSql('bytes_max')})
      AND NOT EXISTS (SELECT 1 FROM ending) ${isNew}
    RETURNING user_states.project_id, user_states.record_id, user_states.created_micros, user_states.version, user_states.grown_bytes,
      user_states.is_linked
  ), ${expressions[form]}usage AS (
    UPDATE user_usage SET bytes = user_usage.bytes + record.grown_bytes
    FROM record
    WHERE user_usage.account_id = $1 AND user_usage.project_id = record.project_id AND user_usage.part = ${partOf('record')}
      AND record.grown_bytes <> 0
    RETURNING 1
  )${form === 'whole' ? kept('record', '$10') : ''}
  SELECT current.version, current.state_bytes, current.is_linked, false AS is_new, target.bytes_max,
    EXISTS (SELECT 1 FROM record) AS is_written, EXISTS (SELECT 1 FROM ending) AS has_ended${columns}${form === 'whole' ? '' : written}
  FROM target LEFT JOIN current ON true`;

/** What else the caller needs to add rows for the record. */
const written = ['project_id', 'record_id', 'created_micros']
  .map((column) => `, (SELECT ${column} FROM record) AS ${column}`)
  .join('');

const forms = (first: number, sql: KeepingSql, form: 'whole' | 'head') => ({
  once: replacement(withRepeat(first), sql, form),
  plain: replacement(withoutRepeat, sql, form),
});

/**
 * The statements that replace a record. The last parameters of a write that can be repeated are its `repeatValues`. Those of `head` add no
 * rows, which `distributed-writes.ts` does after them: they end with $16 or $17 and the values that find a repeat.
 */
export const replacements = {
  whole: { dropping: forms(17, dropping, 'whole'), keeping: forms(25, keeping, 'whole') },
  head: { dropping: forms(17, dropping, 'head'), keeping: forms(18, keeping, 'head') },
} as const;

/** The WITH clause of a creation with all that it depends on. */
const lookOf = ({ known }: RepeatSql) => `
  WITH ${known}target AS (${target}), current AS (${current}), ending AS (${ending('$11', '$12')}), member AS (
    SELECT 1 FROM target JOIN end_users ON end_users.account_id = $1 AND end_users.project_id = target.project_id
      AND end_users.end_user_id = $4
  ), player AS (
    SELECT player_id, CASE WHEN player_id = $4 THEN 1 ELSE 0 END AS is_linked FROM player_links
    WHERE player_links.account_id = $1 AND subject = $4
  )`;

/** Whether the account has room for the record. */
const hasRoom = `(coalesce(end_users_max, $9) = 0 OR EXISTS (SELECT 1 FROM member)
        OR ${playersOf('$1')} + 1 + $10::bigint <= coalesce(end_users_max, $9))
      AND (bytes_max = 0 OR ${storageBytesOf('$1')} + $5::bigint + $8::bigint <= bytes_max)
      AND (${isOrdinary} OR EXISTS (SELECT 1 FROM player) OR ((coalesce(end_users_max, $9) = 0 OR EXISTS (SELECT 1 FROM member)
          OR ${guestsOf('$1')} + 1 + $10::bigint <= ${partOfGuestsSql('coalesce(end_users_max, $9)')})
        AND (bytes_max = 0 OR ${guestBytesOf('$1')} + $5::bigint + $8::bigint <= ${partOfGuestsSql('bytes_max')})))`;

/** The result of a creation, with the version that was written. */
const createdOf = (version: string, { columns }: RepeatSql) => `
  SELECT current.version, NULL::bigint AS state_bytes, NOT EXISTS (SELECT 1 FROM member) AS is_new, target.bytes_max,
    coalesce(target.end_users_max, $9) AS end_users_max, ${version} AS written,
    (SELECT is_linked FROM player) AS is_linked, EXISTS (SELECT 1 FROM ending) AS has_ended${columns}`;

/**
 * Creates a record: $5 to $8 as above, $14 the bucket of the player, $15 the bit of the environment, $16 a record id, $9 the limit of
 * players, $10 the headroom below it, $17 the author, $18 the comment, $11 the epoch of the token, $12 what stands for the player, and $13
 * the version floor.
 *
 * Nothing is created for an id that stands for another player (`player_links`). Whoever changes that locks the bucket too, and counts in
 * `endings`: a creation that has waited for it looks again.
 *
 * The row of the bucket is locked first, until the end: its version is the floor that the new record starts above. A deletion of the same
 * player raises that floor, and therefore comes completely before or completely after.
 */
const creation = (repeat: RepeatSql) => `${lookOf(repeat)}, seen AS (
    SELECT endings FROM target JOIN end_user_floors ON end_user_floors.account_id = $1
      AND end_user_floors.project_id = target.project_id AND end_user_floors.environment = $3 AND end_user_floors.bucket = $14
  ), bucket AS (
    INSERT INTO end_user_floors (account_id, project_id, environment, bucket, version)
    SELECT $1, project_id, $3, $14, user_version_floor FROM target
    WHERE NOT EXISTS (SELECT 1 FROM current) AND NOT EXISTS (SELECT 1 FROM ending)
    ON CONFLICT (account_id, project_id, environment, bucket) DO UPDATE SET version = end_user_floors.version
    RETURNING ${nextVersionSql('version', '$13::bigint')} AS version, endings
  ), raised AS (
    ${raise('bucket.version', '$13::bigint', 'target, bucket')}
  ), record AS (
    INSERT INTO user_states (account_id, project_id, environment, end_user_id, record_id, created_micros, created_at, updated_at,
      version, state_bytes, grown_bytes, state, author, comment, history_version, is_linked)
    SELECT $1, target.project_id, $3, $4, $16::uuid, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, $20, $20,
      bucket.version, $5::bigint, $5::bigint, $19, $17::text, $18::text, bucket.version, coalesce((SELECT is_linked FROM player), 0)
    FROM target, bucket
    WHERE bucket.endings = coalesce((SELECT endings FROM seen), 0) AND NOT EXISTS (SELECT 1 FROM player WHERE is_linked = 0)
      AND (target.user_version_ceiling >= bucket.version OR EXISTS (SELECT 1 FROM raised))
      AND ${hasRoom}
      ${repeat.isNew}
    ON CONFLICT (account_id, project_id, end_user_id, environment) DO NOTHING
    RETURNING project_id, version, is_linked
  ), joined AS (
    INSERT INTO end_users (account_id, project_id, end_user_id, environments)
    SELECT $1, project_id, $4, $15::smallint FROM record
    ON CONFLICT (account_id, project_id, end_user_id) DO UPDATE SET environments = end_users.environments | $15::smallint
    RETURNING project_id, environments, (SELECT is_linked FROM record) AS is_linked
  ), usage AS (
    INSERT INTO user_usage (account_id, project_id, part, end_users, bytes)
    SELECT $1, project_id, ${partOf('joined')}, CASE WHEN environments = $15::smallint THEN 1 ELSE 0 END, $5::bigint FROM joined
    ON CONFLICT (account_id, project_id, part) DO UPDATE
    SET end_users = user_usage.end_users + excluded.end_users, bytes = user_usage.bytes + excluded.bytes
    RETURNING 1
  )${repeat.kept('record', '$20')}${createdOf('(SELECT version FROM record)', repeat)}
  FROM target LEFT JOIN current ON true`;

export const createRecord = creation(withoutRepeat);
/** The same for a write that can be repeated: $21 to $23 are its `repeatValues`. */
export const createRecordOnce = creation(withRepeat(21));

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

/** What a creation depends on, once its bucket is locked; with $1 to $12 as above, and the values that find a repeat. */
export const lookBeforeCreation = { plain: look(withoutRepeat), once: look(withRepeat(13)) } as const;

/** Raises the ceiling to the version $4 of the project $5, by the version floor $6. */
export const raiseCeiling = `
  UPDATE environments
  SET user_version_ceiling = greatest(user_version_ceiling, ${ceilingSql('$4::bigint', 'user_version_floor', '$6::bigint')})
  WHERE account_id = $1 AND slug = $2 AND environment = $3 AND project_id = $5
  RETURNING 1`;
