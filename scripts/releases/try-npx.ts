/** Runs the program from a registry like its reader, `npx holdfast@VERSION` in an empty folder, under each supported Node. */

import { strict as assert } from 'node:assert';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../tooling/programs.ts';
import { withFolder } from '../../tooling/workspace.ts';
import { smoke } from '../build/smoke.ts';
import { supported, withNode } from './runtimes.ts';

/**
 * Tries a version under the pinned Node and the oldest supported one; `variables` make npm use the registry. Rejects with the first
 * difference from the README. Prints a line for each Node.
 */
export async function tryNpx(version: string, variables: Readonly<Record<string, string>>): Promise<void> {
  await withFolder('npx', async (at) => {
    for (const release of [undefined, supported]) {
      const environment = { ...withNode(release, at), ...variables };
      const node = run('node', ['--version'], at, environment).trim();
      const folder = join(at, `empty-${node}`);
      mkdirSync(folder);
      const words = ['npx', '--yes', `holdfast@${version}`] as const;
      const begun = performance.now();
      const [npx, ...rest] = words;
      assert.equal(
        run(npx, [...rest, '--version'], folder, environment)
          .split(' ')[0]
          ?.trim(),
        version,
      );
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      assert.deepEqual(readdirSync(folder), [], 'asking for the version left files behind');
      const { readyMilliseconds, writtenMilliseconds } = await smoke({ words, folder, environment });
      console.log(
        `Node ${node}: npx holdfast@${version} fetched in ${seconds} s, ready after ${readyMilliseconds.toFixed(0)} ms, first conflict after ${writtenMilliseconds.toFixed(0)} ms`,
      );
    }
  });
}
