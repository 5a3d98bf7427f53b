/** One account that comes into a database which nodes may use. */
import type { AccountTarget } from '../../transfer.ts';
import { openDatabase, reachDatabase } from '../connection/database.ts';
import type { TransferAddress } from './open.ts';
import { openTransferReader } from './read.ts';
import { totalsOf, writeRecords } from './write.ts';

/** Opens the database for an account of this id. Nobody else writes anything of the account. Rejects when it cannot be reached. */
export async function openPostgresAccountTarget({ url }: TransferAddress, accountId: string): Promise<AccountTarget> {
  const database = openDatabase(await reachDatabase(url, 1), { isPatient: true });
  let written = 0;
  return {
    ...openTransferReader(database.query),
    async write(kind, records) {
      written += records.length;
      await database.transaction('read committed', (query) => writeRecords(query, kind, records, written, ['developers']));
    },
    count: () =>
      database.transaction('read committed', async (query) => {
        for (const sql of totalsOf(`= '${accountId}'`)) await query(sql);
      }),
    close: () => database.close(),
  };
}
