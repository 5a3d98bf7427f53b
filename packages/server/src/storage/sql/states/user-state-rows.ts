/** Steps on a player's user state and its kept versions, inside a verb. */

import type { NewUserState, UserState, VersionRetention } from '../../contract/user-states.ts';
import {
  keptBytes,
  type ReplacedUserState,
  replacedColumns,
  replacedUserState,
  replacedValues,
} from '../../history/replaced-user-state.ts';
import { nextVersion } from '../../history/version-floors.ts';
import { integerAt, type Row } from '../../rows/columns.ts';
import { environmentNumbers } from '../../rows/environment-numbers.ts';
import { encodeUserStateAuthor, toUserState, userStateColumns } from '../../rows/state-rows.ts';
import { encodeOptional, encodeText } from '../../rows/stored-texts.ts';
import type { EngineSql, UserStateRowKey, UserStateStatements } from '../engine-sql.ts';
import { all, first, type Steps, type Value } from '../steps.ts';
import { readVersionFloor } from '../upkeep/store-rollback.ts';
import type { Setting } from '../verb.ts';

/** A user state that is locked until the end of the transaction. */
export interface HeldUserState extends UserState {
  /** Identifies the record in `user_state_versions`. */
  readonly record: readonly Value[];
  /** The counted bytes of the kept versions. */
  readonly historyBytes: number;
}

/** Returns and locks the current user state until the end of the transaction. Undefined if there is none. */
export function* lockUserState(
  { engine }: Pick<Setting, 'engine'>,
  key: UserStateRowKey,
): Steps<HeldUserState | undefined> {
  const { condition, values } = engine.userStates.at(key);
  // No row: the player has no state here.
  const row = yield* first(
    `SELECT ${engine.userStates.record}, history_bytes, ${userStateColumns} FROM user_states WHERE ${condition} FOR UPDATE`,
    values,
  );
  if (row === undefined) return undefined;
  return { ...toUserState(row), record: recordOf(engine.userStates, row), historyBytes: integerAt(row, 'history_bytes') };
}

/** Whether a player has a state in any project of an account. */
export function* hasUserStates(
  { engine: { userStates } }: Pick<Setting, 'engine'>,
  accountId: string,
  playerId: string,
): Steps<boolean> {
  // No row: the player has none.
  const row = yield* first(
    `SELECT 1 AS found
     FROM projects JOIN user_states ON user_states.project_id = projects.project_id ${userStates.ofAccount}
     WHERE projects.account_id = $1 AND end_user_id = $2 LIMIT 1`,
    [accountId, encodeText(playerId)],
  );
  return row !== undefined;
}

/** The values that identify the record of a row. */
export const recordOf = ({ recordColumns }: UserStateStatements, row: Row): (string | number)[] =>
  recordColumns.map((column) => row[column] as string | number);

/**
 * Writes the next version of a locked user state, keeps the previous version if `retention` requires it, and counts the bytes of both. Does
 * not check the account's limits. Returns the new user state.
 */
export function* replaceUserState(
  { engine }: Pick<Setting, 'engine'>,
  key: UserStateRowKey,
  before: HeldUserState,
  next: Pick<NewUserState, 'stateText' | 'stateBytes' | 'writtenAt' | 'author' | 'comment' | 'retention'>,
): Steps<HeldUserState> {
  const { stateText, stateBytes, writtenAt, author = null, comment = null, retention } = next;
  const floor = yield* readVersionFloor();
  const replaced = replacedUserState({ stateText, before, retention }, floor);
  const { condition, values } = engine.userStates.at(key);
  if (replaced !== undefined) yield* addVersion(engine, key, replaced, writtenAt);
  const dropped =
    replaced === undefined ? yield* dropVersions(engine.userStates, before.record, before.version, null) : none;
  const version = nextVersion(before.version, floor);
  const historyBytes = replaced === undefined ? 0 : before.historyBytes + replaced.bytes;
  yield* engine.raiseUserStateCeiling({ ...key, environment: environmentNumbers[key.environment] }, version, floor);
  const parameter = (index: number) => `$${values.length + index}`;
  // One row, always: it is locked.
  yield* all(
    `UPDATE user_states SET version = ${parameter(1)}, history_version = ${parameter(1)}, updated_at = ${parameter(2)},
       state_bytes = ${parameter(3)}, state = ${parameter(4)}, author = ${parameter(5)}, comment = ${parameter(6)},
       history_bytes = ${parameter(7)}
     WHERE ${condition}`,
    [
      ...values,
      version,
      writtenAt,
      stateBytes,
      stateText,
      encodeUserStateAuthor(author),
      encodeOptional(comment),
      historyBytes,
    ],
  );
  yield* engine.countUserState(key, stateBytes - before.stateBytes + (replaced?.bytes ?? -dropped.bytes));
  return {
    version,
    stateText,
    stateBytes,
    updatedAt: writtenAt,
    author,
    comment,
    continues: true,
    record: before.record,
    historyBytes,
  };
}

