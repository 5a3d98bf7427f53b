/** Builds the files of a release into `build/release`, with the scripts that developers use, and the time of the commit. */
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../build/server.ts';
import { buildEnvironment, keep, releaseFolder } from './artefacts.ts';
import { makeSbom } from './sbom.ts';

/** Runs a script of this repository with the environment of a build. Throws if it fails. */
function script(path: string, ...args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', path), ...args], {
    cwd: root,
    env: buildEnvironment(),
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`scripts/${path} failed`);
}

/** Builds the npm packages and the list of their components. `tried` installs them under every supported Node. */
export function buildPackageFiles(tried: boolean): void {
  script(tried ? 'releases/try-packages.ts' : 'build-packages.ts');
  keep(...globSync('build/tarballs/*.tgz', { cwd: root }).map((file) => join(root, file)));
  const { SOURCE_DATE_EPOCH: epoch } = buildEnvironment();
  writeFileSync(join(releaseFolder, 'holdfast.cdx.json'), makeSbom(Number(epoch)));
  console.log('holdfast.cdx.json');
}

/** Builds the executable of this machine, and on Linux the Debian package with it. `tried` follows the README. */
export function buildExecutable(tried: boolean): void {
  mkdirSync(releaseFolder, { recursive: true });
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const file = join(releaseFolder, `holdfast-${platform}-${process.arch}${platform === 'win' ? '.exe' : ''}`);
  script('build/binary.ts', '--output', file, ...(tried ? [] : ['--untried']));
  if (platform !== 'linux') return;
  script('build/deb.ts', '--binary', file);
  keep(...globSync('build/holdfast_*.deb', { cwd: root }).map((each) => join(root, each)));
}
