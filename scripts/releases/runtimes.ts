/** Other releases of Node, as npm packages, and an environment that puts one of them first. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { run } from '../../tooling/programs.ts';

/** Releases to try besides the pinned runtime: the oldest supported major, and an unsupported one. */
export const supported = '24.21.0';
export const tooOld = '22.23.3';

const machine = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const runtimePackage = `node-${machine}`;

/** Returns a shell's environment with this Node, by default the pinned one, first in its PATH, and nothing else of this repository. */
export function withNode(release: string | undefined, folder: string): Record<string, string> {
  const kept = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ||
    /^(?:npm_(?:lifecycle|package|command|execpath)|NODE_(?:OPTIONS|PATH|COMPILE)|SVC_|INIT_CWD)/.test(name)
      ? []
      : [[name, value]],
  );
  const environment: Record<string, string> = Object.fromEntries(kept);
  const system = (environment.PATH ?? '').split(delimiter).filter((each) => !each.includes('node_modules'));
  if (release === undefined) return { ...environment, PATH: [dirname(process.execPath), ...system].join(delimiter) };
  const place = join(folder, `node-${release}`);
  if (!existsSync(place)) {
    mkdirSync(place);
    writeFileSync(join(place, 'package.json'), '{"private":true}');
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
    run('npm', ['install', `${runtimePackage}@${release}`, ...options], place);
  }
  return { ...environment, PATH: [join(place, 'node_modules', runtimePackage, 'bin'), ...system].join(delimiter) };
}
