/**
 * Before all tests: bundles the threads and the command that they start, unless nothing changed since the last run. A run starts about a
 * thousand threads and two hundred processes, and each would otherwise resolve and load up to five hundred files.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { commitAt } from '../../packages/server/src/common/program/commit-at.ts';

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/tests');
const known = join(cache, 'built.txt');
/** What the bundles are made of, or what decides how. */
const inputs = [
  ...['client', 'contract', 'json', 'server'].map((name) => `packages/${name}`),
  'packages/console/dist',
  'packages/site/dist',
  'scripts/build',
  'docs',
  'package-lock.json',
];
const dayMilliseconds = 86_400_000;

/** Rejects if a source cannot be bundled. */
export default async function setup(): Promise<void> {
  const state = stateOfInputs();
  if (bytesOf(known)?.toString() === state) return;
  const { buildCommand, bundleThreads } = await import('../../scripts/build/server.ts');
  mkdirSync(cache, { recursive: true });
  const made = mkdtempSync(join(cache, 'new-'));
  try {
    await bundleThreads(join(made, 'threads'));
    await buildCommand(join(made, 'program'), isBuiltin);
    rmSync(known, { force: true });
    for (const part of ['threads', 'program']) replace(join(made, part), join(cache, part));
    writeFileSync(known, state);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** The commit, and a hash of the name, size and time of each input. */
function stateOfInputs(): string {
  const hash = createHash('sha256').update(`${commitAt(root)}\n`);
  for (const input of inputs) {
    const isFolder = statSync(join(root, input)).isDirectory();
    const files = isFolder ? readdirSync(join(root, input), { recursive: true, encoding: 'utf8' }).sort() : [''];
    for (const file of files) {
      const { size, mtimeMs } = statSync(join(root, input, file));
      hash.update(`${input}/${file} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest('hex');
}

const bytesOf = (path: string): Buffer | undefined => (existsSync(path) ? readFileSync(path) : undefined);

/** Moves files over those of the last run, each at once: another run in this clone may be reading them. Chunks come before their entry. */
function replace(made: string, folder: string): void {
  const filesIn = (path: string) =>
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1));
  const fresh = filesIn(made);
  const isEntry = (file: string) => /^(?:dist\/main\.js|bin\/.*)$/.test(file);
  for (const file of [...fresh.filter((one) => !isEntry(one)), ...fresh.filter(isEntry)]) {
    const [from, to] = [join(made, file), join(folder, file)];
    if (bytesOf(to)?.equals(readFileSync(from))) continue;
    mkdirSync(dirname(to), { recursive: true });
    renameSync(from, to);
  }
  const isOld = (file: string) => statSync(join(folder, file)).mtimeMs < Date.now() - dayMilliseconds;
  for (const file of filesIn(folder)) if (!fresh.includes(file) && isOld(file)) rmSync(join(folder, file));
}
