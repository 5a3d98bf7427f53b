/** Makes the tree that of a release: the version wherever it is named, and the section of the changelog. Committing it is left to a person. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../build/server.ts';
import { cut, nextVersion, sectionOf } from './changelog.ts';
import { programVersion } from './set-version.ts';

const changelogFile = join(root, 'CHANGELOG.md');

/** The version that the changelog asks for next. Throws when there is nothing to release. */
export function wantedVersion(): string {
  return nextVersion(programVersion(), sectionOf(readFileSync(changelogFile, 'utf8'), 'Unreleased')?.text ?? '');
}

/** Writes `version` everywhere, turns what is unreleased into its section, and makes the generated files again. Throws when a step fails. */
export function prepare(version: string, date: string): void {
  writeFileSync(changelogFile, cut(readFileSync(changelogFile, 'utf8'), version, date));
  const steps = [['scripts/releases/set-version.ts', version], ['scripts/generate-docs.ts'], ['scripts/build-docs.ts']];
  for (const step of steps) {
    const { status } = spawnSync(process.execPath, step, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) throw new Error(`${step[0]} failed`);
  }
}
