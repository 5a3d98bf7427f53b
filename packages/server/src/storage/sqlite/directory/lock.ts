import { DatabaseSync } from 'node:sqlite';
import { createPrivateFile, lockPath, requireOwnFiles } from './database.ts';

/** A held lock on a data directory. The operating system releases it when the process ends, however it ends. */
export interface DirectoryLock {
  /** Further calls have no effect. */
  release(): void;
}

/** Long enough for an operator command to finish creating the database. */
const waitMilliseconds = 1_000;

/**
 * Takes the lock that a server holds on its data directory: an exclusive transaction on an empty database next to the real one. Returns
 * undefined if another process, or another store of this process, holds it. Throws as `requireOwnFiles` does.
 */
export function lockDirectory(dataDir: string): DirectoryLock | undefined {
  requireOwnFiles(dataDir);
  const path = lockPath(dataDir);
  createPrivateFile(dataDir, path);
  const database = new DatabaseSync(path, { timeout: waitMilliseconds, allowExtension: false });
  try {
    // The journal is in memory, so a killed process leaves no files except the lock.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return { release: () => void (database.isOpen && database.close()) };
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

function isBusy(error: unknown): boolean {
  const busy = 5;
  return error instanceof Error && 'errcode' in error && error.errcode === busy;
}
