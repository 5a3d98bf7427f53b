/** A snapshot of an embedded database, which a service may be using. */

import { bytesAt } from '../../rows/columns.ts';
import { requireNoneNewer } from '../../sql/schema/applied-migrations.ts';
import type { TransferReader } from '../../transfer/copy.ts';
import { databasePath, openForReading } from '../directory/database.ts';
import { appliedMigrations, migrations, pendingMigrations } from '../schema/migrations.ts';
import { openTransferReader } from './read.ts';

/**
 * Calls `work` with a reader of the database of a data directory, which does not see later writes, and the secret of the installation.
 * Throws an `Error` if the database does not match this program. The write-ahead log grows until `work` is done.
 */
export async function withSqliteSnapshot<Result>(
  dataDir: string,
  work: (reader: TransferReader, installation: Uint8Array) => Promise<Result>,
): Promise<Result> {
  const database = openForReading(databasePath(dataDir));
  try {
    requireNoneNewer(`the store in ${dataDir}`, appliedMigrations(database), migrations);
    if (pendingMigrations(database).length > 0) {
      throw new Error(`the store in ${dataDir} is of an earlier release: start the service of this one first`);
    }
    database.exec('BEGIN');
    // One row, always: made with the table.
    const secret = bytesAt(database.prepare('SELECT secret FROM bucket_key').get() ?? {}, 'secret');
    return await work(openTransferReader(database), secret);
  } finally {
    database.close();
  }
}
