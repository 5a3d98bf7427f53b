/** Deletes the remains of deleted projects and accounts. */

import type { DatabaseSync } from 'node:sqlite';
import { now } from '../../../common/time/clock.ts';
import { integerAt, optionalIntegerAt, type Row, textAt, wordAt } from '../../rows/columns.ts';
import { sharedTableSlices, slice } from '../../sql/upkeep/deletion-slices.ts';
import { statement } from '../directory/database.ts';
import { isHeadOf } from '../schema/head-keys.ts';
import { forSqlite } from '../steps.ts';
import type { Commands } from '../writer/commands.ts';

/** The maximum removed by one slice: rows, or bytes of state, whichever is reached first. About 1 ms. */
const rowsMax = 64;
const bytesMax = 1_000_000;

/** One row for each environment of a project that holds state: its chain of versions is to be swept. */
export const orphanHeads = `
  INSERT INTO orphans (kind, target)
  SELECT 'versions', newest_id FROM public_state_heads
  WHERE ${isHeadOf('?1')} AND newest_id IS NOT NULL`;
/** At most one row for each environment of a project. */
export const deleteHeads = `DELETE FROM public_state_heads WHERE ${isHeadOf('?1')}`;

/** At most one row. */
export const deleteUsage = 'DELETE FROM project_usage WHERE project_id = ?1';

/** One row, always: the records of the players of a project are to be swept. */
export const orphanPlayers = "INSERT INTO orphans (kind, target) VALUES ('end_users', ?)";

/** The remains of a deletion: versions of public state from the newest, the players of a project, or an account, by id. */
export type Orphan = { readonly number: number } & (
  | { readonly kind: 'versions' | 'end_users'; readonly target: number }
  | { readonly kind: 'account'; readonly target: string }
);

const orphanColumns = 'orphan_number, kind, target, account_id';

function toOrphan(row: Row): Orphan {
  const number = integerAt(row, 'orphan_number');
  const kind = wordAt(row, 'kind', ['account', 'versions', 'end_users']);
  return kind === 'account'
    ? { number, kind, target: textAt(row, 'account_id') }
    : { number, kind, target: integerAt(row, 'target') };
}

/**
 * SQL: whether an orphan can be swept at the time `?1`. Records that an unfinished import has written are an orphan of the account, whose
 * `target` is the time until which it is left alone (transfer/account.ts).
 */
const isDue = "(kind <> 'account' OR target IS NULL OR target <= ?1)";

/** The first orphan with a number above `after` that can be swept now. */
export function findOrphan(database: DatabaseSync, after = 0): Orphan | undefined {
  // No row: nothing is left.
  const row = database
    .prepare(`SELECT ${orphanColumns} FROM orphans WHERE ${isDue} AND orphan_number > ?2 ORDER BY orphan_number LIMIT 1`)
    .get(now(), after);
  return row && toOrphan(row);
}

/**
 * Deletes a slice of the remains of deleted projects and accounts, inside the caller's transaction. The remains can no longer be read
 * anyway; the sweep only frees their space.
 */
export function sweepSlice(database: DatabaseSync, orphan: Orphan): void {
  const { number } = orphan;
  // No row: an import of the account has taken over what is left since the orphan was looked up.
  const find = `SELECT 1 AS found FROM orphans WHERE ${isDue} AND orphan_number = ?2`;
  if (database.prepare(find).get(now(), number) === undefined) return;
  if (isSwept(database, orphan)) database.prepare('DELETE FROM orphans WHERE orphan_number = ?').run(number);
}

/** Sweeps a slice. Returns whether nothing is left. */
function isSwept(database: DatabaseSync, { number, kind, target }: Orphan): boolean {
  if (kind === 'versions') return sweepVersions(database, number, target);
  if (kind === 'account') return sweepAccount(database, target);
  return sweepStates(database, target) && isCleared(database, projectSlices, target);
}

/** How many slices one command clears. */
const slicesPerCommand = 8;

