/**
 * Size budgets of `@holdfast/client` in a page: bundled alone, minified and compressed, for given imports. Lazily loaded parts are counted
 * separately.
 */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

export interface Budget {
  /** What is imported. */
  readonly use: string;
  readonly source: string;
  /** Counts only the file that begins with this module, which is loaded later. */
  readonly later?: string;
  readonly bytesMax: number;
}

const from = `from '@holdfast/client'`;

export const budgets: readonly Budget[] = [
  { use: 'state', source: `export { createStateClient } ${from}`, bytesMax: 9_216 },
  { use: 'state and sign-in', source: `export { createStateClient, createAuth } ${from}`, bytesMax: 12_608 },
  { use: 'state and guests', source: `export { createStateClient, createGuest } ${from}`, bytesMax: 11_520 },
  { use: 'everything of createClient', source: `export { createClient } ${from}`, bytesMax: 19_648 },
  {
    use: 'flags, loaded when they are used',
    source: `export { createClient } ${from}`,
    later: 'client/src/flags/watch.ts',
    bytesMax: 2_048,
  },
  { use: 'provider of flags', source: `export { flagProvider } from '@holdfast/client/flags'`, bytesMax: 1_280 },
];

/** Bytes of a program with some imports of the client. */
export async function weigh({ source, later }: Budget): Promise<number> {
  const name = 'virtual:budget.js';
  const bundle = await rolldown({
    input: name,
    cwd: join(import.meta.dirname, '../..'),
    platform: 'browser',
    external: ['@openfeature/web-sdk'],
    plugins: [
      {
        name: 'budget',
        resolveId: (id) => (id === name ? join(import.meta.dirname, '../../packages/client/src/budget.virtual.js') : null),
        load: (id) => (id.endsWith('budget.virtual.js') ? source : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  const chunks = new Map(output.flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one] as const] : [])));
  const loaded = new Set<string>();
  const load = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const imported of chunks.get(file)?.imports ?? []) load(imported);
  };
  const laterOne = [...chunks.values()].find(({ facadeModuleId }) => later && facadeModuleId?.endsWith(later));
  if (laterOne !== undefined) return gzipSync(laterOne.code, { level: 9 }).length;
  load(output[0].fileName);
  const code = [...loaded].map((file) => chunks.get(file)?.code ?? '').join('');
  return gzipSync(code, { level: 9 }).length;
}

if (import.meta.main) {
  for (const budget of budgets) {
    const bytes = await weigh(budget);
    const isOver = bytes > budget.bytesMax;
    console.log(`${budget.use}: ${bytes} of ${budget.bytesMax} bytes${isOver ? ', too many' : ''}`);
    if (isOver) process.exitCode = 1;
  }
}
