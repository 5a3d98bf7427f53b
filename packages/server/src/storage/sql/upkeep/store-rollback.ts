/** The recorded facts about a rollback of the store, and the recovery from it. */
import { everything } from '../../caches/access-changes.ts';
import { type Marks, type RaisedFloor, type Rollback, unmarked } from '../../contract/installation.ts';
import { raisedFloor } from '../../history/version-floors.ts';
import { integerAt, optionalIntegerAt, textAt } from '../../rows/columns.ts';
import type { EngineSql } from '../engine-sql.ts';
import { pauseTimes } from '../proposals/proposal-times.ts';
import { all, first, one, type Steps, together } from '../steps.ts';
import { type Setting, write } from '../verb.ts';
import { marks as names } from './rollback-table.ts';

/** Returns all marks. */
export function* readMarks(): Steps<Marks> {
  // A row for each mark that was ever set.
  const rows = yield* all('SELECT name, value FROM marks');
  const values = new Map(rows.map((row) => [textAt(row, 'name'), integerAt(row, 'value')]));
  const of = (name: string) => values.get(name) ?? 0;
  return {
    versionFloor: of(names.versionFloor),
    rolledBackAt: of(names.rolledBackAt),
    recoveredAt: of(names.recoveredAt),
  };
}

/** The migration that created the table. */
const since = 20;

/** Returns all marks, even of a database made by an older program. */
export function* readMarksIfAny(): Steps<Marks> {
  const applied = yield* one('SELECT count(*) AS found FROM migrations WHERE number = $1', [since]);
  return Number(applied.found) > 0 ? yield* readMarks() : unmarked;
}

/** Returns the version floor. */
export function* readVersionFloor(): Steps<number> {
  // No row: the store never went back.
  const row = yield* first('SELECT value FROM marks WHERE name = $1', [names.versionFloor]);
  return row === undefined ? 0 : integerAt(row, 'value');
}

/** Sets a mark; a value lower than the current one changes nothing. */
function* raiseMark(name: string, value: number): Steps<void> {
  // One row; none if the current value is higher.
  yield* all(
    `INSERT INTO marks (name, value) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE marks.value < excluded.value`,
    [name, value],
  );
}

/** SQL: each returns one row with a number that no version of some records exceeds, in every engine. */
const highestVersions = [
  'SELECT max(version) AS highest FROM version_floors',
  'SELECT max(user_version) AS highest FROM version_floors',
  'SELECT max(schema_version) AS highest FROM version_floors',
  'SELECT max(version) AS highest FROM shapes',
  'SELECT max(value) AS highest FROM marks WHERE name = $1',
];

/** Returns a number that no version in the store exceeds, and its floor does not exceed. */
export function* highestVersion(engine: Pick<EngineSql, 'highestVersions'>): Steps<number> {
  let highest = 0;
  for (const sql of [...highestVersions, ...engine.highestVersions]) {
    // One row, always; null where there is no record.
    const row = yield* first(sql, sql.includes('$1') ? [names.versionFloor] : []);
    highest = Math.max(highest, optionalIntegerAt(row ?? { highest: null }, 'highest') ?? 0);
  }
  return highest;
}

function* raiseVersionFloor(engine: EngineSql, { known, ahead }: Rollback): Steps<RaisedFloor> {
  const floor = raisedFloor(Math.max(known, yield* highestVersion(engine)), ahead);
  if (floor !== undefined) yield* raiseMark(names.versionFloor, floor);
  return floor;
}

/** SQL: deletes records that are no longer valid. Any number of rows each. */
const clearings = ({ signIns: { codes, families } }: EngineSql) =>
  [
    ...new Set([codes, families, 'signing_keys', 'password_resets', 'pending_sign_ups', 'waiting_mails', 'invitations']),
  ].map((table) => ({ sql: `DELETE FROM ${table}`, values: [] }));

/** The steps of `recover`. */
export function* recoverStore({ engine }: Pick<Setting, 'engine'>, back: Rollback): Steps<RaisedFloor> {
  const floor = yield* raiseVersionFloor(engine, back);
  if (floor === undefined) return undefined;
  yield* together(clearings(engine));
  // A row for each webhook that was on. Events of the time before may have been sent already.
  yield* all("UPDATE webhooks SET enabled = 0, disabled_reason = 'restored', next_at = NULL WHERE enabled = 1");
  yield* pauseTimes();
  const { recoveredAt } = yield* readMarks();
  yield* raiseMark(names.recoveredAt, Math.max(back.now, recoveredAt + 1));
  // No row: no service has noticed it.
  yield* all('DELETE FROM marks WHERE name = $1', [names.rolledBackAt]);
  return floor;
}

/** The steps of `recordRollback`. */
export function* recordRollback({ engine }: Pick<Setting, 'engine'>, back: Rollback): Steps<RaisedFloor> {
  const floor = yield* raiseVersionFloor(engine, back);
  yield* raiseMark(names.rolledBackAt, back.now);
  return floor;
}

const effect = { invalidates: () => everything, forgets: true };

export const rollbackVerbs = {
  /** Raises the version floor after the store went back, and records that it did. Returns the floor. */
  recordRollback: write(recordRollback, effect),
  /**
   * Raises the version floor after the store went back, and ends everything issued before: sessions, tokens, authorization codes, mailed
   * codes, and open invitations. API keys and service account secrets stay. Returns the floor.
   */
  recover: write(recoverStore, effect),
};
