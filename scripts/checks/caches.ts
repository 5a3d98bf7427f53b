/** Finds caches of the service whose bounds are undocumented. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTest, sourceFiles } from './source-files.ts';

const server = 'packages/server/src/';
/** Code that creates a cache. */
const parts = 'storage/caches/scoped-cache.ts';

/** Returns the files that create a cache but are not named in ARCHITECTURE.md. */
export function unlistedCaches(root: string, files: readonly string[] = filesWithCaches(root)): string[] {
  const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  return files.filter((file) => !page.includes(`\`${file}\``));
}

/** Returns the files that create a cache, as paths below the source of the service. */
export function filesWithCaches(root: string): string[] {
  return sourceFiles(root)
    .filter((path) => path.startsWith(server) && !isTest(path) && path !== server + parts)
    .filter((path) => /new (?:LRU|Access|Scoped)Cache\b/.test(readFileSync(join(root, path), 'utf8')))
    .map((path) => path.slice(server.length));
}
