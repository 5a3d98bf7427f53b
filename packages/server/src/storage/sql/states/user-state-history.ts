/** Reads the earlier versions of user states. */

import type { ReadOutcome } from '../../contract/public-states.ts';
import { ofRecord } from '../../contract/read-owner.ts';
import type {
  UserState,
  UserStateHistoryItem,
  UserStateHistoryOutcome,
  UserStateKey,
  VersionRetention,
} from '../../contract/user-states.ts';
import { type Newest, restoreUserStates, VersionWalk, wholeEvery } from '../../history/user-state-versions.ts';
import { integerAt, optionalDecodedTextAt, optionalIntegerAt, optionalTextAt, type Row } from '../../rows/columns.ts';
import { environmentNumbers } from '../../rows/environment-numbers.ts';
import { noProject, toUserState, userStateAuthorAt } from '../../rows/state-rows.ts';
import { encodeText } from '../../rows/stored-texts.ts';
import type { UserStateStatements } from '../engine-sql.ts';
import { all, type Steps, type Value } from '../steps.ts';
import { largeRead, type Setting } from '../verb.ts';

/** The columns of the current version and of earlier ones. */
const newestDescribed =
  'version, updated_at AS written_at, CAST(NULL AS bigint) AS replaced_at, history_version, 0 AS form, state_bytes, author, comment';
const earlierDescribed =
  'versions.version, versions.written_at, versions.replaced_at, CAST(NULL AS bigint) AS history_version, versions.form, versions.state_bytes, versions.author, versions.comment';
const names = 'version, written_at, replaced_at, history_version, form, state_bytes, author, comment';

/** The current version as `record`, of the user state `$1` to `$4`. No row: no such project. A row without `version`: no state. */
const recordWith = (userStates: UserStateStatements, columns: string) => `
  record AS (
    SELECT ${userStates.record}, ${columns}
    FROM accounts JOIN projects ON projects.account_id = accounts.account_id
    LEFT JOIN user_states ON user_states.project_id = projects.project_id ${userStates.ofAccount}
      AND user_states.environment = $3 AND user_states.end_user_id = $4
    WHERE accounts.account_id = $1 AND projects.slug = $2
  )`;

const userStateValues = ({ accountId, slug, environment, playerId }: UserStateKey): Value[] => [
  accountId,
  slug,
  environmentNumbers[environment],
  encodeText(playerId),
];

/** More than any version, with room for a run above it. */
const above = Number.MAX_SAFE_INTEGER - wholeEvery;

/**
 * The oldest of the newest `versionsMax` earlier versions, as `kept`. They are counted only once the store has gone back: until then no
 * number is skipped (version-floors.ts).
 */
const keptOf = (userStates: UserStateStatements, versionsMax: string) => `
  kept AS MATERIALIZED (
    SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM marks WHERE name = 'version_floor') THEN record.version - ${versionsMax}
      WHEN ${versionsMax} = 0 THEN record.version ELSE coalesce((
        SELECT counted.version FROM (${userStates.below('versions.version', 'record.version', `1 OFFSET CASE WHEN ${versionsMax} = 0 THEN 0 ELSE ${versionsMax} - 1 END`)}) AS counted), 0) END AS version
    FROM record
  )`;

/** The rows of a user state without their texts, newest first, from a run above `$5`: the current version, then those that `$6` keeps. */
const listRows = (userStates: UserStateStatements) => `
  WITH ${recordWith(userStates, 'version, updated_at, history_version, state_bytes, author, comment')}, ${keptOf(userStates, 'CAST($6 AS bigint)')}
  SELECT 1 AS is_current, ${newestDescribed} FROM record
  UNION ALL
  SELECT 0 AS is_current, ${names} FROM (${userStates.below(earlierDescribed, `CAST($5 AS bigint) + ${wholeEvery}`, '$7')}) AS earlier
  WHERE version >= (SELECT version FROM kept)
  ORDER BY is_current DESC, version DESC`;

/**
 * The rows from version `$6` to `$5` with their texts, newest first, and the rows that lead to them: from version `$8`, or if it is null,
 * from the first whole version found. The current text is included only if needed.
 */
