/** The sessions that hold locks for which a schema step waits. */
import { integerAt, optionalTextAt } from '../../rows/columns.ts';
import type { Query } from '../connection/query.ts';

/** The maximum number of sessions named: those with the oldest transactions. */
const namedMax = 3;

/** Names of tables that a statement of the schema locks. */
const locked = /\b(?:ALTER TABLE|DROP TABLE|CREATE (?:UNIQUE )?INDEX \w+ ON)(?: IF EXISTS)? (\w+)/g;

/** Returns the sessions that hold locks on the tables changed by this SQL, in words; empty if the database does not report them. */
export async function lockHolders(query: Query, sql: string): Promise<readonly string[]> {
  const tables = Array.from(sql.matchAll(locked), ([, table]) => table as string);
  // A row for each session. Its statements are not read: they may contain secrets.
  const rows = await query(
    `SELECT pid, application_name, usename::text AS user_name, state, coalesce(xact_start, state_change, backend_start)::text AS since
     FROM pg_stat_activity
     WHERE pid <> pg_backend_pid() AND datname = current_database() AND pid IN (
       SELECT pid FROM pg_locks JOIN pg_class ON pg_class.oid = relation
       WHERE locktype = 'relation' AND granted AND relnamespace = current_schema()::regnamespace
         AND relname = ANY(string_to_array($1, ',')))
     ORDER BY coalesce(xact_start, state_change, backend_start) LIMIT ${namedMax}`,
    [tables.join(',')],
  ).catch(() => []);
  return rows.map((row) => {
    const [name, user, state, since] = ['application_name', 'user_name', 'state', 'since'].map((column) =>
      optionalTextAt(row, column),
    );
    const what = [name && `application "${name}"`, user && `user ${user}`, state, since && `since ${since}`];
    return `process ${integerAt(row, 'pid')} (${what.filter(Boolean).join(', ')})`;
  });
}