/** Adds the row of a version being replaced. Its record is locked. */
function* addVersion(
  engine: EngineSql,
  key: UserStateRowKey,
  replaced: ReplacedUserState,
  replacedAt: number,
): Steps<void> {
  const { condition, values } = engine.userStates.at(key);
  const types = ['bigint', 'bigint', 'bigint', 'bigint', 'smallint', 'integer', 'text', 'text', 'text'];
  const casts = types.map((type, index) => `CAST($${values.length + index + 1} AS ${type})`);
  const { columns, values: place } = engine.userStates.place;
  // One row, always.
  yield* all(
    `INSERT INTO user_state_versions (${columns}, ${replacedColumns.join(', ')})
     SELECT ${place}, ${casts.join(', ')} FROM user_states WHERE ${condition}`,
    [...values, ...replacedValues(replaced, replacedAt)],
  );
}

const none = { rows: 0, bytes: 0 };

/** More than any version, as SQL. */
const aboveAll = `CAST(${Number.MAX_SAFE_INTEGER} AS bigint)`;

/** SQL: whether a row of `user_state_versions` belongs to the record `$1` …. */
export const isOfRecordSql = ({ recordColumns }: UserStateStatements): string =>
  recordColumns.map((column, index) => `${column} = $${index + 1}`).join(' AND ');

/** SQL: the record `$1` … as the row of `record`. */
export const recordSql = ({ recordColumns, recordTypes }: UserStateStatements): string =>
  `record AS (SELECT ${recordColumns.map((column, index) => `CAST($${index + 1} AS ${recordTypes[index]}) AS ${column}`).join(', ')})`;

/**
 * Deletes the versions of a record that are no longer kept: the versions before the oldest kept one, or all versions if `retention` is
 * null. Returns their number and counted bytes.
 */
export function* dropVersions(
  userStates: UserStateStatements,
  record: readonly Value[],
  currentVersion: number,
  retention: VersionRetention | null,
): Steps<{ readonly rows: number; readonly bytes: number }> {
  const isOfRecord = isOfRecordSql(userStates);
  const parameter = (index: number) => `$${record.length + index}`;
  const isAll = retention === null || retention.versionsMax === 0;
  const isTooOld = isAll
    ? ''
    : `AND version < coalesce((
         SELECT version FROM user_state_versions
         WHERE ${isOfRecord} AND replaced_at > ${parameter(2)} AND version >= coalesce((
           SELECT version FROM (${userStates.below('versions.version', aboveAll, `1 OFFSET ${parameter(1)}`)}) AS counted), 0)
         ORDER BY version LIMIT 1), ${parameter(3)})`;
  const bounds = isAll ? [] : [retention.versionsMax - 1, retention.keptAfter, currentVersion];
  // A row for each dropped version.
  const rows = yield* all(
    `WITH ${recordSql(userStates)} DELETE FROM user_state_versions WHERE ${isOfRecord} ${isTooOld} RETURNING ${keptBytes} AS bytes`,
    [...record, ...bounds],
  );
  return { rows: rows.length, bytes: rows.reduce((sum, row) => sum + integerAt(row, 'bytes'), 0) };
}
