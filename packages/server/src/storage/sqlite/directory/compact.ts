/**
 * Returns unused space in the database file to the disk: in slices while a server runs, if the database was created for this
 * (`auto_vacuum`), otherwise by rewriting the whole file while it is not in use.
 */
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { integerAt } from '../../rows/columns.ts';
import { databasePath, openForReading, openForWriting } from './database.ts';
import { lockDirectory } from './lock.ts';

export interface FileSpace {
  readonly databaseBytes: number;
  /** The bytes of unused pages. */
  readonly unusedBytes: number;
  /** Whether space can be returned in slices. Databases of 0.1.0 must first be rewritten. */
  readonly isSliceable: boolean;
}

/** `PRAGMA auto_vacuum`. */
const incremental = 2;

/** A slice blocks writers for about this long. */
const sliceMilliseconds = 30;
/** Pages of 8 KiB. */
const pagesOfSlice = { first: 64, least: 16, most: 4_096 } as const;
/**
 * The pause between two slices, in which other writes run: this many times the duration of the slice, and at least this many milliseconds.
 */
const pauses = { factor: 3, leastMilliseconds: 50 } as const;

const numberOf = (database: DatabaseSync, pragma: string): number =>
  integerAt(database.prepare(`PRAGMA ${pragma}`).get() ?? {}, pragma);

function spaceOf(database: DatabaseSync): FileSpace {
  const pageBytes = numberOf(database, 'page_size');
  return {
    databaseBytes: numberOf(database, 'page_count') * pageBytes,
    unusedBytes: numberOf(database, 'freelist_count') * pageBytes,
    isSliceable: numberOf(database, 'auto_vacuum') === incremental,
  };
}

/** Returns the size of a data directory's database, and how much of it is unused. */
export function readFileSpace(dataDir: string): FileSpace {
  const database = openForReading(databasePath(dataDir));
  try {
    return spaceOf(database);
  } finally {
    database.close();
  }
}

/**
 * Returns unused space to the disk in slices, while other processes read and write. `onShare` is called with the progress. Throws as SQLite
 * does; space already returned stays returned.
 */
export async function compactInSlices(dataDir: string, onShare: (share: number) => void): Promise<void> {
  const database = openForWriting(databasePath(dataDir));
  try {
    const begun = numberOf(database, 'freelist_count');
    let pages: number = pagesOfSlice.first;
    for (let left = begun; left > 0; ) {
      const took = takeSlice(database, pages);
      const remaining = numberOf(database, 'freelist_count');
      if (remaining >= left) return; // others free as much as this returns
      left = remaining;
      onShare(1 - left / begun);
      pages = Math.min(pagesOfSlice.most, Math.max(pagesOfSlice.least, Math.round((pages * sliceMilliseconds) / took)));
      await sleep(Math.max(pauses.leastMilliseconds, took * pauses.factor));
    }
  } finally {
    database.close();
  }
}

/** Runs a slice and returns its duration in milliseconds. The log is then copied, which keeps it short and shrinks the file. */
function takeSlice(database: DatabaseSync, pages: number): number {
  const begunAt = performance.now();
  database.exec(`PRAGMA incremental_vacuum(${pages}); PRAGMA wal_checkpoint(PASSIVE)`);
  return Math.max(1, performance.now() - begunAt);
}

/**
 * Rewrites the whole database without unused space; from then on, space can be returned in slices. Returns false if a server uses the
 * directory. Needs twice the database's size on disk while it runs. A killed process leaves the database unchanged.
 */
export function rewriteDatabase(dataDir: string): boolean {
  const lock = lockDirectory(dataDir);
  if (lock === undefined) return false;
  const database = openForWriting(databasePath(dataDir));
  try {
    // The temporary copy is next to the database, because that disk was sized for it and memory was not.
    database.exec(`PRAGMA temp_store = FILE; PRAGMA temp_store_directory = '${dataDir.replaceAll("'", "''")}'`);
    database.exec('PRAGMA auto_vacuum = INCREMENTAL; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
    return true;
  } finally {
    database.close();
    lock.release();
  }
}
