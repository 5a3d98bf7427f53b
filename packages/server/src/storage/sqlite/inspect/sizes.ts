import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { OnShare } from '../directory/backup.ts';

export interface DatabaseSizes {
  readonly databaseBytes: number;
  /** The write-ahead log, which a checkpoint empties. */
  readonly logBytes: number;
  /** Freed by deletions, and reused later. */
  readonly unusedBytes: number;
  /** Deleted projects and accounts that still wait for the sweep. */
  readonly orphans: number;
}

export interface TableSize {
  readonly table: string;
  readonly bytes: number;
}

/** Returns the sizes that are cheap to read, for the database at `path` that is open as `database`. */
export function readSizes(path: string, database: DatabaseSync): DatabaseSizes {
  const number = (sql: string) => Number(Object.values(database.prepare(sql).get() ?? {})[0]);
  const pageBytes = number('PRAGMA page_size');
  return {
    databaseBytes: statSync(path).size,
    logBytes: statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    unusedBytes: number('PRAGMA freelist_count') * pageBytes,
    orphans: number('SELECT count(*) FROM orphans'),
  };
}

/** Returns the bytes of each table with its indexes, largest first. Reads every page. */
export function readTableSizes(database: DatabaseSync, onShare: OnShare): TableSize[] {
  const tables = database.prepare('SELECT name, tbl_name FROM sqlite_schema WHERE rootpage > 0').all();
  const tableOf = new Map(tables.map(({ name, tbl_name: table }) => [name, String(table)]));
  const pages = Number(database.prepare('PRAGMA page_count').get()?.page_count);
  const bytes = new Map<string, number>();
  let passed = 0;
  for (const { name, pgsize } of database.prepare('SELECT name, pgsize FROM dbstat').iterate()) {
    const table = tableOf.get(String(name)) ?? String(name);
    bytes.set(table, (bytes.get(table) ?? 0) + Number(pgsize));
    passed += 1;
    if (passed % 1_000 === 0) onShare(Math.min(1, passed / pages));
  }
  return [...bytes].map(([table, size]) => ({ table, bytes: size })).sort((a, b) => b.bytes - a.bytes);
}
