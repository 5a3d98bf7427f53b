/** Runs the property tests of JSON Patch and of document differences, with any number of cases. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputOf } from '../tooling/child-processes.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const tests = ['packages/json/src/patch.property.slow.test.ts', 'packages/json/src/diff.property.slow.test.ts'];
const outputCharactersMax = 4_000;

/** Resolves with whether the tests passed, and the end of their output. There are half as many pairs of documents as patches. */
export async function patchProperty(cases: number): Promise<{ passed: boolean; output: string }> {
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', ...tests, '--testTimeout', '0', '--no-color'], {
    cwd: root,
    env: { ...process.env, HOLDFAST_PATCH_CASES: String(cases), HOLDFAST_DIFF_CASES: String(Math.ceil(cases / 2)) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = outputOf(child, outputCharactersMax);
  const [code] = (await once(child, 'exit')) as [number | null];
  return { passed: code === 0, output: output() };
}
