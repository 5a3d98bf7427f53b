/** The files that the console's build made. */
import { readOwnText } from './own-files.ts';

/** Returns their paths below `packages/console/dist`, from the list built with them; empty if the console was not built. */
export function consoleFiles(): readonly string[] {
  try {
    return JSON.parse(readOwnText(new URL('../../../console/dist/files.json', import.meta.url)));
  } catch {
    return [];
  }
}
