/**
 * Installs a release's files like an operator: `node scripts/releases/try-installs.ts [--from FOLDER] [--pictures FOLDER]`. Uses a clone of
 * FOLDER, by default this repository, and the results of `npm run build -- packages`, `binary` and `deb` there. Installs each in an empty
 * folder, starts it with the shipped settings, and continues until the owner of a first account is signed in to the console. Needs Debian
 * as root, for nginx.
 */

import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, parseEnv } from 'node:util';
import { withFolder } from '../../tooling/workspace.ts';
import { type Program, startProgram, tryProduction } from '../deploy/production.ts';
import { withNode } from './runtimes.ts';

type Installed = Omit<Program, 'environment'> & Partial<Pick<Program, 'environment'>>;

/** Installs the files below `from` into an empty folder, each in its way. */
const ways: Readonly<Record<string, (from: string, folder: string, environment: NodeJS.ProcessEnv) => Installed>> = {
  // Started like the unit does. systemd reads the settings file.
  systemd: (from, folder, env) => {
    execFileSync('git', ['clone', '--quiet', from, folder]);
    execFileSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund', '--silent'], { cwd: folder, env });
    const envFile = join(folder, 'deploy/holdfast.env.example');
    const unit = readFileSync(join(folder, 'deploy/systemd/holdfast.service'), 'utf8').replaceAll('/opt/holdfast', folder);
    const [, command = ''] = /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(unit) ?? [];
    const environment = { ...env, ...parseEnv(readFileSync(envFile, 'utf8')) };
    return { words: [join(folder, 'node_modules/.bin/holdfast')], envFile, environment, serve: ['/bin/sh', '-c', command] };
  },
  npm: (from, folder, env) => {
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    const tarballs = globSync('build/tarballs/*.tgz', { cwd: from }).map((file) => join(from, file));
    if (tarballs.length === 0) throw new Error(`there is no package in ${from}; npm run build -- packages makes them`);
    execFileSync('npm', ['install', ...tarballs, '--no-audit', '--no-fund', '--silent'], { cwd: folder, env });
    return { words: [join(folder, 'node_modules/.bin/holdfast')], envFile: join(from, 'deploy/holdfast.env.example') };
  },
  binary: (from) => ({ words: [join(from, 'build/holdfast')], envFile: join(from, 'deploy/holdfast.env.example') }),
  deb: (from, folder) => {
    const [file] = globSync('build/holdfast_*.deb', { cwd: from });
    if (file === undefined) throw new Error(`there is no Debian package in ${from}; npm run build -- deb makes it`);
    execFileSync('dpkg-deb', ['--extract', join(from, file), folder]);
    return { words: [join(folder, 'usr/bin/holdfast')], envFile: join(folder, 'etc/holdfast/holdfast.env') };
  },
};

/** Tries every way with the files built below `from`. Rejects with differences from the documentation. */
export async function tryInstalls(from: string, pictures?: string): Promise<void> {
  for (const [way, install] of Object.entries(ways)) {
    await withFolder(way, async (place) => {
      const [program, folder] = [join(place, 'program'), join(place, 'state')];
      for (const each of [program, folder]) mkdirSync(each);
      const environment = withNode(undefined, place);
      const installed = install(from, program, environment);
      const dataDir = join(folder, 'data');
      await tryProduction({
        folder,
        dataDir,
        start: (ports) => startProgram({ environment, ...installed }, folder, dataDir, ports),
        ...(pictures !== undefined && { picture: join(pictures, `${way}.png`) }),
      });
      console.log(`${way}: a production install ends with its owner in the console`);
    });
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { from: { type: 'string' }, pictures: { type: 'string' } } });
  await tryInstalls(values.from ?? join(import.meta.dirname, '../..'), values.pictures);
}
