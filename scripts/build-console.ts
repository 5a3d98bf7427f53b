/**
 * `node scripts/build-console.ts`: builds the console into `packages/console/dist`, which is committed. With `--check`, it builds elsewhere
 * and reports differences from the committed files.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'vite';
import { brotliQuality } from '../packages/server/src/http/replies/compression.ts';
import { withFolder } from '../tooling/workspace.ts';
import { differingFiles, filesBelow } from './build/committed.ts';

const root = join(import.meta.dirname, '..', 'packages', 'console');
const committed = join(root, 'dist');

/**
 * Uncompressed bytes of script for visitors; then compressed bytes: what the console adds to show its frame, and the editor in addition.
 */
const visitorScriptBytesMax = 60_000;
const consoleScriptBytesMax = 131_072;
const editorScriptBytesMax = 170_000;

if (process.argv.includes('--check')) await check();
else await buildInto(committed);

interface Chunk {
  readonly name: string;
  readonly fileName: string;
  readonly code: string;
  /** The files loaded before it. */
  readonly imports: readonly string[];
}

async function buildInto(folder: string): Promise<readonly Chunk[]> {
  const built = await build({
    root,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true },
  });
  const names = filesBelow(folder).filter((one) => one.startsWith('assets/'));
  writeFileSync(join(folder, 'files.json'), `${JSON.stringify(names.sort(), null, 2)}\n`);
  if (!('output' in built)) throw new Error('the build of the console returned no files');
  return built.output.filter((one) => one.type === 'chunk');
}

async function check(): Promise<void> {
  await withFolder('console', async (folder) => {
    const chunks = await buildInto(folder);
    const differing = differingFiles(folder, committed);
    const faults = [
      ...differing.map((name) => `packages/console/dist/${name} is not what its source builds`),
      ...sizeFaults(chunks),
    ];
    for (const fault of faults) console.log(fault);
    if (differing.length > 0) console.log('`node scripts/build-console.ts` builds the console again.');
    if (faults.length > 0) process.exitCode = 1;
  });
}

/** The size of a script as the service sends it. */
function sentBytes(code: string): number {
  return brotliCompressSync(code, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }).length;
}

/** The scripts loaded by visitors, by signed-in users, and with the editor, compared with the budgets. */
function sizeFaults(chunks: readonly Chunk[]): string[] {
  const visitor = closureOf(chunks, ['index', 'visitor-de']);
  const signedIn = closureOf(chunks, ['index', 'app', 'console-de']).filter((chunk) => !visitor.includes(chunk));
  const editor = chunks.filter(({ name }) => ['editor', 'code-editor', 'diff-view', 'code'].includes(name));
  const sum = (parts: readonly Chunk[], sizeOf: (code: string) => number) =>
    parts.reduce((total, { code }) => total + sizeOf(code), 0);
  const budgets = [
    ['the script before sign-in, not compressed', sum(visitor, Buffer.byteLength), visitorScriptBytesMax],
    ['what the frame of the console adds', sum(signedIn, sentBytes), consoleScriptBytesMax],
    ['what the editor adds', sum(editor, sentBytes), editorScriptBytesMax],
  ] as const;
  for (const [name, size, max] of budgets) console.log(`${name}: ${size} of ${max} bytes`);
  return budgets.filter(([, size, max]) => size > max).map(([name, size, max]) => `${name} has ${size} bytes, not ${max}`);
}

/** Returns the chunks of these names, and all chunks loaded before them. Throws an `Error` for a missing one. */
function closureOf(chunks: readonly Chunk[], names: readonly string[]): readonly Chunk[] {
  const found = new Set<Chunk>();
  const add = (chunk: Chunk | undefined) => {
    if (chunk === undefined || found.has(chunk)) return;
    found.add(chunk);
    for (const file of chunk.imports) add(chunks.find(({ fileName }) => fileName === file));
  };
  for (const name of names) {
    const chunk = chunks.find((one) => one.name === name);
    if (chunk === undefined) throw new Error(`the build of the console has no chunk ${name}`);
    add(chunk);
  }
  return [...found];
}
