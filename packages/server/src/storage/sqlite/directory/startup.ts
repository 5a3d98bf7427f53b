/** Prepares a data directory: modes, files, lock, schema. */

import { chmodSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { now } from '../../../common/time/clock.ts';
import type { BeforeChange, OnRollback, OnUpgrade } from '../../contract/store-observer.ts';
import { readSigningKeys } from '../inspect/keys.ts';
import { appliedMigrations, migrate, pendingMigrations } from '../schema/migrations.ts';
import { createPrivateFile, databasePath, lockPath, openForWriting, requireComplete } from './database.ts';
import { type DirectoryLock, lockDirectory } from './lock.ts';
import { detectRollback } from './mark.ts';
import { requireRoom, roomFor } from './room.ts';
import { keepCopy, removeDrafts, removeOldCopies } from './upgrade-copy.ts';

export interface UpgradeOptions {
  /** Whether to keep a copy of the database before upgrading its schema. Default: yes. */
  readonly keepsCopy?: boolean;
  /** Receives a finished upgrade. */
  readonly onUpgrade?: OnUpgrade | undefined;
  readonly beforeChange?: BeforeChange | undefined;
  readonly onRollback?: OnRollback | undefined;
}

/**
 * Prepares a data directory: modes, files, lock, schema. Returns the lock if `exclusive`; then only this store can use the directory, and
 * the database is compared with the mark next to it. Otherwise the database is migrated only if no server is running. Rejects with an
 * `Error` that names the directory if a server uses it, a link in it leads elsewhere, or a copy in it is incomplete, and as `updateSchema`
 * does.
 */
export async function prepareDirectory(
  dataDir: string,
  exclusive: boolean,
  options: UpgradeOptions = {},
): Promise<DirectoryLock | undefined> {
  requireComplete(dataDir);
  tightenModes(dataDir);
  const lock = exclusive ? lockDirectory(dataDir) : undefined;
  if (exclusive && lock === undefined) {
    throw new Error(`cannot open the data directory ${dataDir}: another server is using it`);
  }
  try {
    createPrivateFile(dataDir, databasePath(dataDir));
    await updateSchema(dataDir, lock, options);
    if (exclusive) compareWithMark(dataDir, options);
    return lock;
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/**
 * Upgrades the schema of a database, under the held lock or a newly taken one, after keeping a copy. Rejects with an `Error` if a server
 * uses the directory, if there is not enough space for the copy and the log, and as `pendingMigrations` and `migrate` do: the database is
 * then unchanged.
 */
export async function updateSchema(
  dataDir: string,
  held: DirectoryLock | undefined,
  { keepsCopy = true, onUpgrade, beforeChange }: UpgradeOptions = {},
): Promise<void> {
  const database = openForWriting(databasePath(dataDir));
  try {
    if (pendingMigrations(database).length === 0) return;
    await withLock(dataDir, held, async () => {
      const begunAt = performance.now();
      const from = appliedMigrations(database).at(-1)?.number ?? 0;
      const pending = pendingMigrations(database);
      const newest = pending.at(-1);
      if (newest === undefined) return; // another process has done it
      const isKept = keepsCopy && from > 0;
      await beforeChange?.(from > 0 ? readSigningKeys(database) : []);
      removeDrafts(dataDir);
      if (from > 0) requireRoom(dataDir, roomFor(database, dataDir, pending, isKept));
      const copy = isKept ? await keepCopy(dataDir, newest.program) : null;
      migrate(database, pending, now());
      if (isKept) removeOldCopies(dataDir);
      if (from > 0) onUpgrade?.({ from, to: newest.number, copy, milliseconds: Math.round(performance.now() - begunAt) });
    });
  } finally {
    database.close();
  }
}

function compareWithMark(dataDir: string, { onRollback }: UpgradeOptions): void {
  const database = openForWriting(databasePath(dataDir));
  try {
    const floor = detectRollback(dataDir, database, now());
    if (floor !== undefined) onRollback?.(floor ?? undefined);
  } finally {
    database.close();
  }
}

/** Runs `work` under the held lock, or under a newly taken one. */
async function withLock(dataDir: string, held: DirectoryLock | undefined, work: () => Promise<void>): Promise<void> {
  const lock = held ?? lockDirectory(dataDir);
  if (lock === undefined) {
    throw new Error(`cannot migrate the database in ${dataDir}: a server is using it; stop it first`);
  }
  try {
    await work();
  } finally {
    if (held === undefined) lock.release();
  }
}

const permissionsOfOthers = 0o077;
/** Directories with this bit, for example /tmp, are shared on purpose. */
const stickyBit = 0o1000;
/** The names of the service's files in its data directory, including drafts and companions of these files. */
const ownNames = /^(?:holdfast\.|secret\.key|dev\.env|base-url)/;

/**
 * Restricts an existing data directory to its owner: mode 0700, and 0600 for the files of the database. A directory with other files also
 * serves other purposes and keeps its mode, as does everything that belongs to a different user.
 */
export function tightenModes(dataDir: string): void {
  if (process.platform === 'win32') return;
  const directory = statSync(dataDir, { throwIfNoEntry: false });
  if (!directory?.isDirectory()) return;
  const isShared = (directory.mode & stickyBit) !== 0 || !readdirSync(dataDir).every((name) => ownNames.test(name));
  if (!isShared) tighten(dataDir, directory, 0o700);
  const path = databasePath(dataDir);
  for (const file of [path, `${path}-wal`, `${path}-shm`, lockPath(dataDir)]) {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats?.isFile()) tighten(file, stats, 0o600);
  }
}

function tighten(path: string, { uid, mode }: Stats, tight: number): void {
  if (uid === process.getuid?.() && (mode & permissionsOfOthers) !== 0) chmodSync(path, tight);
}
