/**
 * `node scripts/measure/mutate.ts --places 20 --seed 1 [--from 0] [--mode near]`: changes production code at random places, one at a time, and
 * reports changes that no test notices. Every room gets as many places; `--from` leaves out the first ones. A place is tried with the quick
 * tests that are near it; unless the mode is `near`, with all quick tests that reach it; unless it is `quick`, with the slow ones too. The
 * working tree must be clean, and is restored afterwards.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parseSync } from 'oxc-parser';
import { parseImports } from '../checks/imports.ts';
import { isTest, sourceFiles } from '../checks/source-files.ts';

const root = join(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: {
    places: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    mode: { type: 'string', default: 'all' },
  },
});

interface Place {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const turned: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
};

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}
type Parts = Node & Readonly<Record<string, unknown>>;

/** Returns the places of a file: comparisons to turn, checks to remove, constants to change. */
function placesIn(file: string): Place[] {
  const source = readFileSync(join(root, file), 'utf8');
  const found: Place[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const node = value as Parts;
    // No test sees a change to a type.
    const isType = typeof node.type === 'string' && node.type.startsWith('TS');
    if (typeof node.type === 'string') found.push(...changesOf(node, source).map((change) => ({ file, ...change })));
    for (const part of isType ? [node.expression] : Object.values(node)) visit(part);
  };
  visit(parseSync(file, source).program.body);
  return found;
}

function changesOf(node: Parts, source: string): Omit<Place, 'file'>[] {
  const { type, start, end, operator, value } = node;
  if (type === 'BinaryExpression' && typeof operator === 'string' && operator in turned) {
    const left = node.left as Node;
    const at = source.indexOf(operator, left.end);
    return [{ start: at, end: at + operator.length, text: turned[operator] as string }];
  }
  if (type === 'IfStatement') {
    const test = node.test as Node;
    return [{ start: test.start, end: test.end, text: 'false' }];
  }
  if (type === 'Literal' && typeof value === 'number') return [{ start, end, text: String(2 * value + 1) }];
  if (type === 'Literal' && typeof value === 'boolean') return [{ start, end, text: String(!value) }];
  return [];
}

