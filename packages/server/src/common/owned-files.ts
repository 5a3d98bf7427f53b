/**
 * How this program creates files and folders. What root creates in a folder belongs to the owner of the folder: a command that root runs on
 * the data of a service leaves nothing there that the service cannot use. SQLite does the same for what it creates beside a database.
 */
import { accessSync, closeSync, constants, fchownSync, mkdirSync, openSync, type Stats, statSync } from 'node:fs';
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

/** What keeps this process from a file or folder that belongs to somebody else. */
export interface Denial {
  readonly path: string;
  /** A sentence that names it, its owner, and the user that this process runs as. */
  readonly reason: string;
  readonly advice: string;
}

/**
 * Returns why this process may not use what is at `path` in the way of `access`, a sum of `R_OK`, `W_OK` and `X_OK` of `node:fs`. Undefined
 * when it may, when nothing is there, or when something else than an owner or a mode is in the way.
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
  // Whoever owns the folder ought to own what is in it.
  const owner = statSync(above).uid === self ? self : stats.uid;
  const advice = owner === self ? `give it to this user: chown ${self} ${path}` : `run this as user ${owner}`;
  return { path, reason, advice };
}
