/** A snapshot of a database, which nodes may be using. */

import { bytesAt } from '../../rows/columns.ts';
import { requireNoneNewer } from '../../sql/schema/applied-migrations.ts';
import type { TransferReader } from '../../transfer/copy.ts';
import type { Query } from '../connection/query.ts';
import { isDistributed } from '../schema/distribution.ts';
import { appliedMigrations, migrations, requireComplete } from '../schema/migrations.ts';
import { opened, readIdentity, type TransferAddress } from './open.ts';
import { openTransferReader } from './read.ts';

/**
 * Calls `work` with a reader of the database, which does not see later writes, and the secret of the installation. Rejects with an `Error`
 * that names the database if it cannot be reached, holds no store, or does not match this program.
 */
export function withPostgresSnapshot<Result>(
  address: TransferAddress,
  work: (reader: TransferReader, installation: Uint8Array) => Promise<Result>,
): Promise<Result> {
  const { name } = address;
  return opened(address, async (database) => {
    try {
      await readIdentity(database.query, name);
      const applied = await appliedMigrations(database.query);
      requireNoneNewer(`the store in ${name}`, applied, migrations);
      if (applied.length < migrations.length) {
        throw new Error(`the store in ${name} is of an earlier release: start a node of this one first`);
      }
      await requireComplete(database.query, name);
      return await database.transaction('read committed', async (query) => {
        await query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
        if (await isDistributed(query)) await holdMachines(query);
        // No row: no node was ever started here.
        const [row] = await query('SELECT bucket_secret FROM installation WHERE id = 1');
        if (row === undefined) throw new Error(`there is no store in ${name}`);
        return work(openTransferReader(query), bytesAt(row, 'bucket_secret'));
      });
    } finally {
      await database.close();
    }
  });
}

/**
 * Begins the snapshot of every machine at once, before anything is read. More connections to a machine would each have a later one. What is
 * written at that moment may be in the snapshot of one machine and not in that of another; an account's states are on one.
 */
async function holdMachines(query: Query): Promise<void> {
  await query('SET LOCAL citus.max_adaptive_executor_pool_size = 1');
  // A row at most; every machine is asked.
  await query('SELECT 1 FROM environments LIMIT 1');
}
