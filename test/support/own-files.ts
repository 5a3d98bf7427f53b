/**
 * The variant of own-files.ts for tests: each thread loads one bundle instead of its modules. A run starts about a thousand threads, and
 * each would otherwise resolve and load up to sixty modules.
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
 * Bundles the threads and the command for other processes, once before all tests. The command is the published one with its dependencies
 * bundled: otherwise two hundred processes would each load five hundred files.
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

/** Returns the path of the clone with this root that the program runs from; undefined in a built program. */
export function readOwnClone(root: URL): string | undefined {
  return fileURLToPath(root);
}

/** Starts a thread with a module. */
export function startOwnThread(module: URL, options: WorkerOptions): Worker {
  const source = fileURLToPath(module);
  const bundle = join(folder, relative(root, source).replace(/\.ts$/, '.js'));
  return new Worker(existsSync(bundle) ? bundle : source, options);
}
