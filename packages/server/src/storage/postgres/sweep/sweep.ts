/**
 * Deletes the remains of deleted projects and accounts, slice by slice, on any node. The remains can no longer be read anyway; the sweep
 * only frees their space. Two nodes may do the same work without harm.
 */

import { now } from '../../../common/time/clock.ts';
import type { BackgroundObserver } from '../../contract/store-observer.ts';
import { optionalTextAt, textAt } from '../../rows/columns.ts';
import { all, type Steps } from '../../sql/steps.ts';
import { BackgroundWork } from '../../sql/upkeep/background-work.ts';
import { sharedTableSlices, slice } from '../../sql/upkeep/deletion-slices.ts';
import type { Database } from '../connection/database.ts';
import type { Row } from '../connection/query.ts';
import { accountSignInSlices, projectSignInSlices } from '../sign-in/sign-in-statements.ts';

/** The remains of a project, or of a whole account (`projectId` null). */
interface Orphan {
  readonly accountId: string;
  readonly projectId: string | null;
  readonly orphanId: string;
}

const toOrphan = (row: Row): Orphan => ({
  accountId: textAt(row, 'account_id'),
  projectId: optionalTextAt(row, 'project_id'),
  orphanId: textAt(row, 'orphan_id'),
});

/** Longer than any statement that began before the deletion, so nothing is written after the sweep. */
export const orphanDelayMilliseconds = 60_000;
const intervalMilliseconds = 20_000;
/** The pauses after a failed sweep. */
const sweepBackoff = { firstMilliseconds: intervalMilliseconds, maxMilliseconds: 300_000 };
/** The pause before another attempt at an orphan that could not be cleared. */
const putOffMilliseconds = 300_000;
const rowsPerSlice = 200;

/** Tables of records in a project, with the columns that identify a row in it. */
const projectTables = [
  ['public_state_versions', 'environment, version'],
  ['user_states', 'end_user_id, environment'],
  ['user_state_versions', 'record_id, version'],
  ['end_users', 'end_user_id'],
  ['user_usage', 'part'],
  ['end_user_floors', 'environment, bucket'],
] as const;

/** Tables of other records in an account, with the columns that identify a row in it. */
const accountTables = [
  ['environments', 'slug, environment'],
  ['write_repeats', 'scope, slot'],
] as const;

/** Records the remains of a deletion, in its transaction. */
export function* noteOrphan({ accountId, projectId, orphanId }: Orphan): Steps<void> {
  // One row, always.
  yield* all('INSERT INTO orphans (account_id, orphan_id, project_id, due_at) VALUES ($1, $2, $3::uuid, $4)', [
    accountId,
    orphanId,
    projectId,
    now() + orphanDelayMilliseconds,
  ]);
}

/** Immediately deletes the remains of a deleted account. */
export async function sweepAccount(database: Database, accountId: string): Promise<void> {
  // A row for each deletion that is not cleared yet.
  const rows = await database.query(
    'SELECT account_id, orphan_id, project_id FROM orphans WHERE account_id = $1 AND project_id IS NULL',
    [accountId],
  );
  for (const row of rows) await sweepOrphan(database, toOrphan(row));
}

/**
 * Sweeps the due orphans and returns the number of completed deletions. Failed ones are postponed so that the rest have their turn; then
 * the first failure is thrown. `now` is in milliseconds since the epoch.
 */
export async function sweepDue(database: Database, now: number, isStopped: () => boolean = () => false): Promise<number> {
  // A bounded number of the due deletions.
  const rows = await database.query(
    'SELECT account_id, orphan_id, project_id FROM orphans WHERE due_at <= $1 ORDER BY due_at LIMIT 20',
    [now],
  );
  const failures: unknown[] = [];
  for (const row of rows) {
    if (isStopped()) break;
    const orphan = toOrphan(row);
    try {
      await sweepOrphan(database, orphan, isStopped);
    } catch (error) {
      await putOff(database, orphan, now).catch(() => Promise.reject(error));
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return rows.length;
}

/** Postpones the next attempt. Rejects if the database cannot be queried. */
async function putOff(database: Database, { accountId, orphanId }: Orphan, now: number): Promise<void> {
  // No row: another node has cleared it.
  await database.query('UPDATE orphans SET due_at = $3 WHERE account_id = $1 AND orphan_id = $2', [
    accountId,
    orphanId,
    now + putOffMilliseconds,
  ]);
}

/** Sweeps from time to time. Returns a function that stops this. */
export function startSweep(database: Database, background: BackgroundObserver): () => Promise<void> {
  const work = new BackgroundWork('sweep', background, sweepBackoff);
  let isStopped = false;
  let sweeping: Promise<void> = Promise.resolve();
  let timer = setTimeout(begin, intervalMilliseconds).unref();

  function begin(): void {
    sweeping = sweep().then((rest) => {
      if (!isStopped) timer = setTimeout(begin, rest).unref();
    });
  }
  /** Returns the milliseconds until the next sweep; never rejects. */
  async function sweep(): Promise<number> {
    try {
      await sweepDue(database, now(), () => isStopped);
      work.succeed();
      return intervalMilliseconds;
    } catch (error) {
      return isStopped ? intervalMilliseconds : work.fail(error);
    }
  }

  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await sweeping;
  };
}

async function sweepOrphan(database: Database, orphan: Orphan, isStopped: () => boolean = () => false): Promise<void> {
  const { accountId, orphanId } = orphan;
  await removeLeft(database, orphan, isStopped);
  if (isStopped()) return;
  // No row: another node has done the same.
  await database.query('DELETE FROM orphans WHERE account_id = $1 AND orphan_id = $2', [accountId, orphanId]);
}

/** Deletes the contents of an orphan, but not the orphan itself. Rejects if the database cannot be queried. */
export async function removeLeft(
  { query }: Pick<Database, 'query'>,
  { accountId, projectId, orphanId }: Orphan,
  isStopped: () => boolean = () => false,
): Promise<void> {
  for (const statement of projectId === null ? accountSlices : projectSlices) {
    const values = projectId === null ? [accountId, orphanId] : [accountId, projectId];
    for (let removed = rowsPerSlice; removed === rowsPerSlice; ) {
      if (isStopped()) return;
      removed = (await query(statement, values)).length;
    }
  }
}

/** Each statement removes as many rows as a slice holds, or all remaining rows. */
const projectSlices: readonly string[] = [
  ...projectTables.map(([table, key]) => slice(table, key, 'account_id = $1 AND project_id = $2', rowsPerSlice)),
  ...projectSignInSlices(rowsPerSlice),
];

/**
 * SQL: whether the orphan `$2` of the account `$1` still exists. If not, an import of the account has taken over the remains, and rows of
 * the account belong to the import.
 */
const isLeft = 'EXISTS (SELECT 1 FROM orphans WHERE orphans.account_id = $1 AND orphans.orphan_id = $2)';
const isOfAccount = `account_id = $1 AND ${isLeft}`;

const accountSlices: readonly string[] = [
  ...projectTables.map(([table, key]) => slice(table, `project_id, ${key}`, isOfAccount, rowsPerSlice)),
  ...accountSignInSlices(rowsPerSlice, isLeft),
  ...sharedTableSlices(rowsPerSlice, isLeft),
  ...accountTables.map(([table, key]) => slice(table, key, isOfAccount, rowsPerSlice)),
];
