/** Statements of a copy, whose parameters are fields of its records. */
import type { DatabaseSync, SQLInputValue, StatementResultingChanges } from 'node:sqlite';
import type { TransferRecord } from '../../transfer.ts';

/** No row: no such project. */
export const fromProject =
  'FROM accounts JOIN projects USING (account_number) WHERE account_id = :account_id AND slug = :slug';

/** Prepares a statement. A record may have more fields than it has parameters. */
export function prepare(database: DatabaseSync, sql: string) {
  const prepared = database.prepare(sql);
  prepared.setAllowUnknownNamedParameters(true);
  const run = (record: TransferRecord): StatementResultingChanges => prepared.run(record as Record<string, SQLInputValue>);
  return {
    find: (record: TransferRecord) => prepared.get(record as Record<string, SQLInputValue>),
    run,
    /** Throws an `Error` when nothing was written. */
    runOne(record: TransferRecord): StatementResultingChanges {
      const result = run(record);
      if (result.changes !== 1) throw new Error('a record belongs to nothing that was copied before');
      return result;
    },
  };
}
