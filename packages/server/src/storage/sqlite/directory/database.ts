/** The database file: its path, opening it, and preparing its statements. */
import { constants, existsSync, lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type Denial, denialOf, ensureOwnedFile, ensureOwnedFolder } from '../../../common/files/owned-files.ts';
import { incompleteCopy } from '../../transfer/copy.ts';

/** The database and the lock within a data directory. */
export const databasePath = (dataDir: string): string => join(dataDir, 'holdfast.sqlite');
export const lockPath = (dataDir: string): string => join(dataDir, 'holdfast.lock');

/** An incomplete copy of another store in the directory. It is renamed to `holdfast.sqlite` when it is complete. */
export const incomingPath = (dataDir: string): string => `${databasePath(dataDir)}.incoming`;

/** How long the writer waits for a different writing process before it refuses its own writes. */
export const writerBusyMilliseconds = 5_000;
/** Readers wait only for a recovery after a crash. They do so on the thread that serves requests. */
const readerBusyMilliseconds = 1_000;

/** Page cache of a connection, in KiB, allocated only as used. */
const cacheKibibytes = 8_192;
/** A write-ahead log that had to grow is truncated to this size. */
const walBytesMax = 64 * 1024 * 1024;

/** Creates the data directory (mode 0700) and the named file in it (mode 0600) if they are missing. */
export function createPrivateFile(dataDir: string, path: string): void {
  ensureOwnedFolder(dataDir);
  // SQLite gives the write-ahead log and its index the mode of the database file, and its owner if this is root.
  ensureOwnedFile(path);
}

const connectionPragmas = `
  PRAGMA trusted_schema = OFF;
  PRAGMA temp_store = MEMORY;
  PRAGMA cache_size = -${cacheKibibytes};
`;

/** Opens a connection that can write, for one thread. An answer after COMMIT is durable. */
export function openForWriting(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: writerBusyMilliseconds, allowExtension: false, defensive: true });
  try {
    // The page size, and that free pages can be returned (compact.ts), matter only for an empty database. writer.ts makes checkpoints,
    // between commits. Deleted content is overwritten, so that no erased player data stays in unused parts of the file.
    database.exec(`
      PRAGMA page_size = 8192;
      PRAGMA auto_vacuum = INCREMENTAL;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA secure_delete = ON;
      PRAGMA wal_autocheckpoint = 0;
      PRAGMA journal_size_limit = ${walBytesMax};
      ${connectionPragmas}
    `);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens a connection that only reads. It sees what was committed, and never waits for a writer. */
export function openForReading(path: string): DatabaseSync {
  const database = new DatabaseSync(path, {
    readOnly: true,
    timeout: readerBusyMilliseconds,
    allowExtension: false,
    defensive: true,
  });
  try {
    // Not mapped into memory. Mapping reads twice as fast if a million records are cold, but a page that cannot be read then ends the
    // process, and everything read counts as memory of the process.
    database.exec(connectionPragmas);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

const root = 0;

/** The files of a database, which may not be symbolic links. */
export function mustBeFiles(dataDir: string): readonly string[] {
  const path = databasePath(dataDir);
  return [path, `${path}-wal`, `${path}-shm`, incomingPath(dataDir), lockPath(dataDir)];
}

/** Returns the reason why this process may not use a data directory and its database files, if a different user owns them. */
export function denialIn(dataDir: string): Denial | undefined {
  const { R_OK, W_OK, X_OK } = constants;
  const denied = denialOf(dataDir, R_OK | W_OK | X_OK);
  if (denied) return denied;
  for (const file of mustBeFiles(dataDir)) {
    const denial = denialOf(file, R_OK | W_OK);
    if (denial) return denial;
  }
  return undefined;
}

/**
 * Throws an `Error` that names the owner if this process may not use the directory, where SQLite only says that it cannot open a file.
 * Throws an `Error` if a file of the database is a symbolic link, since its lock and log would not be next to it: two services could write
 * it at the same time through two directories, and a restore would replace the link. Also throws if the directory is a link not made by
 * root or, if this process runs as root, by the owner of the directory.
 */
export function requireOwnFiles(dataDir: string): void {
  const denial = denialIn(dataDir);
  if (denial) throw new Error(`cannot open the data directory: ${denial.reason}; ${denial.advice}`);
  const linked = mustBeFiles(dataDir).find((file) => lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink());
  if (linked)
    throw new Error(
      `cannot open ${linked}: it is a symbolic link; set SVC_DATA_DIR to the folder where the file itself is`,
    );
  const link = lstatSync(dataDir, { throwIfNoEntry: false });
  const self = process.getuid?.();
  if (self === undefined || !link?.isSymbolicLink() || [root, self].includes(link.uid)) return;
  if (self === root && link.uid === statSync(dataDir, { throwIfNoEntry: false })?.uid) return;
  throw new Error(`cannot open the data directory ${dataDir}: it is a symbolic link that user ${link.uid} made`);
}

/** Throws an `Error` if a data directory holds an incomplete copy, and no database; otherwise throws as `requireOwnFiles` does. */
export function requireComplete(dataDir: string): void {
  requireOwnFiles(dataDir);
  if (existsSync(databasePath(dataDir)) || !existsSync(incomingPath(dataDir))) return;
  throw new Error(`cannot open the data directory: ${incompleteCopy(dataDir)}`);
}

/** A statement that is prepared on first use: most writers never use most of their statements. */
export function statement(database: DatabaseSync, sql: string) {
  let prepared: ReturnType<DatabaseSync['prepare']> | undefined;
  const lazily = () => {
    prepared ??= database.prepare(sql);
    return prepared;
  };
  return {
    get: (...values: SQLInputValue[]) => lazily().get(...values),
    all: (...values: SQLInputValue[]) => lazily().all(...values),
    changes: (...values: SQLInputValue[]) => Number(lazily().run(...values).changes),
  };
}
