/** The nodes connected to a database, as far as they are visible. */
import { setTimeout as delay } from 'node:timers/promises';
import { textAt } from '../../rows/columns.ts';
import type { Query } from '../connection/query.ts';

/** SQL: whether a connection belongs to a node of any version. */
const isOfNode = "(application_name = 'holdfast' OR application_name LIKE 'holdfast schema %')";

/** A running node looks for changes several times a second, so each check shows it. */
const checksMax = 4;
const pauseMilliseconds = 1_000;

/**
 * Returns the names of the connections of other processes that did something in the last seconds. Waits for connections that are ending.
 */
export async function activeNodes(query: Query, isMeant: (name: string) => boolean = () => true): Promise<string[]> {
  let names: string[] = [];
  for (let check = 0; check < checksMax; check++) {
    if (check > 0) await delay(pauseMilliseconds);
    // A row for each connection.
    const rows = await query(
      `SELECT application_name AS name FROM pg_stat_activity
       WHERE datname = current_database() AND ${isOfNode} AND pid <> pg_backend_pid()
         AND state_change > now() - interval '2 seconds'`,
    );
    names = rows.map((row) => textAt(row, 'name')).filter(isMeant);
    if (names.length === 0) return [];
  }
  return names;
}
