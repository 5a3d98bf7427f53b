import { chmodSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { databasePath, lockPath } from './database.ts';

const permissionsOfOthers = 0o077;
/** Directories with this bit, such as /tmp, are shared on purpose. */
const stickyBit = 0o1000;
/** What the service keeps in its data directory, drafts and companions of these files included. */
const ownNames = /^(?:holdfast\.|secret\.key|dev\.env|base-url)/;

/**
 * Closes a data directory that was there before to everybody but its owner: mode 0700, and 0600 for the files of the
 * database. A directory that holds anything else serves another purpose too and keeps its mode, as does what belongs to
 * another user.
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
