/** The version of the program, not of its interface. */
import { readFileSync } from 'node:fs';

/** Returns the version in the manifest of this package. */
export function programVersion(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}
