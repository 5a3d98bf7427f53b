/**
 * The files of a program built as a single executable: assets of the executable, with their paths in the repository as keys. The build
 * writes `holdfast:///PATH` in place of `import.meta.url`.
 */
import { getAsset, getRawAsset } from 'node:sea';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Returns the text of a file. */
export function readProgramText(file: URL): string {
  return getAsset(keyOf(file), 'utf8');
}

/** Returns the bytes of a file. */
export function readProgramBytes(file: URL): Uint8Array {
  return new Uint8Array(getRawAsset(keyOf(file)));
}

/** Returns the folder of the clone that the program runs from, given its root; undefined in a built program. */
export function readClone(): undefined {
  return undefined;
}

/** Starts a thread that runs a module, which the build has turned into one script. */
export function startProgramThread(module: URL, options: WorkerOptions): Worker {
  return new Worker(readProgramText(module), { ...options, eval: true });
}

const keyOf = ({ pathname }: URL): string => pathname.slice(1);
