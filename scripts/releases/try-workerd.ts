/**
 * Tries `@holdfast/client` on workerd, the runtime of Cloudflare Workers: `node scripts/releases/try-workerd.ts`. Packs the client, bundles
 * it with a program into a worker, and runs that against a real service, with today's behaviour and that of years ago. Installs `miniflare`
 * in a separate folder, without the install script of workerd, whose program is in a platform package.
 */
import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { type DemoOptions, installClient, installIn, withTrial } from '../build/client-trial.ts';

const miniflare = 'miniflare@4.20260730.0';

/** Compatibility dates: before the option `cache` of requests and before `navigator`, before the former only, and now. */
const dates = ['2021-11-03', '2024-01-01', '2026-07-01'];

interface Miniflare {
  dispatchFetch(url: string): Promise<Response>;
  dispose(): Promise<void>;
}

/** The client and its program as one module. Top-level code runs before the first request, when workerd allows the least. */
const worker = `import { tryClient } from './program.mjs';
export default {
  async fetch(request, { options }) {
    try {
      return new Response((await tryClient(options)).join(', '));
    } catch (error) {
      return new Response(String(error?.stack ?? error), { status: 500 });
    }
  },
};
`;

async function bundle(app: string): Promise<string> {
  writeFileSync(join(app, 'worker.mjs'), worker);
  const built = await rolldown({ input: join(app, 'worker.mjs'), platform: 'neutral' });
  const { output } = await built.generate({ format: 'esm', codeSplitting: false });
  await built.close();
  return output[0].code;
}

async function tryDate(at: string, script: string, options: DemoOptions, compatibilityDate: string): Promise<void> {
  const packages: { readonly Miniflare: new (given: object) => Miniflare } = createRequire(join(at, 'package.json'))(
    'miniflare',
  );
  const runtime = new packages.Miniflare({ modules: true, script, compatibilityDate, bindings: { options } });
  try {
    const response = await runtime.dispatchFetch('http://worker.example/');
    const told = await response.text();
    assert.equal(response.status, 200, told);
    console.log(`workerd of ${compatibilityDate}: ${told}`);
  } finally {
    await runtime.dispose();
  }
}

await withTrial('workerd', async (at, options) => {
  installIn(join(at, 'miniflare'), miniflare);
  const script = await bundle(await installClient(at));
  for (const date of dates) await tryDate(join(at, 'miniflare'), script, options, date);
});
