/**
 * The files of a program built as a package. The build writes `holdfast:///PATH` in place of `import.meta.url`, where PATH is the module's
 * path in the repository, and puts the files under `files` with their paths in the repository.
 */
import { readFileSync } from 'node:fs';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Returns the text of a file. */
export function readProgramText(file: URL): string {
  return readFileSync(place(file), 'utf8');
}

/** Returns the bytes of a file. */
export function readProgramBytes(file: URL): Uint8Array {
  return readFileSync(place(file));
}

/** Returns the folder of the clone that the program runs from, given its root; undefined in a built program. */
export function readClone(): undefined {
  return undefined;
}

/** Starts a thread that runs a module. */
export function startProgramThread(module: URL, options: WorkerOptions): Worker {
  return new Worker(place(module), options);
}

/** Modules have been compiled. All code is in one folder, which contains `files`. */
const place = ({ pathname }: URL): URL => new URL(`./files${pathname.replace(/\.ts$/, '.js')}`, import.meta.url);
