/** Compares files that are committed as built with a new build of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the paths of all files below a folder, with slashes. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    );
}

/** Returns the paths of the files that are not the same in both folders, in order. */
export function differingFiles(one: string, other: string): string[] {
  const names = [...new Set([...filesBelow(one), ...filesBelow(other)])].sort();
  return names.filter((name) => read(one, name) !== read(other, name));
}

function read(folder: string, name: string): string | undefined {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    return undefined;
  }
}
