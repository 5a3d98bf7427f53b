/**
 * Indexes of large tables that were added after their tables. A new database gets them with its schema. In an older one they are built in
 * the background, without blocking reads and writes; until then the program works without them, more slowly.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { BackgroundObserver } from '../../contract/store-observer.ts';
import { indexesIn } from '../../sql/schema/declaration.ts';
import { sharedTable, sharedTableNames } from '../../sql/schema/tables.ts';
import type { DatabaseAddress } from '../connection/address.ts';
import { withDatabase } from '../connection/database.ts';
import type { Query } from '../connection/query.ts';

/** Those that the declared tables name. */
const ofShared = Object.fromEntries(
  sharedTableNames.flatMap((table) =>
    indexesIn(sharedTable(table)).flatMap(({ name, since, on, isOfLarge }) =>
      isOfLarge ? [[name, { since, on: `ON ${table} ${on}` }]] : [],
    ),
  ),
);

/** SQL: the key of a player (sql/players/player-keys.ts). */
export const playerKeySql = '(lower(end_user_id COLLATE "C"))';

/** By name: the migration of the index, and the SQL after its name. */
const laterIndexes: Readonly<Record<string, { readonly since: number; readonly on: string }>> = {
  ...ofShared,
  end_users_by_key: { since: 11, on: `ON end_users (account_id, project_id, ${playerKeySql}, end_user_id)` },
};

/** Builds the indexes of a migration in a new database, in the transaction that creates its tables. */
export async function createIndexes(query: Query, migration: number): Promise<void> {
  for (const [name, { since, on }] of Object.entries(laterIndexes)) {
    if (since === migration) await query(`CREATE INDEX ${name} ${on}`);
  }
}

/** Returns the names of missing or unfinished indexes. */
export async function missingIndexes(query: Query): Promise<string[]> {
  // A row for each usable one.
  const rows = await query(
    `SELECT relname FROM pg_class JOIN pg_index ON indexrelid = pg_class.oid
     WHERE indisvalid AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())`,
  );
  const found = new Set(rows.map(({ relname }) => relname));
  return Object.keys(laterIndexes).filter((name) => !found.has(name));
}

const pauseMilliseconds = 2_000;

/** Builds the named indexes in order. Returns a function that stops this after the current index. */
export function startBuilding(
  address: DatabaseAddress,
  names: readonly string[],
  background: BackgroundObserver,
): () => Promise<void> {
  const stop = new AbortController();
  const building = withDatabase(address, async ({ query }) => {
    for (const name of names) while (!stop.signal.aborted && !(await isBuilt(query, name))) await pause(stop.signal);
  }).catch((error: unknown) => {
    if (!stop.signal.aborted) background.onBackgroundFailure('sweep', error);
  });
  return async () => {
    stop.abort();
    await building;
  };
}

const pause = (signal: AbortSignal) => delay(pauseMilliseconds, undefined, { signal }).catch(() => undefined);

/** Builds an index unless another node is doing so. The remains of a killed node's attempt are dropped first. */
async function isBuilt(query: Query, name: string): Promise<boolean> {
  if (!(await missingIndexes(query)).includes(name)) return true;
  // A row: it is being built.
  const underWay = await query('SELECT 1 AS found FROM pg_stat_progress_create_index WHERE index_relid = to_regclass($1)', [
    name,
  ]);
  if (underWay.length > 0) return false;
  await query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  await query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ${laterIndexes[name]?.on ?? ''}`);
  return true;
}
