import { migrate, pendingMigrations } from '../schema/migrations.ts';
import { createPrivateFile, databasePath, openForWriting } from './database.ts';
import { demandComplete } from './incoming.ts';
import { type DirectoryLock, lockDirectory } from './lock.ts';
import { tightenModes } from './modes.ts';

/**
 * Makes a data directory ready: modes, files, lock, schema. Returns the lock when `exclusive`; it is then held by this store alone.
 * Without it, the database is migrated only when no server is running. Throws an `Error` that names the directory when a
 * server is in the way or a copy that is not complete, and what `pendingMigrations` throws.
 */
export function prepareDirectory(dataDir: string, exclusive: boolean): DirectoryLock | undefined {
  tightenModes(dataDir);
  demandComplete(dataDir);
  const lock = exclusive ? lockDirectory(dataDir) : undefined;
  if (exclusive && lock === undefined) {
    throw new Error(`cannot open the data directory ${dataDir}: another server is using it`);
  }
  try {
    createPrivateFile(dataDir, databasePath(dataDir));
    const database = openForWriting(databasePath(dataDir));
    try {
      if (pendingMigrations(database).length > 0)
        withLock(dataDir, lock, () => migrate(database, pendingMigrations(database), Date.now()));
    } finally {
      database.close();
    }
    return lock;
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/** Runs `work` under the lock that is held, or else under one taken for as long as it lasts. */
function withLock(dataDir: string, held: DirectoryLock | undefined, work: () => void): void {
  const lock = held ?? lockDirectory(dataDir);
  if (lock === undefined) {
    throw new Error(`cannot migrate the database in ${dataDir}: a server is using it; stop it first`);
  }
  try {
    work();
  } finally {
    if (held === undefined) lock.release();
  }
}
