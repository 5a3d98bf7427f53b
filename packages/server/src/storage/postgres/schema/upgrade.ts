/** Upgrades of a database shared by several nodes: until the upgrade is finished, nodes of an older program may use it too. */

import { randomUUID } from 'node:crypto';
import { now } from '../../../common/time/clock.ts';
import { everything } from '../../caches/access-changes.ts';
import type { EngineVerbs } from '../../contract/engine-verbs.ts';
import { integerAt } from '../../rows/columns.ts';
import { pendingOf } from '../../sql/schema/applied-migrations.ts';
import { newestMigration } from '../../sql/schema/releases.ts';
import type { Database } from '../connection/database.ts';
import type { Query } from '../connection/query.ts';
import { insertRow } from '../management/access-changes.ts';
import { appliedMigrations, migrations } from './migrations.ts';
import { activeNodes } from './nodes.ts';

/** Returns this part of the store. A finished upgrade stays finished, and is cached. */
export function createUpgrades({ database }: { readonly database: Database }): Pick<EngineVerbs, 'isUpgradeFinished'> {
  const finished = new Set<number>();
  return {
    async isUpgradeFinished(migration) {
      if (finished.has(migration)) return true;
      // No row: an older program may still use the database.
      const rows = await database.query('SELECT 1 FROM migrations WHERE number = $1 AND finished_at IS NOT NULL', [
        migration,
      ]);
      if (rows.length > 0) finished.add(migration);
      return rows.length > 0;
    },
  };
}

/** Whether the program that a connection belongs to knows fewer migrations than this one. */
const isOlder = (name: string): boolean => Number(/\d+$/.exec(name)?.[0] ?? 1) < newestMigration;

/** The result of finishing an upgrade. */
export type FinishOutcome =
  | { readonly kind: 'finished'; readonly migrations: readonly number[] }
  /** The upgrade was already finished. */
  | { readonly kind: 'already_finished' }
  /** No node of this program has upgraded the database yet. */
  | { readonly kind: 'not_begun' }
  /** Nodes of an older program are connected. */
  | { readonly kind: 'older_nodes'; readonly connections: number };

/** Finishes the upgrade of a database: from now on, no node of an older program uses it. Throws as `pendingOf` does. */
export async function finishUpgrade({ query }: Pick<Database, 'query'>): Promise<FinishOutcome> {
  if (pendingOf(await appliedMigrations(query), migrations).length > 0) return { kind: 'not_begun' };
  const open = await unfinished(query);
  if (open.length === 0) return { kind: 'already_finished' };
  const older = await activeNodes(query, isOlder);
  if (older.length > 0) return { kind: 'older_nodes', connections: older.length };
  await query('UPDATE migrations SET finished_at = $1 WHERE finished_at IS NULL AND number <= $2', [
    now(),
    newestMigration,
  ]);
  // Access that was checked by the older rules is checked again on every node.
  await insertRow(query, randomUUID(), everything);
  return { kind: 'finished', migrations: open };
}

/** Returns the migrations that an older program may not know. All programs know the first migration. */
export async function unfinished(query: Query): Promise<number[]> {
  const rows = await query(
    'SELECT number FROM migrations WHERE finished_at IS NULL AND number BETWEEN 2 AND $1 ORDER BY number',
    [newestMigration],
  );
  return rows.map((row) => integerAt(row, 'number'));
}
