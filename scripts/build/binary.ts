/**
 * Builds the service as a single executable, including the runtime: `node scripts/build/binary.ts [--runtime FILE] [--output FILE]`. By
 * default it is for this machine, contains the runtime of this script, and is written to `build/holdfast`. For another platform,
 * `--runtime` names a Node of the same version for that platform. Afterwards the executable is tried as in the README, in an empty folder
 * without Node; `--untried` skips that.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { withFolder } from '../../tooling/workspace.ts';
import { bundleScripts, root } from './server.ts';
import { smoke } from './smoke.ts';

const { values } = parseArgs({
  options: { runtime: { type: 'string' }, output: { type: 'string' }, untried: { type: 'boolean' } },
});
const suffix = process.platform === 'win32' ? '.exe' : '';
const output = resolve(values.output ?? join(root, `build/holdfast${suffix}`));

/** Apple's processors run no unsigned program. This signature names nobody, so Gatekeeper asks before the first start. */
function sign(file: string): void {
  const { status, stderr } = spawnSync('codesign', ['--sign', '-', '--force', file], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the executable could not be signed:\n${stderr}`);
}

await withFolder('binary', async (folder) => {
  const { main, assets } = await bundleScripts(folder);
  const config = join(folder, 'sea.json');
  mkdirSync(dirname(output), { recursive: true });
  rmSync(output, { force: true });
  const executable = values.runtime === undefined ? {} : { executable: resolve(values.runtime) };
  writeFileSync(
    config,
    JSON.stringify({
      // The executable contains this path, which must be the same wherever it is built.
      main: relative(folder, main),
      assets,
      output,
      ...executable,
      disableExperimentalSEAWarning: true,
      // Compiled code fits one platform only.
      useCodeCache: values.runtime === undefined,
    }),
  );
  // The seed orders the tables of the compiled code, which would otherwise differ between builds.
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--random-seed=1', '--build-sea', config], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the executable could not be built:\n${stdout}${stderr}`);
  if (process.platform === 'darwin') sign(output);
  console.log(`${output}: ${(statSync(output).size / 1024 / 1024).toFixed(0)} MiB`);
  if (!values.untried) {
    const place = join(folder, 'empty');
    mkdirSync(place);
    const environment = { PATH: place, HOME: place };
    const { readyMilliseconds, writtenMilliseconds } = await smoke({ words: [output], folder: place, environment });
    console.log(
      `ready after ${readyMilliseconds.toFixed(0)} ms, first conflict after ${writtenMilliseconds.toFixed(0)} ms`,
    );
  }
});
