/** The version of the program, not of its interface. */
import { readOwnText } from './own-files.ts';

/** Returns the version in the manifest of this package. */
export function programVersion(): string {
  return JSON.parse(readOwnText(new URL('../../package.json', import.meta.url))).version;
}
