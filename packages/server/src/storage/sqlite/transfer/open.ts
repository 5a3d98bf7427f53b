/** Data directories as the source or target of a copy. */

import { hash } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { now } from '../../../common/time/clock.ts';
import { bytesAt } from '../../rows/columns.ts';
import { requireNoneNewer } from '../../sql/schema/applied-migrations.ts';
import {
  type CopyProgress,
  copyBegun,
  copyFault,
  foreignCopy,
  requireIntactCopy,
  type TransferSource,
  type TransferTarget,
  toCopyProgress,
} from '../../transfer/copy.ts';
import {
  createPrivateFile,
  databasePath,
  incomingPath,
  openForReading,
  openForWriting,
  requireComplete,
} from '../directory/database.ts';
import { type DirectoryLock, lockDirectory } from '../directory/lock.ts';
import { holdsDatabase, placeDatabase } from '../directory/restore.ts';
import { type UpgradeOptions, updateSchema } from '../directory/startup.ts';
import { inspectDatabase } from '../inspect/inspect.ts';
import { appliedMigrations, migrate, migrations, pendingMigrations } from '../schema/migrations.ts';
import { openTransferReader } from './read.ts';
import { createTransferWriter, totals } from './write.ts';

/**
 * Opens the database of a data directory as the source of a copy, under the lock that a server would take, and upgrades its schema as a
 * server would. Throws an `Error` that names the directory if there is no database, a copy into it is incomplete, a server is running
 * there, or the database does not match this program.
 */
export async function openSqliteSource(dataDir: string, options: UpgradeOptions = {}): Promise<TransferSource> {
  requireComplete(dataDir);
  if (!existsSync(databasePath(dataDir))) throw new Error(`there is no database in ${dataDir}`);
  const lock = requireLock(dataDir);
  let database: DatabaseSync | undefined;
  try {
    await updateSchema(dataDir, lock, options);
    database = openForReading(databasePath(dataDir));
    requireNoneNewer(`the store in ${dataDir}`, appliedMigrations(database), migrations);
    return { ...openTransferReader(database), ...sourceOf(database, lock) };
  } catch (error) {
    database?.close();
    lock.release();
    throw error;
  }
}

function sourceOf(
  database: DatabaseSync,
  lock: DirectoryLock,
): Pick<TransferSource, 'identity' | 'requireUnused' | 'close'> {
  // One row, always: made with the table.
  const secret = bytesAt(database.prepare('SELECT secret FROM bucket_key').get() ?? {}, 'secret');
  return {
    identity: hash('sha256', secret),
    async requireUnused() {}, // the lock is held
    async close() {
      database.close();
      lock.release();
    },
  };
}

function requireLock(dataDir: string): DirectoryLock {
  const lock = lockDirectory(dataDir);
  if (lock === undefined) throw new Error(`cannot copy the store in ${dataDir}: a service is running there; stop it first`);
  return lock;
}

/** Until a copy is complete it has another name. This table records its source and progress. */
const marker = 'incoming_copy';

/** A database that grows in many places at the same time is faster with more pages in memory. */
const cacheKibibytes = 65_536;

/**
 * Opens the database into which the store `identity` is copied, under a temporary name. With `restarts`, the remains of an earlier copy are
 * deleted first. Throws an `Error` that names the directory if it holds a database or a copy of a different store.
 */
export async function openSqliteTarget(dataDir: string, identity: string, restarts: boolean): Promise<TransferTarget> {
  const lock = requireLock(dataDir);
  let database: DatabaseSync | undefined;
  try {
    if (holdsDatabase(dataDir)) {
      throw new Error(`cannot copy into ${dataDir}: it has a database; name a folder without one`);
    }
    const draft = incomingPath(dataDir);
    if (restarts || !isBegun(draft)) removeDatabase(draft);
    database = existsSync(draft) ? openDraft(draft) : createDraft(dataDir, draft, identity);
    const row = readMarker(database);
    if (row?.source !== identity) throw new Error(foreignCopy(dataDir));
    if (pendingMigrations(database).length > 0) {
      throw new Error(`${dataDir} holds a copy that an older version began; --restart discards it`);
    }
    return { ...openTransferReader(database), ...targetOf(dataDir, database, lock, toCopyProgress(row)) };
  } catch (error) {
    database?.close();
    lock.release();
    throw error;
  }
}

function openDraft(draft: string): DatabaseSync {
  const database = openForWriting(draft);
  // After a power cut the copy continues from an earlier point, so no commit needs to wait for the disk.
  database.exec(`PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 1000; PRAGMA cache_size = -${cacheKibibytes}`);
  return database;
}

function createDraft(dataDir: string, draft: string, identity: string): DatabaseSync {
  createPrivateFile(dataDir, draft);
  const database = openDraft(draft);
  migrate(database, pendingMigrations(database), now());
  database.exec(
    `BEGIN; CREATE TABLE ${marker} (source TEXT NOT NULL, kind TEXT NOT NULL, cursor TEXT, records INTEGER NOT NULL)`,
  );
  const { kind, cursor, records } = copyBegun;
  database
    .prepare(`INSERT INTO ${marker} (source, kind, cursor, records) VALUES (?, ?, ?, ?)`)
    .run(identity, kind, cursor, records);
  database.exec('COMMIT');
  return database;
}

/** Whether anything was copied. A process can be killed before its draft records its source. */
function isBegun(draft: string): boolean {
  if (!existsSync(draft)) return false;
  const database = openDraft(draft);
  try {
    return readMarker(database) !== undefined;
  } finally {
    database.close();
  }
}

function readMarker(database: DatabaseSync): Readonly<Record<string, unknown>> | undefined {
  const table = database.prepare('SELECT count(*) AS count FROM sqlite_schema WHERE name = ?').get(marker);
  // One row, always: made with the table.
  return table?.count === 0 ? undefined : database.prepare(`SELECT source, kind, cursor, records FROM ${marker}`).get();
}

function removeDatabase(path: string): void {
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${ending}`, { force: true });
}

function targetOf(
  dataDir: string,
  database: DatabaseSync,
  lock: DirectoryLock,
  begun: CopyProgress,
): Pick<TransferTarget, 'begun' | 'write' | 'publish' | 'close'> {
  const write = createTransferWriter(database);
  // One row, always.
  const advance = database.prepare(`UPDATE ${marker} SET kind = ?, cursor = ?, records = ?`);
  return {
    begun,
    async write({ records }, next) {
      database.exec('BEGIN IMMEDIATE');
      try {
        write(next.kind, records);
        advance.run(next.kind, next.cursor, next.records);
        database.exec('COMMIT');
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw copyFault(next.kind, error);
      }
    },
    async publish(onShare) {
      for (const statement of [...totals.all.records, ...totals.all.accounts]) database.exec(statement);
      requireIntactCopy(inspectDatabase(database, (_check, share) => onShare(share)).faults);
      database.exec(`PRAGMA synchronous = FULL; DROP TABLE ${marker}; PRAGMA wal_checkpoint(TRUNCATE)`);
      database.close();
      sync(incomingPath(dataDir), 'r+');
      placeDatabase(dataDir, incomingPath(dataDir));
      if (process.platform !== 'win32') sync(dataDir, 'r');
    },
    async close() {
      if (database.isOpen) database.close();
      lock.release();
    },
  };
}

/** Syncs a file, or the names in a directory, to disk. */
function sync(path: string, flags: 'r' | 'r+'): void {
  const file = openSync(path, flags);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
