/**
 * Gives room in the database file that nothing uses back to the disk: in slices beside a server, where the database was made for it
 * (`auto_vacuum`), otherwise by writing the whole file again while nobody uses it.
 */
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { integerAt } from '../../columns.ts';
import { databasePath, openForReading, openForWriting } from './database.ts';
import { lockDirectory } from './lock.ts';

export interface FileSpace {
  readonly databaseBytes: number;
  /** What nothing is in. */
  readonly unusedBytes: number;
  /** Whether room can be given back a slice at a time. Databases of 0.1.0 have to be written again for it. */
  readonly isSliceable: boolean;
}

/** `PRAGMA auto_vacuum`. */
const incremental = 2;

/** A slice holds writers up for about this long. */
const sliceMilliseconds = 30;
/** Pages of 8 KiB. */
const pagesOfSlice = { first: 64, least: 16, most: 4_096 } as const;
/** Between two slices, others write for so many times as long as a slice took, and at least this many milliseconds. */
const rests = { factor: 3, leastMilliseconds: 50 } as const;

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

/** Returns how much room the database of a data directory takes, and how much of that is unused. */
export function readFileSpace(dataDir: string): FileSpace {
  const database = openForReading(databasePath(dataDir));
  try {
    return spaceOf(database);
  } finally {
    database.close();
  }
}

/**
 * Gives unused room back, a slice at a time, while others read and write. `onShare` is called with the share that is done. Throws what SQLite
 * throws; what was given back until then stays so.
 */
export async function compactInSlices(dataDir: string, onShare: (share: number) => void): Promise<void> {
  const database = openForWriting(databasePath(dataDir));
  try {
    const begun = numberOf(database, 'freelist_count');
    let pages: number = pagesOfSlice.first;
    for (let left = begun; left > 0; ) {
      const took = takeSlice(database, pages);
      const remaining = numberOf(database, 'freelist_count');
      if (remaining >= left) return; // others free as much as this gives back
      left = remaining;
      onShare(1 - left / begun);
      pages = Math.min(pagesOfSlice.most, Math.max(pagesOfSlice.least, Math.round((pages * sliceMilliseconds) / took)));
      await sleep(Math.max(rests.leastMilliseconds, took * rests.factor));
    }
  } finally {
    database.close();
  }
}

/** Returns how many milliseconds it took. The log is copied, so that it does not grow; that is when the file becomes shorter. */
function takeSlice(database: DatabaseSync, pages: number): number {
  const begunAt = performance.now();
  database.exec(`PRAGMA incremental_vacuum(${pages}); PRAGMA wal_checkpoint(PASSIVE)`);
  return Math.max(1, performance.now() - begunAt);
}

/**
 * Writes the whole database again without unused room, so that from then on room can be given back in slices. Returns false when a server
 * uses the directory. Takes as much room on the disk as the database, twice, until it has ended. A process that is killed leaves the
 * database as it was.
 */
export function rewriteDatabase(dataDir: string): boolean {
  const lock = lockDirectory(dataDir);
  if (lock === undefined) return false;
  const database = openForWriting(databasePath(dataDir));
  try {
    // The copy on the way lies beside the database, whose disk was made for its size; memory was not.
    database.exec(`PRAGMA temp_store = FILE; PRAGMA temp_store_directory = '${dataDir.replaceAll("'", "''")}'`);
    database.exec('PRAGMA auto_vacuum = INCREMENTAL; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
    return true;
  } finally {
    database.close();
    lock.release();
  }
}