/** A linear congruential generator: the same seed gives the same places. */
function createRandom(seed: number): (below: number) => number {
  let state = seed % 2_147_483_647 || 1;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** Chooses places from the rooms in turn. */
function choose(count: number, random: (below: number) => number): Place[] {
  const rooms = Map.groupBy(
    sourceFiles(root).filter(
      (file) => /^packages\/(?:client|contract|json|server)\/src\/.*(?<!\.oracle)\.ts$/.test(file) && !isTest(file),
    ),
    (file) =>
      file
        .split('/')
        .slice(0, 4)
        .join('/')
        .replace(/\/[^/]+\.ts$/, ''),
  );
  const left = [...rooms.values()].map((files) => files.flatMap(placesIn)).filter((places) => places.length > 0);
  return Array.from({ length: count }, (_, index) => {
    const places = left[index % left.length] as Place[];
    return places[random(places.length)] as Place;
  });
}

/** Runs tests until one fails. Returns the failed files, or `passed`; `unfinished` if the time is over. */
function run(mode: string, ...args: readonly string[]): readonly string[] | 'passed' | 'unfinished' {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const report = join(mkdtempSync(join(tmpdir(), 'holdfast-mutate-')), 'report.json');
  const options = ['--mode', mode, '--bail', '1', '--reporter', 'json', '--outputFile', report, '--passWithNoTests'];
  const { status } = spawnSync(process.execPath, [vitest, ...args, ...options], {
    cwd: root,
    stdio: 'ignore',
    timeout: 1_800_000,
  });
  if (status === 0) return 'passed';
  if (status === null) return 'unfinished';
  if (!existsSync(report)) return [];
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as { testResults: { name: string; status: string }[] };
  return testResults.filter((file) => file.status === 'failed').map(({ name }) => name);
}

/** Returns the files that import each file, for all sources and tests. */
function importersOf(): ReadonlyMap<string, readonly string[]> {
  const files = globSync('{packages/*/src,scripts,test,tooling,torture}/**/*.{ts,tsx}', { cwd: root });
  const importers = new Map<string, string[]>();
  for (const file of files.filter((name) => !name.includes('boundaries.fixture/'))) {
    for (const { target, isLocal, isTypeOnly } of parseImports(file, readFileSync(join(root, file), 'utf8')).imports) {
      const imported = isLocal ? target : ownPackage(target);
      if (isTypeOnly || imported === undefined) continue;
      if (!importers.has(imported)) importers.set(imported, []);
      importers.get(imported)?.push(file);
    }
  }
  return importers;
}

/** Returns the file that the name of a package of this repository stands for; undefined for other packages. */
function ownPackage(name: string): string | undefined {
  return /^@holdfast\/(?!.*\?)/.test(name) ? relative(root, fileURLToPath(import.meta.resolve(name))) : undefined;
}

/** Returns a few quick tests of a file: those that import it over the fewest others, and those named alike. */
function nearest(importers: ReadonlyMap<string, readonly string[]>, file: string): string[] {
  const direct = 2;
  const alike = 8;
  const seen = new Set([file]);
  for (const each of seen) for (const importer of importers.get(each) ?? []) seen.add(importer);
  const tests = [...seen].filter((name) => name.endsWith('.test.ts') && !/\.slow\./.test(name));
  const words = new Set(wordsOf(file));
  const shared = (name: string) => new Set(wordsOf(name)).intersection(words).size;
  const named = tests.filter((name) => shared(name) > 0).toSorted((one, other) => shared(other) - shared(one));
  return [...new Set([...tests.slice(0, direct), ...named.slice(0, alike)])];
}

/** The words of a path, in the singular, without those of most paths. */
function wordsOf(path: string): string[] {
  const words = path.split(/[^a-z]+/).map((word) => word.replace(/s$/, ''));
  return words.filter((word) => !['', 'package', 'server', 'src', 'test', 't'].includes(word));
}

type Verdict = `noticed by ${'near' | 'quick' | 'slow'} tests` | 'survives' | 'unclear';

/** Returns who notices the change. A test that fails without it does not count. */
function tryPlace({ file, start, end, text }: Place, importers: ReadonlyMap<string, readonly string[]>): Verdict {
  const path = join(root, file);
  const source = readFileSync(path, 'utf8');
  const restore = () => writeFileSync(path, source);
  let isUnclear = false;
  const notices = (mode: string, ...args: readonly string[]): boolean => {
    // A test that fails without the change as well may have hidden one that notices it.
    for (let attempt = 0; attempt < 3; attempt++) {
      process.once('exit', restore);
      writeFileSync(path, source.slice(0, start) + text + source.slice(end));
      const outcome = run(mode, ...args);
      restore();
      process.off('exit', restore);
      if (outcome === 'passed') return false;
      if (outcome !== 'unfinished' && (outcome.length === 0 || run(mode, 'run', ...outcome) === 'passed')) return true;
    }
    isUnclear = true;
    return false;
  };
  const near = nearest(importers, file);
  if (near.length > 0 && notices('quick', 'run', ...near)) return 'noticed by near tests';
  if (values.mode !== 'near' && notices('quick', 'related', '--run', file)) return 'noticed by quick tests';
  if (values.mode === 'all' && notices('rest', 'related', '--run', file)) return 'noticed by slow tests';
  return isUnclear ? 'unclear' : 'survives';
}

if (execFileSync('git', ['status', '--porcelain', '--', 'packages'], { cwd: root, encoding: 'utf8' }) !== '') {
  throw new Error('packages has changes that are not committed');
}
process.on('SIGINT', () => process.exit(1));
const places = choose(Number(values.places), createRandom(Number(values.seed))).slice(Number(values.from));
const importers = importersOf();
let noticed = 0;
for (const place of places) {
  const source = readFileSync(join(root, place.file), 'utf8');
  const line = source.slice(0, place.start).split('\n').length;
  const verdict = tryPlace(place, importers);
  if (verdict.startsWith('noticed')) noticed++;
  const change = `${source.slice(place.start, place.end).replace(/\s+/g, ' ')} → ${place.text}`;
  console.log(`${verdict.startsWith('noticed') ? '✓' : '✗'} ${verdict}: ${place.file}:${line} ${change}`);
}
console.log(`${noticed} of ${places.length} changes were noticed`);
