/** How commands write files and show paths. */
import { closeSync, fchmodSync, fsyncSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, relative } from 'node:path';
import { createOwnedFile } from '../common/files/owned-files.ts';
import { syncDirectory } from '../secrets/secret-key.ts';

/**
 * Replaces `path` by `text`, readable by its owner only. A reader finds the old file or the complete new one; after this returns, only the
 * new one, even after a power cut. One process at a time may write to a path.
 */
export const replacePrivateFile = (path: string, text: string): void => replaceFile(path, text, 0o600);

/** As `replacePrivateFile`, but everybody can read the file, whatever the umask. */
export const replacePublicFile = (path: string, text: string): void => replaceFile(path, text, 0o644);

function replaceFile(path: string, text: string, mode: number): void {
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  const file = createOwnedFile(draft);
  try {
    writeFileSync(file, text);
    fchmodSync(file, mode);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
  syncDirectory(dirname(path));
}

/** Returns `path` as typed in `directory`: relative if it is below, otherwise absolute; always with a slash. */
export function typedPath(path: string, directory: string): string {
  if (directory === '/') return path;
  const below = relative(directory, path);
  if (below === '') return './';
  if (isAbsolute(below) || below.startsWith('..')) return path;
  return /^[^/~-][^/]*\//.test(below) ? below : `./${below}`;
}

/** Returns `text` as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
