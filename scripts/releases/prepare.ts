/** Turns the tree into a release: the version wherever it is named, and the section of the changelog. A person commits it. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../build/server.ts';
import { cut, nextVersion, sectionOf } from './changelog.ts';
import { programVersion } from './set-version.ts';

const changelogFile = join(root, 'CHANGELOG.md');

/** The next version according to the changelog. Throws if there is nothing to release. */
export function wantedVersion(): string {
  return nextVersion(programVersion(), sectionOf(readFileSync(changelogFile, 'utf8'), 'Unreleased')?.text ?? '');
}

/** Writes `version` everywhere, turns unreleased changes into its section, and regenerates files. Throws if a step fails. */
export function prepare(version: string, date: string): void {
  writeFileSync(changelogFile, cut(readFileSync(changelogFile, 'utf8'), version, date));
  const steps = [['scripts/releases/set-version.ts', version], ['scripts/generate-docs.ts'], ['scripts/build-docs.ts']];
  for (const step of steps) {
    const { status } = spawnSync(process.execPath, step, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) throw new Error(`${step[0]} failed`);
  }
}
