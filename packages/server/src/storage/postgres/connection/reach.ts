/** How a database can be reached, found out by reaching it. */

import { type DatabasePlace, databasePlace } from './address.ts';
import { openDatabase } from './database.ts';
import { tellsOfPooler } from './faults.ts';

/**
 * Returns the way to the database of a URL. A pooler that lies between shows itself, also where the URL does not say so. Rejects
 * with `StoreUnavailable` when the database cannot be reached.
 */
export async function reachDatabase(url: string, connectionsMax: number): Promise<DatabasePlace> {
  const place = databasePlace(url, connectionsMax);
  const database = openDatabase({ ...place, connectionsMax: 1 });
  try {
    await database.query('SELECT 1');
    return place;
  } catch (error) {
    const { cause } = error as Error;
    if (place.isPooled || !(cause instanceof Error) || !tellsOfPooler(cause.message)) throw error;
    return { ...place, isPooled: true };
  } finally {
    await database.close();
  }
}
