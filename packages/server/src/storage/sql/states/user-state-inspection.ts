/** Finds faults in the versions of user states. Reads all versions and changes nothing. */
import { Buffer } from 'node:buffer';
import { spansOf } from '../../history/inspection.ts';
import { keptBytes } from '../../history/replaced-user-state.ts';
import { UserStateTexts } from '../../history/user-state-versions.ts';
import { integerAt, optionalTextAt, type Row } from '../../rows/columns.ts';
import { environmentNames } from '../../rows/environment-numbers.ts';
import type { UserStateStatements } from '../engine-sql.ts';
import { all, one, type Steps, type Value } from '../steps.ts';
import { recordOf } from './user-state-rows.ts';

/** Versions in memory at a time. */
const rowsAtOnce = 64;
/** How many damaged user states are listed. */
const namedMax = 20;

/** The migration that created the table. */
const since = 12;

/** Whether the database stores versions of user states, which a database of an older program does not. */
export function* keepsUserStateVersions(): Steps<boolean> {
  const applied = yield* one('SELECT count(*) AS found FROM migrations WHERE number = $1', [since]);
  return Number(applied.found) > 0;
}

/** Computes the text of every version of every user state. Returns a line for each damaged user state, at most 20. */
export function* damagedUserStates(userStates: UserStateStatements): Steps<readonly string[]> {
  if (!(yield* keepsUserStateVersions())) return [];
  const found: string[] = [];
  let last: Row | undefined;
  let texts = new UserStateTexts();
  let damaged: number[] = [];
  const tell = (row: Row | undefined) => {
    if (row === undefined || damaged.length === 0) return;
    const spans = spansOf(damaged.reverse()).join(', ');
    found.push(`${spans} of ${nameOf(row)} cannot be read: what is stored is not what was written`);
    damaged = [];
  };
  for (;;) {
    const values: readonly Value[] = last === undefined ? [] : [...recordOf(userStates, last), integerAt(last, 'version')];
    const rows = yield* all(pageStatement(userStates, last !== undefined), values);
    for (const row of rows) {
      if (last === undefined || recordOf(userStates, last).join() !== recordOf(userStates, row).join()) {
        tell(last);
        texts = new UserStateTexts(newestAt(row));
      }
      last = row;
      if (isDamaged(texts, row)) damaged.push(integerAt(row, 'version'));
    }
    if (rows.length < rowsAtOnce || found.length >= namedMax) break;
  }
  tell(last);
  return found.slice(0, namedMax);
}

/** Versions without a user state were left by an older program, and wait for the sweep. */
function isDamaged(texts: UserStateTexts, row: Row): boolean {
  const made = texts.take(row);
  if (row.current_version === null || made.kind === 'gone') return false;
  return made.kind !== 'text' || Buffer.byteLength(made.text) !== row.state_bytes;
}

/** The current version, which comes with the first row of a user state; without its text if a version is missing. */
function newestAt(row: Row) {
  if (row.current_version === null) return undefined;
  const stateText = optionalTextAt(row, 'current_state') ?? '';
  const version = integerAt(row, 'current_version');
  return { version, stateText, continues: row.history_version === row.current_version };
}

const nameOf = (row: Row): string =>
  `the save of ${row.end_user_id} in ${row.owner_id}/${row.slug}/${environmentNames[row.environment_number as number]}`;

/** The next versions, newest first, up to `rowsAtOnce` rows. */
function pageStatement(userStates: UserStateStatements, isNext: boolean): string {
  const keys = [...userStates.recordColumns, 'version'].map((key) => `versions.${key}`);
  const parameters = [...userStates.recordTypes, 'bigint'].map((type, index) => `CAST($${index + 1} AS ${type})`);
  return `
    SELECT versions.*, user_states.version AS current_version, user_states.history_version, user_states.end_user_id, slug,
      user_states.environment AS environment_number, projects.account_id AS owner_id,
      CASE WHEN versions.version = user_states.version - 1 THEN user_states.state END AS current_state
    FROM user_state_versions AS versions
    LEFT JOIN user_states ON ${userStates.stateOf('versions')}
    LEFT JOIN projects ON projects.project_id = user_states.project_id ${userStates.ofAccount}
    ${isNext ? `WHERE (${keys}) < (${parameters})` : ''}
    ORDER BY ${keys.map((key) => `${key} DESC`).join(', ')} LIMIT ${rowsAtOnce}`;
}

/** Returns a line for each project with wrongly counted versions of user states. */
export function* miscountedUserStates({ place, stateOf, ofAccount }: UserStateStatements): Steps<readonly string[]> {
  if (!(yield* keepsUserStateVersions())) return [];
  // A row for each of these projects.
  const rows = yield* all(
    `SELECT projects.account_id AS account_id, slug, count(*) AS states
     FROM user_states JOIN projects ON projects.project_id = user_states.project_id ${ofAccount}
     LEFT JOIN (
       SELECT ${place.columns}, sum(${keptBytes}) AS bytes FROM user_state_versions GROUP BY ${place.columns}
     ) AS kept ON ${stateOf('kept')}
     WHERE history_bytes <> coalesce(kept.bytes, 0) GROUP BY projects.account_id, slug ORDER BY 1, 2 LIMIT ${namedMax}`,
  );
  return rows.map(
    ({ account_id: accountId, slug, states }) => `${accountId}/${slug} counts the versions of ${states} saves wrongly`,
  );
}
