/** One account that comes into an embedded database which others may use. */
import type { AccountTarget } from '../../transfer.ts';
import { databasePath, openForWriting } from '../directory/database.ts';
import { openTransferReader } from './read.ts';
import { createTransferWriter, totalsOf } from './write.ts';

/** Opens the database of a data directory for an account of this id. Nobody else writes anything of the account. */
export function openSqliteAccountTarget(dataDir: string, accountId: string): AccountTarget {
  const database = openForWriting(databasePath(dataDir));
  database.exec('PRAGMA wal_autocheckpoint = 1000');
  const write = createTransferWriter(database, ['developers']);
  const together = (work: () => void) => {
    database.exec('BEGIN IMMEDIATE');
    try {
      work();
      database.exec('COMMIT');
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  };
  return {
    ...openTransferReader(database),
    write: async (kind, records) => together(() => write(kind, records)),
    count: async () =>
      together(() => {
        for (const sql of totalsOf(`= '${accountId}'`)) database.exec(sql);
      }),
    close: async () => database.close(),
  };
}
