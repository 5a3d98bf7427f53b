/**
 * `npm run build -- WHAT [options]`: builds something that is not in the repository, or committed build results. Installs the tools first
 * and uses the Node of the lockfile, so it works after `npm start` alone.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const builds: Readonly<Record<string, string>> = {
  binary: 'build/binary.ts',
  client: 'build/client.ts',
  console: 'build-console.ts',
  deb: 'build/deb.ts',
  docs: 'build-docs.ts',
  packages: 'build-packages.ts',
};

const [what = '', ...options] = process.argv.slice(2);
if (Object.hasOwn(builds, what)) {
  const script = join(import.meta.dirname, builds[what] as string);
  const { status } = spawnSync(process.execPath, [script, ...options], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} else {
  console.error(`usage: npm run build -- ${Object.keys(builds).join('|')}`);
  process.exitCode = 2;
}
