/** The version of the program, not of its interface, and the commit that it was made from. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readOwnClone, readOwnText } from './own-files.ts';

interface Manifest {
  readonly version: string;
  /** Written by the builds. */
  readonly commit?: string;
}

const manifest = (): Manifest => JSON.parse(readOwnText(new URL('../../package.json', import.meta.url)));

/** Returns the version in the manifest of this package. */
export const programVersion = (): string => manifest().version;

/** Returns the commit that a build was made from, or that a clone is at; undefined where neither says so. */
export function programCommit(): string | undefined {
  const built = manifest().commit;
  if (built !== undefined) return built;
  try {
    const clone = readOwnClone(new URL('../../../..', import.meta.url));
    return clone === undefined ? undefined : commitAt(clone);
  } catch {
    return undefined; // built without a clone
  }
}

const commitPattern = /^[0-9a-f]{40,64}$/;

/** Returns the commit that a clone is at; undefined where there is no clone. Reads its files, as git is not needed to run. */
export function commitAt(root: string): string | undefined {
  const entry = join(root, '.git');
  if (!existsSync(entry)) return undefined;
  const folder = statSync(entry).isDirectory()
    ? entry
    : resolve(
        root,
        readFileSync(entry, 'utf8')
          .replace(/^gitdir: /, '')
          .trim(),
      );
  const head = readFileSync(join(folder, 'HEAD'), 'utf8').trim();
  if (commitPattern.test(head)) return head;
  const name = head.replace(/^ref: /, '');
  // A worktree shares the branches of its clone.
  const shared = join(folder, 'commondir');
  const branches = existsSync(shared) ? resolve(folder, readFileSync(shared, 'utf8').trim()) : folder;
  const loose = join(branches, name);
  const packed = join(branches, 'packed-refs');
  const text = existsSync(loose)
    ? readFileSync(loose, 'utf8').trim()
    : readFileSync(packed, 'utf8')
        .split('\n')
        .find((line) => line.endsWith(` ${name}`))
        ?.split(' ')[0];
  return text !== undefined && commitPattern.test(text) ? text : undefined;
}

/** Returns the version with the first characters of the commit, for people: `0.2.0 (1a2b3c4d5e6f)`. */
export function programName(): string {
  const commit = programCommit();
  return commit === undefined ? programVersion() : `${programVersion()} (${commit.slice(0, 12)})`;
}
