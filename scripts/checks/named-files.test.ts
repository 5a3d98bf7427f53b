import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const sources = globSync(['*.ts', '{bench,examples,packages,scripts,test,tooling,torture}/**/*.{ts,tsx,mjs,js}'], {
  cwd: root,
  // A build copies this one into the package.
  exclude: ['**/node_modules/**', '**/dist/**', '**/*.fixture/**', 'scripts/build/holdfast.mjs'],
});

/** A URL relative to `import.meta.url`, or a join of `import.meta.dirname` and constants. */
const named = /new URL\(\s*'([^']+)',\s*import\.meta\.url\)|import\.meta\.dirname,\s*((?:'[^']*',?\s*)+)\)/g;

/** Paths that a source names relative to itself, from the root. Lines of doc comments do not count. */
function pathsNamedIn(source: string): string[] {
  const text = readFileSync(join(root, source), 'utf8').replaceAll(/^\s*\*.*$/gm, '');
  return [...text.matchAll(named)].map(([, url, parts]) => {
    const path = url ?? parts?.split(',').map((part) => part.trim().replaceAll("'", '')) ?? [];
    return relative(root, join(root, dirname(source), ...[path].flat()));
  });
}

/** Files that a program makes are not there yet: git ignores them. Those of bundlers never are. */
function areMade(paths: readonly string[]): Set<string> {
  const input = paths.map((path) => `${path}/`).join('\n');
  const { stdout } = spawnSync('git', ['check-ignore', '--no-index', '--stdin'], { cwd: root, input });
  const ignored = String(stdout)
    .split('\n')
    .map((path) => path.replace(/\/$/, ''));
  return new Set([...ignored, ...paths.filter((path) => path.includes('.virtual.'))]);
}

/** A source that has moved takes its relative paths with it, and not every program that reads them runs in a test. */
it('each file that a source names relative to itself is there, or is made by a program', () => {
  const paths = sources.flatMap((source) => pathsNamedIn(source).map((path) => ({ source, path })));
  const absent = paths.filter(({ path }) => !existsSync(join(root, path)));
  const made = areMade(absent.map(({ path }) => path));

  expect(paths.length).toBeGreaterThan(100);
  expect(absent.filter(({ path }) => !made.has(path)).map(({ source, path }) => `${source}: ${path}`)).toEqual([]);
});

/** Files of TypeScript that the comments of a source name, alone or with folders before them. Declarations (`*.d.ts`) are built. */
function namedInComments(source: string): string[] {
  const text = readFileSync(join(root, source), 'utf8');
  if (!/(?:^\s*\/?\*|\/\/|\/\*).*\.tsx?\b/m.test(text)) return [];
  const { comments } = parseSync(source, text);
  const names = comments.flatMap(({ value }) => value.match(/(?<![\w*.])[\w./-]*[\w-]\.tsx?\b/g) ?? []);
  return names.filter((name) => !name.endsWith('.d.ts'));
}

it('each file that a comment names is there', () => {
  const endings = new Set(
    sources.flatMap((source) => source.split('/').map((_, index, parts) => parts.slice(index).join('/'))),
  );
  const named = sources.flatMap((source) => namedInComments(source).map((name) => ({ source, name })));

  expect(named.length).toBeGreaterThan(50);
  const absent = named.filter(({ name }) => !endings.has(name.replace(/^(?:\.{1,2}\/)+/, '')));
  expect(absent.map(({ source, name }) => `${source}: ${name}`)).toEqual([]);
});
