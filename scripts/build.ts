/**
 * `npm run build -- WHAT [options]`: builds something that is not in the repository, or built files that are. Installs the tools first
 * and uses the Node of the lockfile, so it works after `npm start` alone.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';

const builds = globSync('build-*.ts', { cwd: import.meta.dirname })
  .map((file) => file.slice('build-'.length, -'.ts'.length))
  .sort();

const [what = '', ...options] = process.argv.slice(2);
if (builds.includes(what)) {
  const script = join(import.meta.dirname, `build-${what}.ts`);
  const { status } = spawnSync(process.execPath, [script, ...options], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} else {
  console.error(`usage: npm run build -- ${builds.join('|')}`);
  process.exitCode = 2;
}
