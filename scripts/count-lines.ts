/**
 * `node scripts/count-lines.ts`: production lines of each package and in total: lines of code, styles and SQL that are neither blank nor
 * only a comment, without tests. Given a folder, counts what is below it. `--against COMMIT` shows the difference since then.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { countLines } from './checks/lines.ts';
import { isTest, kindOf, sourceFiles } from './checks/source-files.ts';

const root = join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({ allowPositionals: true, options: { against: { type: 'string' } } });
const [folder = 'packages'] = positionals;

/** Lines by group: a package, or an entry of the folder. */
type Lines = ReadonlyMap<string, number>;

const isProduction = (path: string): boolean =>
  path.startsWith(`${folder}/`) && !isTest(path) && ['code', 'text'].includes(kindOf(path) ?? 'code');

function linesOf(paths: readonly string[], read: (path: string) => string): Lines {
  const lines = new Map<string, number>();
  for (const path of paths.filter(isProduction)) {
    const name = path.slice(folder.length + 1).split('/')[0] ?? '';
    lines.set(name, (lines.get(name) ?? 0) + countLines(path, read(path)));
  }
  return lines;
}

function linesAt(commit: string): Lines {
  const git = (args: readonly string[], input = '') =>
    execFileSync('git', args, { cwd: root, input: Buffer.from(input), maxBuffer: 2 ** 30 });
  const listed = git(['ls-tree', '-r', '--name-only', '-z', commit, '--', 'packages']).toString().split('\0');
  const paths = listed.filter((path) => /^packages\/[^/]+\/(?:src|bin)\//.test(path) && isProduction(path));
  const blobs = git(['cat-file', '--batch'], paths.map((path) => `${commit}:${path}\n`).join(''));
  let offset = 0;
  /** Blobs come in the order of the paths, each after a line that ends with its size. */
  return linesOf(paths, () => {
    const begin = blobs.indexOf('\n', offset) + 1;
    const end = begin + Number(blobs.toString('utf8', offset, begin).trim().split(' ').at(-1));
    offset = end + 1;
    return blobs.toString('utf8', begin, end);
  });
}

const now = linesOf(sourceFiles(root), (path) => readFileSync(join(root, path), 'utf8'));
const before = values.against === undefined ? undefined : linesAt(values.against);
const sum = (lines: Lines): number => [...lines.values()].reduce((one, other) => one + other, 0);

function print(name: string, lines: number, linesBefore: number | undefined): void {
  const change = linesBefore === undefined ? '' : `${lines < linesBefore ? '' : '+'}${lines - linesBefore}`;
  console.log(`${name.padEnd(24)}${String(lines).padStart(7)}${change.padStart(8)}`);
}

for (const name of new Set([...now.keys(), ...(before?.keys() ?? [])])) {
  print(name, now.get(name) ?? 0, before && (before.get(name) ?? 0));
}
print('in all', sum(now), before && sum(before));
