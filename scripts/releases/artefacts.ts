/** The files of a release: their folder, their time, and their checksums. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../build/server.ts';

/** Where every step puts its results. */
export const releaseFolder = join(root, 'build/release');

export const checksumFile = 'SHA256SUMS';

/** Copies files into the release's folder, and prints their names. */
export function keep(...files: readonly string[]): void {
  mkdirSync(releaseFolder, { recursive: true });
  for (const file of files) {
    copyFileSync(file, join(releaseFolder, basename(file)));
    console.log(basename(file));
  }
}

/**
 * Returns the environment of a build, in which the commit's time replaces the build's, so that the same commit gives the same files. @see
 * https://reproducible-builds.org/specs/source-date-epoch/
 */
export function buildEnvironment(): NodeJS.ProcessEnv {
  const { SOURCE_DATE_EPOCH: given } = process.env;
  const epoch = given ?? execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }).trim();
  return { ...process.env, SOURCE_DATE_EPOCH: epoch, TZ: 'UTC', LC_ALL: 'C.UTF-8' };
}

/** Returns the names of the downloadable files in a folder, in order. An image has its own digest. */
export function filesOf(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name !== checksumFile && !name.startsWith('holdfast-image-'))
    .sort();
}

/** Returns the SHA-256 of a file in hexadecimal. */
export const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Writes the checksums of a folder, in the format of `sha256sum --check`, and returns them. */
export function writeChecksums(folder: string): string {
  const lines = filesOf(folder).map((name) => `${sha256(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, checksumFile), lines.join(''));
  return lines.join('');
}
