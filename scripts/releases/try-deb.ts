/**
 * Installs the Debian package in a new debootstrap root, with the dependencies that Debian resolves, and follows the README there: `node
 * scripts/releases/try-deb.ts FILE [SUITE]`. Then removes it and checks what is left. Runs on Debian or Ubuntu, as root.
 */

import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { requireProgram, run } from '../../tooling/programs.ts';
import { withFolder } from '../../tooling/workspace.ts';
import { smoke } from '../build/smoke.ts';

/** The stable Debian of our images. The package needs only glibc 2.28. */
const stable = 'trixie';

function makeRoot(place: string, suite: string): void {
  requireProgram('debootstrap', 'debootstrap');
  // From the package debian-archive-keyring, which Ubuntu does not install by default.
  const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
  const options = ['--variant=minbase', '--force-check-gpg', `--keyring=${keyring}`];
  const { status, stdout } = spawnSync('debootstrap', [...options, suite, place], {
    encoding: 'utf8',
    timeout: 600_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  assert.equal(status, 0, `debootstrap failed:\n${stdout.split('\n').slice(-20).join('\n')}`);
  // The package must not start anything in here, and apt uses this machine's mirrors.
  writeFileSync(join(place, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  const settings = '/etc/apt/apt.conf.d';
  if (existsSync(settings)) cpSync(settings, join(place, settings), { recursive: true, dereference: true });
}

/** Tries a package in a clean root of a Debian suite. Rejects with differences from the documentation. */
export async function tryDeb(file: string, suite = stable): Promise<void> {
  await withFolder('root', async (at) => {
    const root = join(at, 'root');
    const begun = performance.now();
    makeRoot(root, suite);
    console.log(`${suite}: a clean root in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
    copyFileSync(file, join(root, 'tmp', basename(file)));
    const inside = (...command: readonly string[]) =>
      run('chroot', [root, '/usr/bin/env', 'DEBIAN_FRONTEND=noninteractive', ...command], at);
    const printed = inside('apt-get', 'install', '-qy', '--no-install-recommends', `/tmp/${basename(file)}`);
    const brought = /^The following NEW packages will be installed:\n((?: {2}.*\n)+)/m.exec(printed)?.[1]?.trim();
    console.log(`${suite}: installed with ${brought?.split(/\s+/).join(', ')}`);
    assert.equal(inside('stat', '-c', '%U %a', '/var/lib/holdfast').trim(), 'holdfast 700');
    await serveIn(root, inside);
    inside('apt-get', 'purge', '-qy', 'holdfast');
    for (const path of ['usr/bin/holdfast', 'usr/lib/systemd/system/holdfast.service', 'etc/holdfast/holdfast.env']) {
      assert.ok(!existsSync(join(root, path)), `/${path} was left behind`);
    }
    assert.ok(existsSync(join(root, 'var/lib/holdfast')), 'the folder of the data is gone');
    console.log(`${suite}: purged; /var/lib/holdfast stays`);
  });
}

/** Becomes a command in the root, with this machine's processes visible: an executable finds itself through them. */
const enter = 'root=$1; shift; mount -t proc proc "$root/proc" && exec chroot "$root" "$@"';

/** Runs the service in there as its user, without Node, and tries it from here over the shared network. */
async function serveIn(root: string, inside: (...command: readonly string[]) => string): Promise<void> {
  assert.notEqual(
    spawnSync('chroot', [root, 'sh', '-c', 'command -v node']).status,
    0,
    'there is a Node in the clean root',
  );
  const place = '/srv/try';
  mkdirSync(join(root, place), { recursive: true });
  inside('chown', 'holdfast:holdfast', place);
  // Small images lack libatomic, so the package must install it.
  assert.match(readFileSync(join(root, 'var/lib/dpkg/status'), 'utf8'), /^Package: libatomic1$/m);
  const as = ['setpriv', '--reuid=holdfast', '--regid=holdfast', '--clear-groups', '/usr/bin/holdfast'];
  const { readyMilliseconds } = await smoke({
    words: ['unshare', '--mount', 'sh', '-c', enter, 'enter', root, '/usr/bin/env', '-C', place, ...as],
    folder: join(root, place),
    environment: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', HOME: place },
  });
  console.log(`ready after ${readyMilliseconds.toFixed(0)} ms as the user holdfast`);
}

if (import.meta.main) {
  const [file, suite] = process.argv.slice(2);
  if (file === undefined) throw new Error('usage: node scripts/releases/try-deb.ts FILE [SUITE]');
  await tryDeb(file, suite);
}
