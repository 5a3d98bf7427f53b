/**
 * How this program creates files and folders. What root creates in a folder belongs to the owner of the folder: a command that root runs on
 * the data of a service leaves nothing there that the service cannot use. SQLite does the same for files beside a database.
 */
import { accessSync, closeSync, constants, fchownSync, mkdirSync, openSync, type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const root = 0;

/** The owner of the folder that `path` is in, unless this process creates files as that owner anyway. */
function ownerAbove(path: string): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== root) return undefined;
  const { uid, gid } = statSync(dirname(resolve(path)));
  return uid === root ? undefined : { uid, gid };
}

/**
 * Creates a file that only its owner can read, and returns it open for writing. Throws an `Error` with code `EEXIST` if the name exists,
 * even as a link: no existing file ever gets another owner.
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

/** Creates an empty file unless the name exists. */
export function ensureOwnedFile(path: string): void {
  try {
    closeSync(createOwnedFile(path));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/** Creates a folder that only its owner can use, and the missing ones above it. */
export function ensureOwnedFolder(path: string): void {
  const folder = resolve(path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(folder) !== folder) ensureOwnedFolder(dirname(folder));
  const owner = ownerAbove(folder);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process was faster, or something else has the name, which the caller will find out.
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return;
    throw error;
  }
  if (!owner) return;
  // Never through a link that the owner has made meanwhile.
  const made = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    fchownSync(made, owner.uid, owner.gid);
  } finally {
    closeSync(made);
  }
}

/** Why this process cannot use a file or folder of somebody else. */
export interface Denial {
  readonly path: string;
  /** A sentence with its name, its owner, and the user that this process runs as. */
  readonly reason: string;
  readonly advice: string;
}

/**
 * Returns why this process may not use `path` with `access`, a sum of `R_OK`, `W_OK` and `X_OK` of `node:fs`. Undefined if it may, if
 * nothing is there, or if the obstacle is not an owner or a mode.
 */
export function denialOf(path: string, access: number): Denial | undefined {
  try {
    accessSync(path, access);
    return undefined;
  } catch (error) {
    const isDenied = error instanceof Error && 'code' in error && error.code === 'EACCES';
    if (!isDenied || process.getuid === undefined) return undefined;
  }
  const above = dirname(resolve(path));
  let stats: Stats;
  try {
    stats = statSync(path);
  } catch {
    return denialOf(above, constants.X_OK);
  }
  const self = process.getuid();
  const mode = (stats.mode & 0o777).toString(8).padStart(4, '0');
  const reason = `${path} belongs to user ${stats.uid} (mode ${mode}), and this runs as user ${self}`;
  // Whoever owns the folder should own its contents.
  const owner = statSync(above).uid === self ? self : stats.uid;
  const advice = owner === self ? `give it to this user: chown ${self} ${path}` : `run this as user ${owner}`;
  return { path, reason, advice };
}