const readRows = (userStates: UserStateStatements) => `
  WITH ${recordWith(userStates, 'version, updated_at, history_version, state_bytes, author, comment, state')}, ${keptOf(userStates, 'CAST($7 AS bigint)')}
  SELECT 1 AS is_current, ${newestDescribed}, 0 AS checksum,
    CASE WHEN version <= CAST($5 AS bigint) + ${wholeEvery} THEN state END AS state FROM record
  UNION ALL
  SELECT * FROM (
    SELECT 0 AS is_current, ${earlierDescribed}, versions.checksum, versions.state
    FROM record JOIN user_state_versions AS versions ON ${userStates.ofRecord('versions')} CROSS JOIN kept
    WHERE versions.version >= CAST($6 AS bigint) AND versions.version >= kept.version
      AND versions.version <= coalesce(CAST($8 AS bigint), (
        SELECT whole.version FROM user_state_versions AS whole
        WHERE ${userStates.ofRecord('whole')} AND whole.version >= CAST($5 AS bigint) AND whole.version < CAST($5 AS bigint) + ${wholeEvery}
          AND whole.form % 2 = 0
        ORDER BY whole.version LIMIT 1), CAST($5 AS bigint) + ${wholeEvery - 1})) AS earlier
  ORDER BY is_current DESC, version DESC`;

/** The rows of a user state: the current version, and earlier ones newest first. */
interface UserStateRows {
  readonly current: Row;
  readonly earlier: readonly Row[];
}

/** Null if there is no state, undefined if the project does not exist. */
function* rowsOf(sql: string, values: readonly Value[]): Steps<UserStateRows | null | undefined> {
  const [current, ...earlier] = yield* all(sql, values);
  if (current === undefined) return undefined;
  return current.version === null ? null : { current, earlier };
}

const newestOf = (row: Row) => ({ version: integerAt(row, 'version'), continues: row.history_version === row.version });

function toItem(row: Row): UserStateHistoryItem {
  const isOld = row.is_current === 1 && row.history_version !== row.version;
  return {
    version: integerAt(row, 'version'),
    stateBytes: integerAt(row, 'state_bytes'),
    comment: isOld ? null : optionalDecodedTextAt(row, 'comment'),
    writtenAt: integerAt(row, 'written_at'),
    author: isOld ? null : userStateAuthorAt(row),
  };
}

const isKept = (row: Row, { keptAfter }: VersionRetention) =>
  row.is_current === 1 || (optionalIntegerAt(row, 'replaced_at') ?? 0) > keptAfter;

interface ListedRows {
  readonly rows: readonly Row[];
  /** The whole version from which the newest row is read; null if it is, or is read from, the current version. */
  readonly whole: number | null;
}
const noRows: ListedRows = { rows: [], whole: null };

/** The readable rows below `before`, up to one more than `itemsMax`. */
function* listedRows(
  { engine }: Setting,
  key: UserStateKey,
  before: number | null,
  itemsMax: number,
  retention: VersionRetention,
): Steps<ListedRows | undefined> {
  const below = before ?? above;
  const rowsMax = itemsMax + 1 + wholeEvery;
  const rows = yield* rowsOf(listRows(engine.userStates), [...userStateValues(key), below, retention.versionsMax, rowsMax]);
  if (rows === undefined) return undefined;
  if (rows === null) return noRows;
  const newest = newestOf(rows.current);
  const walk = new VersionWalk(newest.version <= below + wholeEvery ? newest : undefined);
  const reached = rows.earlier.filter((row) => walk.take(row) !== 'gone');
  const listed = [rows.current, ...reached].filter((row) => integerAt(row, 'version') < below && isKept(row, retention));
  const top = integerAt(listed[0] ?? rows.current, 'version');
  const whole = reached.findLast((row) => integerAt(row, 'version') >= top && integerAt(row, 'form') % 2 === 0);
  return { rows: listed, whole: whole === undefined ? null : integerAt(whole, 'version') };
}

interface HistoryPage {
  readonly before: number | null;
  readonly itemsMax: number;
  readonly retention: VersionRetention;
}

