/**
 * `node scripts/measure/mutate.ts --places 20 --seed 1 [--mode quick]`: changes production code at random places, one at a time, and
 * reports changes that no test notices. Every room gets as many places. A place is tested with the tests of its folder first and, if those
 * pass, with all tests that reach it. The working tree must be clean, and is restored afterwards.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseSync } from 'oxc-parser';
import { isTest, sourceFiles } from '../checks/source-files.ts';

const root = join(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: {
    places: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
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
    if (typeof node.type === 'string') found.push(...changesOf(node, source).map((change) => ({ file, ...change })));
    for (const part of Object.values(node)) visit(part);
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
  if (type === 'Literal' && typeof value === 'number') return [{ start, end, text: String(value + 1) }];
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
      (file) => /^packages\/(?:client|contract|json|server)\/src\/.*\.ts$/.test(file) && !isTest(file),
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

/** Runs tests until one fails, and returns the failed files; undefined if all pass. */
function failing(...args: readonly string[]): string[] | undefined {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const report = join(mkdtempSync(join(tmpdir(), 'holdfast-mutate-')), 'report.json');
  const options = ['--mode', values.mode, '--bail', '1', '--reporter', 'json', '--outputFile', report, '--passWithNoTests'];
  const { status } = spawnSync(process.execPath, [vitest, ...args, ...options], {
    cwd: root,
    stdio: 'ignore',
    timeout: 900_000,
  });
  if (status === 0) return undefined;
  if (!existsSync(report)) return [];
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as { testResults: { name: string; status: string }[] };
  return testResults.filter((file) => file.status === 'failed').map(({ name }) => name);
}

/** Returns who notices the change: tests beside it, tests that reach it, or nobody. A test that fails anyway does not count. */
function whoNotices({ file, start, end, text }: Place): 'beside' | 'related' | undefined {
  const path = join(root, file);
  const source = readFileSync(path, 'utf8');
  const restore = () => writeFileSync(path, source);
  const notice = (...args: readonly string[]): boolean => {
    process.once('exit', restore);
    writeFileSync(path, source.slice(0, start) + text + source.slice(end));
    const failed = failing(...args);
    restore();
    process.off('exit', restore);
    return failed !== undefined && (failed.length === 0 || failing('run', ...failed) === undefined);
  };
  if (notice('run', dirname(file))) return 'beside';
  return notice('related', '--run', file) ? 'related' : undefined;
}

if (execFileSync('git', ['status', '--porcelain', '--', 'packages'], { cwd: root, encoding: 'utf8' }) !== '') {
  throw new Error('packages has changes that are not committed');
}
process.on('SIGINT', () => process.exit(1));
const places = choose(Number(values.places), createRandom(Number(values.seed)));
let noticed = 0;
for (const place of places) {
  const source = readFileSync(join(root, place.file), 'utf8');
  const line = source.slice(0, place.start).split('\n').length;
  const by = whoNotices(place);
  if (by !== undefined) noticed++;
  const change = `${source.slice(place.start, place.end).replace(/\s+/g, ' ')} → ${place.text}`;
  console.log(`${by === undefined ? '✗ survives' : `✓ ${by}`}: ${place.file}:${line} ${change}`);
}
console.log(`${noticed} of ${places.length} changes were noticed`);
