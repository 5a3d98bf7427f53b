/**
 * The form of own-files.ts that tests take: a thread runs one file in place of the modules that it is made of. A run starts about a
 * thousand threads, and each would resolve and load up to sixty modules.
 */
import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { buildCommand, bundleThreads, root } from '../../scripts/build/server.ts';

const cache = join(root, 'node_modules/.cache/tests');
const folder = join(cache, 'threads');

/**
 * Writes the files that threads run, and the command that other processes run, once before all tests. The command is as it is published,
 * but the packages of others are in it: two hundred processes would look for five hundred files each.
 */
export default async function setup(): Promise<void> {
  await bundleThreads(folder);
  await buildCommand(join(cache, 'program'), isBuiltin);
}

/** Returns the text of a file. */
export function readOwnText(file: URL): string {
  return readFileSync(file, 'utf8');
}

/** Returns the bytes of a file. */
export function readOwnBytes(file: URL): Uint8Array {
  return readFileSync(file);
}

/** Returns the folder of the clone that the program runs from, whose root is named; undefined where the program was built. */
export function readOwnClone(root: URL): string | undefined {
  return fileURLToPath(root);
}

/** Starts a thread that runs a module. */
export function startOwnThread(module: URL, options: WorkerOptions): Worker {
  const source = fileURLToPath(module);
  const bundle = join(folder, relative(root, source).replace(/\.ts$/, '.js'));
  return new Worker(existsSync(bundle) ? bundle : source, options);
}