function* listHistory(setting: Setting, key: UserStateKey, page: HistoryPage): Steps<UserStateHistoryOutcome> {
  const { before, itemsMax, retention } = page;
  const listed = yield* listedRows(setting, key, before, itemsMax, retention);
  if (listed === undefined) return noProject;
  const { rows } = listed;
  return { kind: 'history', items: rows.slice(0, itemsMax).map(toItem), hasMore: rows.length > itemsMax };
}

interface Range {
  readonly oldest: number;
  readonly top: number;
  /** The whole version from which all of them are read, if it is known and not the current one. */
  readonly whole?: number | null;
  readonly retention: VersionRetention;
}

/** The versions from `oldest` to `top`, newest first. */
function* versionsBetween(
  { engine }: Setting,
  key: UserStateKey,
  { oldest, top, whole = null, retention }: Range,
): Steps<readonly UserState[] | undefined> {
  const values = [...userStateValues(key), top, oldest, retention.versionsMax, whole];
  const rows = yield* rowsOf(readRows(engine.userStates), values);
  if (rows === undefined) return undefined;
  if (rows === null) return [];
  const { current, earlier } = rows;
  const stateText = optionalTextAt(current, 'state');
  const newest: Newest | undefined = stateText === null ? undefined : { ...newestOf(current), stateText };
  const nameOf = () => `a user state in ${key.accountId}/${key.slug}/${key.environment}`;
  const restored = restoreUserStates(earlier, top, nameOf, newest).filter(({ row }) => isKept(row, retention));
  const isCurrentWanted = integerAt(current, 'version') >= oldest && integerAt(current, 'version') <= top;
  const found = restored.map(({ row, stateText: state }) => earlierState(row, state));
  return isCurrentWanted ? [toUserState({ ...current, updated_at: current.written_at }), ...found] : found;
}

function earlierState(row: Row, stateText: string): UserState {
  const { writtenAt: updatedAt, ...item } = toItem(row);
  return { ...item, stateText, updatedAt, continues: integerAt(row, 'form') < 2 };
}

function* readVersion(
  setting: Setting,
  key: UserStateKey,
  version: number,
  retention: VersionRetention,
): Steps<ReadOutcome<UserState>> {
  const found = yield* versionsBetween(setting, key, { oldest: version, top: version, retention });
  if (found === undefined) return noProject;
  const [record] = found;
  return record === undefined ? { kind: 'absent' } : { kind: 'present', record };
}

/** The maximum number of versions in one portion of a list. */
const portionVersionsMax = 64;

interface Portion {
  readonly before: number | null;
  readonly charactersMax: number;
  readonly retention: VersionRetention;
}

function* listVersions(
  setting: Setting,
  key: UserStateKey,
  { before, charactersMax, retention }: Portion,
): Steps<{ readonly kind: 'versions'; readonly versions: readonly UserState[] } | typeof noProject> {
  const listed = yield* listedRows(setting, key, before, portionVersionsMax, retention);
  if (listed === undefined) return noProject;
  let bytes = 0;
  const taken = listed.rows.slice(0, portionVersionsMax).filter((row, index) => {
    bytes += integerAt(row, 'state_bytes');
    return index === 0 || bytes <= charactersMax;
  });
  const [newest, oldest] = [taken[0], taken.at(-1)];
  if (newest === undefined || oldest === undefined) return { kind: 'versions', versions: [] };
  const { whole } = listed;
  const range = { oldest: integerAt(oldest, 'version'), top: integerAt(newest, 'version'), whole, retention };
  return { kind: 'versions', versions: (yield* versionsBetween(setting, key, range)) ?? [] };
}

export const userStateHistoryVerbs = {
  /**
   * A page of a user state's versions below `before` (null: from the current version), newest first, without their documents. Empty if
   * nothing is stored.
   */
  listUserStateHistory: largeRead(listHistory, ofRecord),
  /** One version of a user state by number; `absent` if it is not kept. */
  readUserStateVersion: largeRead(readVersion, ofRecord),
  /**
   * A user state's versions below `before` (null: from the current version), newest first: as many as fit into `charactersMax` of state
   * text, but at least one. Empty if no version is left.
   */
  listUserStateVersions: largeRead(listVersions, ofRecord),
};
