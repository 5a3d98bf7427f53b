import type { DatabaseSync } from 'node:sqlite';
import { type AppliedMigration, pendingOf, sha256Of, toAppliedMigration } from '../../sql/schema/applied-migrations.ts';
import { type Migration, migrationsOf, sqliteDialect } from '../../sql/schema/migrations.ts';
import { guestUsage, heartbeat, linkedGuests, ownTables } from './schema.ts';
import { exchangeMarks, familyEpochs, howAndWhere } from './sign-in-tables.ts';
import { playerIds, userStateHistory } from './state-tables.ts';

export type { Migration } from '../../sql/schema/migrations.ts';

/** The SQL of this engine's own tables, by migration. */
export const migrations: readonly Migration[] = migrationsOf(sqliteDialect, {
  1: ownTables,
  4: exchangeMarks,
  8: howAndWhere,
  9: guestUsage,
  11: `${familyEpochs}${playerIds}`,
  12: userStateHistory,
  13: linkedGuests,
  20: heartbeat,
});

/** Returns the applied migrations of a database; none if it is new. */
export function appliedMigrations(database: DatabaseSync): AppliedMigration[] {
  const tables = database.prepare("SELECT count(*) AS count FROM sqlite_schema WHERE name = 'migrations'").get();
  return tables?.count === 0
    ? []
    : database.prepare('SELECT * FROM migrations ORDER BY number').all().map(toAppliedMigration);
}

/** Returns the migrations that a database still needs, in order. Throws as `pendingOf` does. */
export function pendingMigrations(database: DatabaseSync, known: readonly Migration[] = migrations): Migration[] {
  return pendingOf(appliedMigrations(database), known);
}

/** Applies the given migrations, each in one transaction. A failed migration leaves the database unchanged. */
export function migrate(database: DatabaseSync, pending: readonly Migration[], now: number): void {
  for (const { number, sql, program, opensWith } of pending) {
    database.exec('BEGIN IMMEDIATE');
    try {
      ensureTable(database);
      database.exec(sql);
      database
        .prepare('INSERT INTO migrations (number, sha256, applied_at, program, opens_with) VALUES (?, ?, ?, ?, ?)')
        .run(number, sha256Of({ sql }), now, program, opensWith);
      database.exec('COMMIT');
    } catch (cause) {
      if (database.isTransaction) database.exec('ROLLBACK');
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`cannot apply migration ${number}: ${reason}`, { cause });
    }
  }
}

/** Creates the table of migrations as 0.1.0 did, then adds later columns, so that every database has the same table. */
function ensureTable(database: DatabaseSync): void {
  database.exec(
    'CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT',
  );
  const columns = database.prepare("SELECT name FROM pragma_table_info('migrations')").all();
  for (const [name, type] of [
    ['program', 'TEXT'],
    ['opens_with', 'INTEGER'],
  ] as const) {
    if (!columns.some((column) => column.name === name)) database.exec(`ALTER TABLE migrations ADD COLUMN ${name} ${type}`);
  }
}
