import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { type Migration, migrationsOf, sqliteDialect } from '../../cold/schema.ts';
import { ownTables } from './schema.ts';

export type { Migration } from '../../cold/schema.ts';

export const migrations: readonly Migration[] = migrationsOf(sqliteDialect, { 1: ownTables });

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * Compares the migrations that a database has applied with those of the program. Returns the migrations still to apply, in order;
 * throws an `Error` that names the migration when one was changed after it was applied, and when the database is newer.
 */
export function pendingMigrations(database: DatabaseSync, known: readonly Migration[] = migrations): Migration[] {
  const tables = database.prepare("SELECT count(*) AS count FROM sqlite_schema WHERE name = 'migrations'").get();
  const rows = tables?.count === 0 ? [] : database.prepare('SELECT number, sha256 FROM migrations').all();
  const applied = new Map(rows.map((row) => [row.number, row.sha256]));
  const newest = known.at(-1)?.number ?? 0;
  for (const number of applied.keys()) {
    if (Number(number) > newest) {
      throw new Error(
        `cannot open the database: it has migration ${number}, this program knows ${newest} and no newer; update the program`,
      );
    }
  }
  return known.filter((migration) => {
    const checksum = applied.get(migration.number);
    if (checksum !== undefined && checksum !== sha256(migration.sql)) {
      throw new Error(`cannot open the database: migration ${migration.number} was changed after it was applied`);
    }
    return checksum === undefined;
  });
}

/** Applies the given migrations, each in one transaction. A migration that fails leaves the database as it was before it. */
export function migrate(database: DatabaseSync, pending: readonly Migration[], now: number): void {
  for (const { number, sql } of pending) {
    database.exec('BEGIN IMMEDIATE');
    try {
      database.exec(
        `CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT; ${sql}`,
      );
      database
        .prepare('INSERT INTO migrations (number, sha256, applied_at) VALUES (?, ?, ?)')
        .run(number, sha256(sql), now);
      database.exec('COMMIT');
    } catch (cause) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw new Error(`cannot apply migration ${number}`, { cause });
    }
  }
}
