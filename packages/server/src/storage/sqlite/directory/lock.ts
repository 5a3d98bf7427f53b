import { DatabaseSync } from 'node:sqlite';
import { createPrivateFile, lockPath } from './database.ts';

/** A held lock on a data directory. The operating system releases it with the process, however that ends. */
export interface DirectoryLock {
  /** Can be called again; then nothing happens. */
  release(): void;
}

/** Long enough for an operator's command that is just creating the database to finish. */
const waitMilliseconds = 1_000;

/**
 * Takes the lock that one server holds on its data directory: an exclusive transaction on an empty database beside the real
 * one. Returns undefined when another process, or another store of this one, holds it.
 */
export function lockDirectory(dataDir: string): DirectoryLock | undefined {
  const path = lockPath(dataDir);
  createPrivateFile(dataDir, path);
  const database = new DatabaseSync(path, { timeout: waitMilliseconds, allowExtension: false });
  try {
    // A journal in memory, so that nothing is left beside the lock by a process that is killed.
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
