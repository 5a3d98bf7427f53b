/** Makes the space of deleted rows reusable, while nodes run. */
import { integerAt, textAt } from '../../rows/columns.ts';
import { reachDatabase, withDatabase } from '../connection/database.ts';
import type { Query } from '../connection/query.ts';

export interface TableSpace {
  readonly table: string;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/**
 * Vacuums the tables in order, and returns the size of each, including indexes. `onTable` is called with the next table and the progress.
 * Rejects if the database cannot be reached.
 */
export async function compactPostgres(
  url: string,
  onTable: (table: string, share: number) => void,
): Promise<readonly TableSpace[]> {
  return withDatabase(await reachDatabase(url, 1), async ({ query }) => {
    const before = await readSizes(query);
    for (const [index, { table }] of before.entries()) {
      onTable(table, index / before.length);
      // Readers and writers continue; free space at the end of a table is returned to the disk if the table is not in use at that moment.
      await query(`VACUUM (ANALYZE) ${table}`);
    }
    const after = new Map((await readSizes(query)).map(({ table, bytes }) => [table, bytes]));
    return before.map(({ table, bytes }) => ({ table, bytesBefore: bytes, bytesAfter: after.get(table) ?? 0 }));
  });
}

async function readSizes(query: Query): Promise<{ table: string; bytes: number }[]> {
  // A row for each table of the schema that nodes use.
  const rows = await query(
    `SELECT relname AS table, pg_total_relation_size(pg_class.oid)::bigint AS bytes FROM pg_class
     WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace ORDER BY 2 DESC, 1`,
  );
  return rows.map((row) => ({ table: textAt(row, 'table'), bytes: integerAt(row, 'bytes') }));
}