/** Clears deleted accounts before their turn, on the writer thread. */
export function accountClearing(database: DatabaseSync): Pick<Commands, 'clearAccount'> {
  // No row: nothing is left.
  const find = statement(database, `SELECT ${orphanColumns} FROM orphans WHERE ${isDue} AND account_id = ?2 LIMIT 1`);
  return {
    clearAccount(accountId) {
      for (let slices = 0; slices < slicesPerCommand; slices++) {
        const orphan = find.get(now(), accountId);
        if (orphan === undefined) return 'cleared';
        sweepSlice(database, toOrphan(orphan));
      }
      return 'going_on';
    },
  };
}

/** Removes versions along a chain, newest first, and stores its progress. Returns whether the chain has ended. */
function sweepVersions(database: DatabaseSync, orphanNumber: number, newestId: number): boolean {
  const remove = database.prepare('DELETE FROM public_state_versions WHERE id = ? RETURNING previous_id, state_bytes');
  let id: number | null = newestId;
  for (let rows = 0, bytes = 0; id !== null && rows < rowsMax && bytes < bytesMax; rows++) {
    const row = remove.get(id);
    if (row === undefined) return true;
    bytes += integerAt(row, 'state_bytes');
    id = optionalIntegerAt(row, 'previous_id');
  }
  if (id === null) return true;
  database.prepare('UPDATE orphans SET target = ? WHERE orphan_number = ?').run(id, orphanNumber);
  return false;
}

/** Removes some projects of a deleted account, then some of its other remains. Returns whether everything is removed. */
export function sweepAccount(database: DatabaseSync, accountId: string): boolean {
  const projects = database.prepare('SELECT project_id FROM projects WHERE account_id = ? LIMIT ?').all(accountId, rowsMax);
  const orphan = database.prepare(orphanHeads);
  const removeHeads = database.prepare(deleteHeads);
  const orphanUsers = database.prepare(orphanPlayers);
  const removeUsage = database.prepare(deleteUsage);
  const removeProject = database.prepare('DELETE FROM projects WHERE project_id = ?');
  for (const row of projects) {
    const project = integerAt(row, 'project_id');
    orphan.run(project);
    removeHeads.run(project);
    orphanUsers.run(project);
    removeUsage.run(project);
    removeProject.run(project);
  }
  if (projects.length > 0) return false;
  return isCleared(database, [...accountSlices, ...sharedTableSlices(rowsMax)], accountId);
}

/** The remains of a deleted account in this engine's tables, except its projects: sign-ins of developers, and repeats. */
const accountSlices = [
  slice('sign_ins', 'sign_in_number', 'account_id = $1 AND project_id IS NULL', rowsMax),
  slice('write_repeats', 'repeat_number', 'account_id = $1', rowsMax),
];

const isOfProject = isHeadOf('$1');
/** A deleted project's data about its players, except their states. */
const projectSlices = [
  slice('sign_ins', 'sign_in_number', 'project_id = $1', rowsMax),
  slice('end_user_floors', 'head_key, bucket', isOfProject, rowsMax),
  slice('user_versions', 'head_key', isOfProject, rowsMax),
];

/** Runs slices until one has removed something. Returns whether nothing was left. */
const isCleared = (database: DatabaseSync, slices: readonly string[], target: number | string): boolean =>
  slices.every((sql) => database.prepare(forSqlite(sql)).all(target).length === 0);

/** Removes some user states of a project, with their versions. Returns whether all are removed. */
function sweepStates(database: DatabaseSync, project: number): boolean {
  const remove = database.prepare('DELETE FROM user_states WHERE sequence = ?');
  const removeVersions = database.prepare(
    `DELETE FROM user_state_versions WHERE record_id = ?1 AND version IN (
       SELECT version FROM user_state_versions WHERE record_id = ?1 ORDER BY version LIMIT ?2)`,
  );
  const rows = database
    .prepare('SELECT sequence, state_bytes + history_bytes AS bytes FROM user_states WHERE project_id = ? LIMIT ?')
    .all(project, rowsMax);
  let [bytes, versions] = [0, 0];
  for (const row of rows) {
    if (bytes >= bytesMax) break;
    const sequence = integerAt(row, 'sequence');
    versions += Number(removeVersions.run(sequence, rowsMax).changes);
    if (versions >= rowsMax) break;
    bytes += integerAt(row, 'bytes');
    remove.run(sequence);
  }
  return rows.length === 0;
}
