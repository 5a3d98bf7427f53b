/** Earlier releases, taken from the history of this repository. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withFolder } from './workspace.ts';

const root = join(import.meta.dirname, '..');

/** The commit of each release. A new release is added here, together with its fixture (CONTRIBUTING.md, "Versions"). */
export const releaseCommits = { '0.1.0': '2bdb204284377882d75dc0f96e2e9e977816c21c' } as const;
export type Release = keyof typeof releaseCommits;

export interface Wanted {
  readonly release: Release;
  /** An existing installation. By default, the release is checked out from the history. */
  readonly checkout: string | undefined;
}

/** Runs `work` with the folder where a release is installed. Rejects with the errors of `checkOut`. */
export async function withRelease<Result>(
  { release, checkout }: Wanted,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  if (checkout !== undefined) return work(resolve(checkout));
  return withFolder('release', (folder) => {
    checkOut(release, folder);
    return work(folder);
  });
}

/**
 * Puts the files of a release into `folder`, and installs its dependencies from the registry. Throws an `Error` if the history of this
 * repository lacks its commit, as in a shallow clone.
 */
export function checkOut(release: Release, folder: string): void {
  checkOutCommit(releaseCommits[release], folder);
}

/**
 * Puts the files of a commit into `folder`, and installs its dependencies from the registry. Throws an `Error` if the history of this
 * repository lacks it, as in a shallow clone.
 */
export function checkOutCommit(commit: string, folder: string): void {
  const found = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' });
  if (found.status !== 0) {
    throw new Error(`the history of this repository has no commit ${commit}: fetch it with "git fetch --unshallow"`);
  }
  mkdirSync(folder, { recursive: true });
  const files = execFileSync('git', ['archive', `${commit}^{commit}`], { cwd: root, maxBuffer: 256 * 1024 * 1024 });
  execFileSync('tar', ['-x', '-C', folder], { input: files });
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}
