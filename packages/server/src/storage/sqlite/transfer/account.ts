/**
 * Imports one account into an embedded database in use. Until the account's row exists, the written records are an orphan (sweep.ts): they
 * are not read, and the sweep removes them, but not before the time in `target`.
 */
import type { DatabaseSync } from 'node:sqlite';
import { now } from '../../../common/time/clock.ts';
import { integerAt } from '../../rows/columns.ts';
import {
  type AccountTarget,
  anotherImport,
  importLeaseMilliseconds,
  publishedKinds,
} from '../../transfer/account-import.ts';
import { TakenId, takenIdQuery } from '../../transfer/ids.ts';
import type { TransferKind, TransferRecord } from '../../transfer/kinds.ts';
import { databasePath, openForWriting } from '../directory/database.ts';
import { findOrphan, sweepAccount, sweepSlice } from '../sweep/sweep.ts';
import { openTransferReader } from './read.ts';
import { createTransferWriter, totals } from './write.ts';

/** Runs `work` in a transaction. */
function transact<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Like `createTransferWriter`, for one account. The writer throws `TakenId` if a different account has an id of the records. */
function createAccountWriter(database: DatabaseSync, accountId: string) {
  const write = createTransferWriter(database, ['developers']);
  return (kind: TransferKind, records: readonly TransferRecord[]): void => {
    const taken = takenIdQuery(kind, records, { table: kind, found: 'SELECT value FROM json_each($1)' });
    if (taken !== undefined && database.prepare(taken.sql).get({ $1: taken.ids, $2: accountId })) throw new TakenId(kind);
    write(kind, records);
  };
}

/** Opens the database of a data directory for an account with this id. Only this target writes records of the account. */
export function openSqliteAccountTarget(dataDir: string, accountId: string): AccountTarget {
  const database = openForWriting(databasePath(dataDir));
  database.exec('PRAGMA wal_autocheckpoint = 1000');
  const write = createAccountWriter(database, accountId);
  // Orphan numbers are reused: only number and time together identify this import.
  let [orphan, lease] = [0, 0];

  /** Runs `work` while the written records still belong to this import. */
  function held<Result>(work: () => Result): Result {
    const next = Math.max(lease + 1, now() + importLeaseMilliseconds);
    const result = transact(database, () => {
      // No change: another import of the account has begun.
      const { changes } = database
        .prepare('UPDATE orphans SET target = ? WHERE orphan_number = ? AND account_id = ? AND target = ?')
        .run(next, orphan, accountId, lease);
      if (Number(changes) === 0) throw anotherImport(accountId);
      return work();
    });
    lease = next;
    return result;
  }
  const release = () => database.prepare('DELETE FROM orphans WHERE orphan_number = ?').run(orphan);
  const fields: TransferRecord = { account_id: accountId };

  return {
    ...openTransferReader(database, 'incoming'),
    async begin(onClearing) {
      const hasLeft = transact(database, () => {
        // No row: no such account.
        if (database.prepare('SELECT 1 AS found FROM accounts WHERE account_id = ?').get(accountId)) return undefined;
        lease = now() + importLeaseMilliseconds;
        // One row, always. Its number differs from that of the one it replaces.
        const row = database
          .prepare("INSERT INTO orphans (kind, account_id, target) VALUES ('account', ?, ?) RETURNING orphan_number")
          .get(accountId, lease);
        orphan = integerAt(row ?? {}, 'orphan_number');
        const { changes } = database
          .prepare("DELETE FROM orphans WHERE kind = 'account' AND account_id = ? AND orphan_number <> ?")
          .run(accountId, orphan);
        return Number(changes) > 0;
      });
      if (hasLeft === undefined) return 'exists';
      if (hasLeft) onClearing();
      while (!held(() => sweepAccount(database, accountId)));
      // The contents of its projects are now separate orphans, without a known account.
      for (let left = findOrphan(database); left !== undefined; left = findOrphan(database)) {
        const found = left;
        held(() => sweepSlice(database, found));
      }
      return 'begun';
    },
    write: async (kind, records) => held(() => write(kind, records)),
    renew: async () => held(() => undefined),
    count: async () =>
      held(() => {
        for (const sql of totals.account.records) database.prepare(sql).run(fields);
      }),
    publish: async (published) =>
      held(() => {
        release();
        for (const kind of publishedKinds) write(kind, published[kind]);
        for (const sql of totals.account.accounts) database.prepare(sql).run(fields);
      }),
    async abandon() {
      while (!held(() => sweepAccount(database, accountId)));
      transact(database, release);
    },
    close: async () => database.close(),
  };
}
