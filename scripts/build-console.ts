/**
 * `node scripts/build-console.ts`: builds the console into `packages/console/dist`, which is committed. With `--check` it builds
 * elsewhere, and says what of that differs from what is committed.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'vite';
import { brotliQuality } from '../packages/server/src/http/prepared-text.ts';

const root = join(import.meta.dirname, '..', 'packages', 'console');
const committed = join(root, 'dist');

/** Compressed bytes of script that the first page loads, and those that the first editor adds. */
const firstScriptBytesMax = 144_000;
const editorScriptBytesMax = 170_000;

if (process.argv.includes('--check')) await check();
else await buildInto(committed);

async function buildInto(folder: string): Promise<void> {
  await build({
    root,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true },
  });
  const names = filesOf(folder).filter((one) => one.startsWith('assets/'));
  writeFileSync(join(folder, 'files.json'), `${JSON.stringify(names.sort(), null, 2)}\n`);
}

async function check(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-console-'));
  try {
    await buildInto(folder);
    const names = [...new Set([...filesOf(folder), ...filesOf(committed)])].sort();
    const differing = names.filter((name) => read(folder, name) !== read(committed, name));
    const faults = [
      ...differing.map((name) => `packages/console/dist/${name} is not what its source builds`),
      ...sizeFaults(folder),
    ];
    for (const fault of faults) console.log(fault);
    if (differing.length > 0) console.log('`node scripts/build-console.ts` builds the console again.');
    if (faults.length > 0) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function read(folder: string, name: string): string | undefined {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    return undefined;
  }
}

function filesOf(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    );
}

/** As the service sends it. */
function compressed(bytes: Uint8Array): Uint8Array {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } });
}

/** What the page loads at once, and what the editor adds, against their budgets. */
function sizeFaults(folder: string): string[] {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const first = [...page.matchAll(/\.\/(assets\/[^"]+\.js)"/g)].map(([, name = '']) => name);
  const editor = filesOf(folder).filter((name) => /\/(?:editor|code-editor|diff-view|code)-[^/]+\.js$/.test(name));
  const bytes = (names: readonly string[]) =>
    names.reduce((sum, name) => sum + compressed(readFileSync(join(folder, name))).length, 0);
  const budgets = [
    ['the first script', bytes(first), firstScriptBytesMax],
    ['the editor', bytes(editor), editorScriptBytesMax],
  ] as const;
  for (const [name, size, max] of budgets) console.log(`${name}: ${size} of ${max} bytes`);
  return budgets.filter(([, size, max]) => size > max).map(([name, size, max]) => `${name} has ${size} bytes, not ${max}`);
}
