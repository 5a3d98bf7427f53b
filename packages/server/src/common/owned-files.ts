/**
 * How this program creates files and folders. What root creates in a folder belongs to the owner of the folder: a command that root runs on
 * the data of a service leaves nothing there that the service cannot use. SQLite does the same for what it creates beside a database.
 */
import { closeSync, constants, fchownSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const root = 0;

/** The owner of the folder that `path` is in, if what this process creates there does not belong to that owner already. */
function ownerAbove(path: string): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== root) return undefined;
  const { uid, gid } = statSync(dirname(resolve(path)));
  return uid === root ? undefined : { uid, gid };
}

/**
 * Creates a file that only its owner can read, and returns it open for writing. Throws an `Error` with code `EEXIST` when there is
 * something under that name, a link too: nothing that was there before ever gets another owner.
 */
export function createOwnedFile(path: string): number {
  const owner = ownerAbove(path);
  const file = openSync(path, 'wx', 0o600);
  try {
    if (owner) fchownSync(file, owner.uid, owner.gid);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Creates an empty file if nothing is there under that name. */
export function ensureOwnedFile(path: string): void {
  try {
    closeSync(createOwnedFile(path));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/** Creates a folder that only its owner can use, and those above it, if they are missing. */
export function ensureOwnedFolder(path: string): void {
  const folder = resolve(path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(folder) !== folder) ensureOwnedFolder(dirname(folder));
  const owner = ownerAbove(folder);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process was faster, or something else is there, which the caller finds out.
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return;
    throw error;
  }
  if (!owner) return;
  // Never through a link that the owner has put there meanwhile.
  const made = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    fchownSync(made, owner.uid, owner.gid);
  } finally {
    closeSync(made);
  }
}
