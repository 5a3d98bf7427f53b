/**
 * Compiles the modules of `holdfast serve` into the compile cache, so that even the first start is quick and small. Runs in the pinned
 * runtime after an installation. Modules that fail here are compiled when needed.
 */
import { flushCompileCache } from 'node:module';
import { enableCompileCache } from '../../packages/server/bin/compile-cache.mjs';

enableCompileCache();
const sources = new URL('../../packages/server/src/', import.meta.url);
const load = (path) => import(new URL(path, sources).href);
await load('main.ts');
await load('cli/serve/serve.ts');
await load('storage/sqlite/writer/writer.ts').catch(() => {}); // compiles, then fails outside a worker thread
process.argv.splice(2, Number.POSITIVE_INFINITY, '--version');
await load('cli/main.ts');
flushCompileCache();
