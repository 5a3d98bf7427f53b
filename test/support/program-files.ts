/** The variant of program-files.ts for tests: each thread loads one bundle (`built.ts`) instead of up to sixty modules. */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'node_modules/.cache/tests/threads');

/** Returns the text of a file. */
export function readProgramText(file: URL): string {
  return readFileSync(file, 'utf8');
}

/** Returns the bytes of a file. */
export function readProgramBytes(file: URL): Uint8Array {
  return readFileSync(file);
}

/** Returns the path of the clone with this root that the program runs from; undefined in a built program. */
export function readClone(root: URL): string | undefined {
  return fileURLToPath(root);
}

/** Starts a thread with a module. */
export function startProgramThread(module: URL, options: WorkerOptions): Worker {
  const source = fileURLToPath(module);
  const bundle = join(folder, relative(root, source).replace(/\.ts$/, '.js'));
  return new Worker(existsSync(bundle) ? bundle : source, options);
}
