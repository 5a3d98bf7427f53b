/** A copy of another store on its way into a database: a row says so until it is complete. */
import { incompleteCopy } from '../../transfer.ts';
import type { Query } from '../connection/database.ts';

/** Rejects with an `Error` when the database holds a copy that is not complete. */
export async function demandComplete(query: Query, place: string): Promise<void> {
  // No row: there is no copy under way.
  const found = await query('SELECT 1 FROM incoming_copy');
  if (found.length > 0) throw new Error(`cannot open the database: ${incompleteCopy(place)}`);
}
