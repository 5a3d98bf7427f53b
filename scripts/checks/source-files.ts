/** Classifies the files of the repository. The checks and the line count use the same list. */
import { globSync } from 'node:fs';
import { extname } from 'node:path';

/** `code` is parsed: it has imports and functions. `text` is also written by hand, and counted. `data` is neither. */
export type SourceKind = 'code' | 'text' | 'data';

const kinds: Readonly<Record<string, SourceKind>> = {
  '.ts': 'code',
  '.tsx': 'code',
  '.mts': 'code',
  '.cts': 'code',
  '.js': 'code',
  '.jsx': 'code',
  '.mjs': 'code',
  '.cjs': 'code',
  '.css': 'text',
  '.sql': 'text',
  '.html': 'text',
  '.svg': 'data',
  '.json': 'data',
  '.woff2': 'data',
  '.txt': 'data',
};

/** Returns the kind of a file by its extension; undefined for an unknown one. */
export const kindOf = (path: string): SourceKind | undefined => kinds[extname(path)];

const testPatterns = [/\.(?:test|suite|fixture|contract)\.tsx?$/, /\/(?:test-processes|store-suite|fixtures)\//];

/** Whether a package's file belongs to its tests: it may import anything, and does not count as production code. */
export const isTest = (path: string): boolean => testPatterns.some((pattern) => pattern.test(path));

/** Returns the sources of the tools beside the packages, as paths below `root` with slashes, in order. */
export function toolFiles(root: string): string[] {
  return globSync('{bench,scripts,tooling,torture}/**/*.{ts,mjs}', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.includes('boundaries.fixture/'))
    .sort();
}

/** Returns the sources of the packages, as paths below `root` with slashes, in order. */
export function sourceFiles(root: string): string[] {
  return globSync('packages/*/{src,bin}/**/*', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(root.length + 1).replaceAll('\\', '/'))
    .sort();
}
