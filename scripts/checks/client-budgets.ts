/**
 * Budgets of `@holdfast/client` in a page: bundled alone, minified and compressed, as a bundler leaves it for what is
 * imported.
 */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

export interface Budget {
  /** What is imported. */
  readonly use: string;
  readonly source: string;
  readonly bytesMax: number;
}

const from = `from '@holdfast/client'`;

export const budgets: readonly Budget[] = [
  { use: 'state', source: `export { createStateClient } ${from}`, bytesMax: 8_992 },
  { use: 'state and sign-in', source: `export { createStateClient, createAuth } ${from}`, bytesMax: 12_320 },
  { use: 'state and guests', source: `export { createStateClient, createGuest } ${from}`, bytesMax: 11_520 },
  { use: 'everything of createClient', source: `export { createClient } ${from}`, bytesMax: 18_944 },
];

/** Bytes of a program that imports some of the client. */
export async function weigh({ source }: Budget): Promise<number> {
  const name = 'virtual:budget.js';
  const bundle = await rolldown({
    input: name,
    cwd: join(import.meta.dirname, '../..'),
    platform: 'browser',
    plugins: [
      {
        name: 'budget',
        resolveId: (id) => (id === name ? join(import.meta.dirname, '../../packages/client/src/budget.virtual.js') : null),
        load: (id) => (id.endsWith('budget.virtual.js') ? source : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false });
  await bundle.close();
  return gzipSync(output[0].code, { level: 9 }).length;
}

if (import.meta.main) {
  for (const budget of budgets) {
    const bytes = await weigh(budget);
    const isOver = bytes > budget.bytesMax;
    console.log(`${budget.use}: ${bytes} of ${budget.bytesMax} bytes${isOver ? ', too many' : ''}`);
    if (isOver) process.exitCode = 1;
  }
}
