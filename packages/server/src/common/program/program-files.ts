/**
 * Files that belong to the program: SQL, style sheets, the code of threads. Everything that is read by path passes through here, named as
 * `new URL('./name', import.meta.url)`. A built program keeps them elsewhere, and has its own form of this file (`program-files.built.ts`,
 * `program-files.single.ts`).
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Returns the text of a file. */
export function readProgramText(file: URL): string {
  return readFileSync(file, 'utf8');
}

/** Returns the bytes of a file. */
export function readProgramBytes(file: URL): Uint8Array {
  return readFileSync(file);
}

/** Returns the folder of the clone that the program runs from, given its root; undefined in a built program. */
export function readClone(root: URL): string | undefined {
  return fileURLToPath(root);
}

/** Starts a thread that runs a module. */
export function startProgramThread(module: URL, options: WorkerOptions): Worker {
  return new Worker(module, options);
}
