/** The version of the program, not of its interface, and its commit. */
import { commitAt } from './commit-at.ts';
import { readClone, readProgramText } from './program-files.ts';

interface Manifest {
  readonly version: string;
  /** Written by the builds. */
  readonly commit?: string;
}

const manifest = (): Manifest => JSON.parse(readProgramText(new URL('../../../package.json', import.meta.url)));

/** Returns the version in the manifest of this package. */
export const programVersion = (): string => manifest().version;

/** Returns the commit of a build or of a clone; undefined if neither is known. */
export function programCommit(): string | undefined {
  const built = manifest().commit;
  if (built !== undefined) return built;
  try {
    const clone = readClone(new URL('../../../../..', import.meta.url));
    return clone === undefined ? undefined : commitAt(clone);
  } catch {
    return undefined; // built without a clone
  }
}

/** Returns the version with the first characters of the commit, for people: `0.2.0 (1a2b3c4d5e6f)`. */
export function programName(): string {
  const commit = programCommit();
  return commit === undefined ? programVersion() : `${programVersion()} (${commit.slice(0, 12)})`;
}
