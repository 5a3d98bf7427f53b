/**
 * Tries the npm packages: `node scripts/releases/try-packages.ts`. Builds them, checks their manifests and types with publint and attw,
 * packs them, installs the files together in an empty folder under each supported Node, and follows the README there. An older Node must be
 * refused with a line that names the required version.
 */

import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from '../../tooling/programs.ts';
import { withFolder } from '../../tooling/workspace.ts';
import { smoke } from '../build/smoke.ts';
import { buildPackages, installed, packPackages } from '../build-packages.ts';
import { supported, tooOld, withNode } from './runtimes.ts';

/** Checks the packages, packs them and returns their files. */
function pack(folders: readonly string[]): readonly string[] {
  for (const folder of folders) {
    run(installed('publint'), ['--strict', folder], folder);
    // The service is a program and has no types.
    if (basename(folder) !== 'holdfast')
      run(installed('attw'), ['--pack', folder, '--profile', 'esm-only', '--no-emoji'], folder);
  }
  return packPackages(folders).map(({ file, bytes, files }) => {
    console.log(`${basename(file)}: ${(bytes / 1024).toFixed(0)} KiB, ${files} files`);
    return file;
  });
}

/** Installs the packages in an empty folder and returns it. */
function install(tarballs: readonly string[], at: string, environment: Record<string, string>): string {
  const folder = mkdtempSync(join(at, 'app-'));
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  run('npm', ['install', ...tarballs, '--no-audit', '--no-fund', '--loglevel=error'], folder, environment);
  return folder;
}

/** Imports every entry of the libraries. */
function tryLibraries(folders: readonly string[], app: string, environment: Record<string, string>): void {
  const entries = folders.flatMap((folder) => {
    const { name, exports, peerDependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const ofPeers = Object.keys(peerDependencies).length > 0 ? ['.'] : Object.keys(exports);
    return ofPeers.filter((each) => !each.endsWith('.json')).map((each) => `${name}${each.slice(1)}`);
  });
  const script = `for (const entry of ${JSON.stringify(entries)}) if (Object.keys(await import(entry)).length === 0) throw new Error(entry);`;
  run('node', ['--input-type=module', '--eval', script], app, environment);
}

const folders = await buildPackages();
const tarballs = pack(folders);
await withFolder('packages', async (at) => {
  for (const release of [undefined, supported]) {
    const environment = withNode(release, at);
    const version = run('node', ['--version'], at, environment).trim();
    const begun = performance.now();
    const app = install(tarballs, at, environment);
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    tryLibraries(
      folders.filter((folder) => basename(folder) !== 'holdfast'),
      app,
      environment,
    );
    const { readyMilliseconds, writtenMilliseconds } = await smoke({
      words: ['npx', 'holdfast'],
      folder: app,
      environment,
    });
    console.log(
      `Node ${version}: installed in ${seconds} s, ready after ${readyMilliseconds.toFixed(0)} ms, first conflict after ${writtenMilliseconds.toFixed(0)} ms`,
    );
  }
  const environment = withNode(tooOld, at);
  const app = install(tarballs, at, environment);
  const { status, stderr } = spawnSync('npx', ['holdfast', 'serve'], { cwd: app, env: environment, encoding: 'utf8' });
  assert.match(stderr, /^Holdfast needs Node 24\.7 or newer; this is Node 22\./m);
  assert.equal(status, 1);
  console.log(`Node ${tooOld}: refused with a line that says what is needed`);
});
