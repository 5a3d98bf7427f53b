/**
 * Copies of the embedded database, taken while it is in use. A copy is a single file with a complete database. A separate table holds its
 * label: the time of the copy and, optionally, the secret key.
 */
import { closeSync, existsSync, fdatasyncSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { createOwnedFile } from '../../../common/files/owned-files.ts';
import { integerAt, optionalBytesAt } from '../../rows/columns.ts';
import { pendingMigrations } from '../schema/migrations.ts';
import { databasePath, openForReading } from './database.ts';

/** Called now and then with the progress, from 0 to 1. */
export type OnShare = (share: number) => void;

export interface BackupLabel {
  /** When the copy was begun. It holds every write acknowledged before that time. Milliseconds since the epoch. */
  readonly takenAt: number;
  /** Null unless the copy includes the secret key. */
  readonly secretKey: Uint8Array | null;
}

/** Pages of 8 KiB copied at a time. Measured: with 100, a copy takes a third longer. */
const pagesPerStep = 1_000;

/**
 * Copies the current database of a data directory to `draft`, which must not exist and gets mode 0600. The copy is one snapshot, and the
 * writer never waits for it. Rejects if either file fails, and then leaves no draft.
 */
export async function copyDatabase(dataDir: string, draft: string, onShare: OnShare): Promise<void> {
  const source = openForReading(databasePath(dataDir));
  try {
    // A transaction that has read something keeps its snapshot. Without it, every commit would restart the copy.
    source.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    await copyPages(source, draft, onShare);
    source.exec('COMMIT');
  } finally {
    source.close();
  }
}

/** Copies the database that is open as `source` to `draft`, which is created. Rejects if either fails, and then leaves no draft. */
async function copyPages(source: DatabaseSync, draft: string, onShare: OnShare): Promise<void> {
  const file = createOwnedFile(draft);
  try {
    await backup(source, draft, {
      rate: pagesPerStep,
      progress: ({ totalPages, remainingPages }) => {
        onShare((totalPages - remainingPages) / totalPages);
        // If the disk had to write the whole copy at the end, every commit would wait for it.
        fdatasyncSync(file);
      },
    });
    asSingleFile(draft);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Takes a copy out of write-ahead mode, in which programs could not read it without writing files next to it. */
function asSingleFile(path: string): void {
  change(path, (copy) => copy.exec('PRAGMA journal_mode = DELETE'));
}

/** Copies the backup `file` to `draft`, which must not exist and gets mode 0600. Leaves no draft if that fails. */
export async function copyBackup(file: string, draft: string, onShare: OnShare): Promise<void> {
  const source = openBackup(file);
  try {
    await copyPages(source, draft, onShare);
  } finally {
    source.close();
  }
}

/** Opens a backup for reading. No files are written next to it, and the backup must not change while it is open. */
export function openBackup(path: string): DatabaseSync {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return new DatabaseSync(url, { readOnly: true, allowExtension: false, defensive: true });
}

/**
 * Throws an `Error` that names `path` if it holds no database of this program, a database of a newer program, or a database in use, whose
 * latest writes are in another file.
 */
export function requireBackup(path: string): void {
  const fault = `cannot restore ${path}`;
  if (existsSync(`${path}-wal`)) {
    throw new Error(`${fault}: ${path}-wal is next to it, so it is a database in use and not a backup`);
  }
  let database: DatabaseSync | undefined;
  try {
    database = openBackup(path);
    const known = database.prepare("SELECT count(*) AS count FROM sqlite_schema WHERE name = 'migrations'").get();
    if (known?.count !== 1) throw new Error('it has no data of Holdfast');
    pendingMigrations(database);
  } catch (cause) {
    throw new Error(`${fault}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  } finally {
    database?.close();
  }
}

const labelTable = 'holdfast_backup';

/** Writes the label into a copy. It is on disk once this returns. */
export function writeLabel(path: string, { takenAt, secretKey }: BackupLabel): void {
  change(path, (copy) => {
    copy.exec(`CREATE TABLE ${labelTable} (taken_at INTEGER NOT NULL, secret_key BLOB) STRICT`);
    copy.prepare(`INSERT INTO ${labelTable} (taken_at, secret_key) VALUES (?, ?)`).run(takenAt, secretKey);
  });
}

/** Removes the label of a copy and returns it, or undefined if it has none. */
export function takeLabel(path: string): BackupLabel | undefined {
  let label: BackupLabel | undefined;
  change(path, (copy) => {
    const has = copy.prepare('SELECT count(*) AS count FROM sqlite_schema WHERE name = ?').get(labelTable);
    if (has?.count === 0) return;
    const row = copy.prepare(`SELECT taken_at, secret_key FROM ${labelTable}`).get() ?? {};
    label = { takenAt: integerAt(row, 'taken_at'), secretKey: optionalBytesAt(row, 'secret_key') };
    // The key is overwritten on disk, not only removed from the table.
    copy.exec(`PRAGMA secure_delete = ON; DROP TABLE ${labelTable}`);
  });
  return label;
}

/** Changes a copy that no other program has open; the change is on disk once this returns. */
function change(path: string, work: (copy: DatabaseSync) => void): void {
  const copy = new DatabaseSync(path, { allowExtension: false, defensive: true });
  try {
    work(copy);
  } finally {
    copy.close();
  }
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
