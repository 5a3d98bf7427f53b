/** `npm run check`: static checks of the source. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, extname, join } from 'node:path';
import { describeFault, findFaults } from './checks/boundaries.ts';
import { unlistedCaches } from './checks/caches.ts';
import { classFaults } from './checks/classes.ts';
import { uncommented } from './checks/comments.ts';
import { describeLongFunction, longFunctions, longStyle } from './checks/lines.ts';
import { datesBesideClock } from './checks/one-clock.ts';
import { isTest, sourceFiles } from './checks/source-files.ts';
import { sqlFiles, sqlValues } from './checks/sql-values.ts';
import { rawColours, rawStyles, tokensFile, tokensOf, unreadTokens, unsetTokens } from './checks/styles.ts';

const root = join(import.meta.dirname, '..');

/** The findings of a step; empty if there are none. */
type Step = () => string | Promise<string>;

/** One per core runs in parallel; the longest start first. */
const steps: Readonly<Record<string, Step>> = {
  types: () => typesOf('.'),
  'format and lint': () => run('biome', 'check', '--error-on-warnings', '.'),
  'dead code': () => run('knip', '--no-progress'),
  'reference of the client': () => run('node', 'scripts/generate-client-reference.ts', '--check'),
  'built console': () => run('node', 'scripts/build-console.ts', '--check'),
  'built site': () => run('node', 'scripts/build-docs.ts', '--check'),
  'types of the console': () => typesOf('packages/console'),
  'types of the site': () => typesOf('packages/site'),
  // These know neither Buffer nor process.
  'types of what runs in a browser': async () => (await typesOf('packages/json')) + (await typesOf('packages/client')),
  'size of the client': () => run('node', 'scripts/checks/client-budgets.ts'),
  'landed migrations': () => run('node', 'scripts/checks/landed-migrations.ts'),
  'import boundaries': () => findFaults(root).map(describeFault).join('\n'),
  'length of components': () =>
    sourceFiles(root)
      .filter((file) => extname(file) === '.tsx')
      .flatMap((file) => longFunctions(file, readFileSync(join(root, file), 'utf8')))
      .map(describeLongFunction)
      .join('\n'),
  'length of styles': () =>
    sourceFiles(root)
      .map((file) => (extname(file) === '.css' ? longStyle(file, readFileSync(join(root, file), 'utf8')) : ''))
      .filter(Boolean)
      .join('\n'),
  'tokens of styles': () => {
    const texts = styleTexts(['.css', '.ts', '.tsx']);
    const tokens = tokensOf(texts.get(tokensFile) ?? '');
    const sheets = [...texts].filter(([file]) => extname(file) === '.css' && file !== tokensFile);
    return sheets
      .flatMap(([file, text]) => [...rawStyles(file, text, tokens), ...rawColours(file, text)])
      .concat(unreadTokens(tokens, [...texts.values()]), unsetTokens(texts))
      .join('\n');
  },
  'classes of styles': () => {
    const texts = [...styleTexts(['.css', '.ts', '.tsx', '.js'])];
    return classFaults(
      new Map(texts.filter(([file]) => /^packages\/(?:console|kit|server|site)\//.test(file) && !isTest(file))),
    ).join('\n');
  },
  'bounds of caches': () =>
    unlistedCaches(root)
      .map((file) => `${file} has a cache: say in a table of ARCHITECTURE.md what bounds it`)
      .join('\n'),
  'one clock': () =>
    sourceFiles(root)
      .flatMap((file) => datesBesideClock(file, readFileSync(join(root, file), 'utf8')))
      .join('\n'),
  'values inside SQL': () =>
    sqlFiles(root)
      .flatMap((file) => sqlValues(file, readFileSync(join(root, file), 'utf8')))
      .join('\n'),
  'comments of exported functions': () =>
    sourceFiles(root)
      .flatMap((file) => uncommented(file, readFileSync(join(root, file), 'utf8')))
      .join('\n'),
};

/** Compiles a project without output. Unchanged files are skipped. */
function typesOf(project: string): Promise<string> {
  const known = join('node_modules/.cache/check', `${project.replace(/\W+/g, '-')}.tsbuildinfo`);
  return run('tsc', '-p', project, '--incremental', '--tsBuildInfoFile', known);
}

/** Runs a command of an installed package, under the pinned runtime, and resolves with its output if it fails. */
function run(command: string, ...args: readonly string[]): Promise<string> {
  const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH: path };
  const options = { cwd: root, env, maxBuffer: 64 * 2 ** 20, shell: process.platform === 'win32' };
  return new Promise((resolve) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      if (error === null) resolve('');
      else resolve([stdout, stderr].filter(Boolean).join('\n').trim() || error.message);
    });
  });
}

const waiting = Object.entries(steps);

/** Takes steps in sequence until none is left. */
async function work(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, step] = next;
    const begun = performance.now();
    const findings = await step();
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    console.log(`${findings ? '✗' : '✓'} ${name} (${seconds} s)`);
    if (findings) {
      console.log(`\n${findings}\n`);
      process.exitCode = 1;
    }
  }
}

await Promise.all(Array.from({ length: Math.max(availableParallelism(), 2) }, work));

/** Returns the sources of the packages with these ends of names, by their path. */
function styleTexts(ends: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    sourceFiles(root)
      .filter((file) => ends.includes(extname(file)))
      .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  );
}
