/** `npm run check`: everything about the source that a program can judge without running it. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, extname, join } from 'node:path';
import { describeFault, findFaults } from './checks/boundaries.ts';
import { unlistedCaches } from './checks/caches.ts';
import { uncommented } from './checks/comments.ts';
import { describeLongFunction, longFunctions } from './checks/lines.ts';
import { datesBesideClock } from './checks/one-clock.ts';
import { sourceFiles } from './checks/source-files.ts';

const root = join(import.meta.dirname, '..');

/** What a step found; empty when all is well. */
type Step = () => string;

const steps: Readonly<Record<string, Step>> = {
  'format and lint': () => run('biome', 'check', '--error-on-warnings', '.'),
  types: () => run('tsc', '-p', '.'),
  // These know neither Buffer nor process.
  'types in a browser': () => run('tsc', '-p', 'packages/json') + run('tsc', '-p', 'packages/client'),
  'reference of the client': () => run('node', 'scripts/generate-client-reference.ts', '--check'),
  'size of the client': () => run('node', 'scripts/checks/client-budgets.ts'),
  'types of the console': () => run('tsc', '-p', 'packages/console'),
  'types of the site': () => run('tsc', '-p', 'packages/site'),
  'built console': () => run('node', 'scripts/build-console.ts', '--check'),
  'built site': () => run('node', 'scripts/build-docs.ts', '--check'),
  'dead code': () => run('knip', '--no-progress'),
  'landed migrations': () => run('node', 'scripts/checks/landed-migrations.ts'),
  'import boundaries': () => findFaults(root).map(describeFault).join('\n'),
  'length of components': () =>
    sourceFiles(root)
      .filter((file) => extname(file) === '.tsx')
      .flatMap((file) => longFunctions(file, readFileSync(join(root, file), 'utf8')))
      .map(describeLongFunction)
      .join('\n'),
  'bounds of caches': () =>
    unlistedCaches(root)
      .map((file) => `${file} has a cache: say in the table of ARCHITECTURE.md or docs/overload.md what bounds it`)
      .join('\n'),
  'one clock': () =>
    sourceFiles(root)
      .flatMap((file) => datesBesideClock(file, readFileSync(join(root, file), 'utf8')))
      .join('\n'),
  'comments of exported functions': () =>
    sourceFiles(root)
      .flatMap((file) => uncommented(file, readFileSync(join(root, file), 'utf8')))
      .join('\n'),
};

/** Runs a command of an installed package, under the pinned runtime, and returns what it prints when it fails. */
function run(command: string, ...args: readonly string[]): string {
  const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PATH: path },
    shell: process.platform === 'win32',
  });
  if (status === 0) return '';
  return [error?.message, stdout, stderr].filter(Boolean).join('\n').trim() || `${command} ended with status ${status}`;
}

for (const [name, step] of Object.entries(steps)) {
  const begun = performance.now();
  const findings = step();
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`${findings ? '✗' : '✓'} ${name} (${seconds} s)`);
  if (findings) {
    console.log(`\n${findings}\n`);
    process.exitCode = 1;
  }
}
