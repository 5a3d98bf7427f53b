/**
 * Compiles what `holdfast serve` loads into the compile cache, so that already the first start is quick and small. Runs in the
 * pinned runtime after an installation. What cannot be compiled here is compiled when it is needed.
 */
import { flushCompileCache } from 'node:module';
import { enableCompileCache } from '../../packages/server/bin/compile-cache.mjs';

enableCompileCache();
const sources = new URL('../../packages/server/src/', import.meta.url);
const load = (path) => import(new URL(path, sources).href);
await load('main.ts');
await load('cli/serve.ts');
await load('storage/sqlite/writer/writer.ts').catch(() => {}); // compiles, and then finds that it is no worker thread
process.argv.splice(2, Number.POSITIVE_INFINITY, '--version');
await load('cli/main.ts');
flushCompileCache();
