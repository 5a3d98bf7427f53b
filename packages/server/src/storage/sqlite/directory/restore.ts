/** Replacing the database of a data directory. */
import { existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { openBackup } from './backup.ts';
import { databasePath } from './database.ts';

/** Whether a data directory holds a database, or parts of one. */
export function holdsDatabase(dataDir: string): boolean {
  const path = databasePath(dataDir);
  return existsSync(path) || existsSync(`${path}-wal`);
}

/**
 * Replaces the database of a data directory, whose lock the caller holds, with `draft`. The old database is kept as `aside`. At any moment,
 * a complete database has the database's name. Returns whether there was an old database. Throws an `Error` if a program has it open.
 */
export function replaceDatabase(dataDir: string, draft: string, aside: string): boolean {
  const path = databasePath(dataDir);
  const had = holdsDatabase(dataDir);
  // SQLite would apply an old log next to the new database to it.
  if (had && !foldLog(path)) moveDamaged(path, aside);
  else if (existsSync(path)) linkSync(path, aside);
  renameSync(draft, path);
  return had;
}

/** Moves `draft` to the path of the database if there is none. Throws an `Error` with code `EEXIST` if one was created in the meantime. */
export function placeDatabase(dataDir: string, draft: string): void {
  linkSync(draft, databasePath(dataDir));
  rmSync(draft);
}

/**
 * Moves the write-ahead log into the database and removes it. Returns false if the database is too damaged for that; throws if another
 * program has it open.
 */
function foldLog(path: string): boolean {
  if (!existsSync(path) || !isReadable(path)) return false;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 0, allowExtension: false });
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; COMMIT');
  } catch (error) {
    const busy = 5;
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) {
      throw new Error(`cannot replace the database ${path}: another program has it open`, { cause: error });
    }
    return false;
  } finally {
    database?.close();
  }
  return !existsSync(`${path}-wal`);
}

/** Checks without the log: opening a damaged database together with its log destroys the log. */
function isReadable(path: string): boolean {
  let database: DatabaseSync | undefined;
  try {
    database = openBackup(path);
    return database.prepare('SELECT count(*) FROM sqlite_schema').get() !== undefined;
  } catch {
    return false;
  } finally {
    database?.close();
  }
}

function moveDamaged(path: string, aside: string): void {
  for (const ending of ['', '-wal']) {
    if (existsSync(`${path}${ending}`)) renameSync(`${path}${ending}`, `${aside}${ending}`);
  }
  rmSync(`${path}-shm`, { force: true });
}
