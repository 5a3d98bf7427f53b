/** The commit of a clone. Imports nothing of the program, so that its builds can use this too. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const commitPattern = /^[0-9a-f]{40,64}$/;

/** Returns the commit of a clone; undefined if there is no clone. Reads its files, since git is not needed to run. */
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
