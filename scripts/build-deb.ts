/**
 * Builds the Debian package: `node scripts/build-deb.ts [--binary FILE]` writes `build/holdfast_VERSION_ARCH.deb` with the single
 * executable, the systemd unit, its user, and the example of settings. `--try` installs it on this machine, as root on Debian, does
 * what the README shows as the user of the service, and removes it again. Needs `dpkg-deb`.
 */
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './build/server.ts';
import { smoke } from './build/smoke.ts';

const { values } = parseArgs({ options: { binary: { type: 'string' }, try: { type: 'boolean' } } });
const binary = resolve(values.binary ?? join(root, 'build/holdfast'));
const { version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const architecture = { x64: 'amd64', arm64: 'arm64' }[process.arch as 'x64' | 'arm64'];

/** The unit of a clone, with the executable in place of Node and its cache. */
function unit(): string {
  const text = readFileSync(join(root, 'deploy/systemd/holdfast.service'), 'utf8');
  const changes: readonly (readonly [string | RegExp, string])[] = [
    ['Documentation=file:///opt/holdfast/docs/operations.md', 'Documentation=file:///usr/share/doc/holdfast/operations.md'],
    [/# Node itself[^\n]*\nExecStart=[^\n]*/, 'ExecStart=/usr/bin/holdfast serve'],
    ['WorkingDirectory=/opt/holdfast\n', ''],
    ['Environment=NODE_COMPILE_CACHE=%C/holdfast\n', ''],
    [
      '# What it may write: /var/lib/holdfast and, for compiled code, /var/cache/holdfast.',
      '# What it may write: /var/lib/holdfast.',
    ],
    ['CacheDirectory=holdfast\nCacheDirectoryMode=0700\n', ''],
  ];
  return changes.reduce((changed, [from, to]) => {
    const next = changed.replace(from, to);
    assert.notEqual(next, changed, `the unit has no "${from}"`);
    return next;
  }, text);
}

const control = `Package: holdfast
Version: ${version}
Architecture: ${architecture}
Maintainer: Holdfast maintainers <holdfast@localhost>
Installed-Size: ${Math.ceil(existsSync(binary) ? statSync(binary).size / 1024 : 0)}
Depends: libc6, libatomic1, libstdc++6
Recommends: systemd
Section: net
Priority: optional
Description: ${description}
 One executable with an embedded database. Settings are in
 /etc/holdfast/holdfast.env, data is in /var/lib/holdfast.
`;

const scripts = {
  postinst: `#!/bin/sh
set -e
if ! getent passwd holdfast >/dev/null; then
  if command -v systemd-sysusers >/dev/null; then systemd-sysusers holdfast.conf
  else useradd --system --home-dir /var/lib/holdfast --shell /usr/sbin/nologin --user-group holdfast
  fi
fi
install -d -m 0700 -o holdfast -g holdfast /var/lib/holdfast
chgrp holdfast /etc/holdfast /etc/holdfast/holdfast.env
chmod 0750 /etc/holdfast
chmod 0640 /etc/holdfast/holdfast.env
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  if [ -n "$2" ]; then systemctl try-restart holdfast; fi
fi
`,
  prerm: `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then systemctl disable --now holdfast; fi
`,
  postrm: `#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
# The data stays, also at a purge: it cannot be made again.
if [ "$1" = purge ] && [ -d /var/lib/holdfast ]; then echo "holdfast: the data in /var/lib/holdfast was kept" >&2; fi
`,
} as const;

function build(): string {
  if (!existsSync(binary)) throw new Error(`there is no ${binary}; node scripts/build-binary.ts makes it`);
  if (architecture === undefined) throw new Error(`there is no package for ${process.arch}`);
  const tree = mkdtempSync(join(tmpdir(), 'holdfast-deb-'));
  const put = (path: string, text: string, mode = 0o644) => {
    mkdirSync(join(tree, dirname(path)), { recursive: true });
    writeFileSync(join(tree, path), text);
    chmodSync(join(tree, path), mode);
  };
  const source = (path: string) => readFileSync(join(root, path), 'utf8');
  put('DEBIAN/control', control);
  put('DEBIAN/conffiles', '/etc/holdfast/holdfast.env\n');
  for (const [name, text] of Object.entries(scripts)) put(`DEBIAN/${name}`, text, 0o755);
  put('usr/lib/systemd/system/holdfast.service', unit());
  put('usr/lib/sysusers.d/holdfast.conf', source('deploy/systemd/holdfast.sysusers'));
  // Every line of the example is a comment, so that the service starts as it is.
  put('etc/holdfast/holdfast.env', source('deploy/holdfast.env.example').replaceAll(/^(?=[^#\n])/gm, '#'));
  put('usr/share/doc/holdfast/copyright', source('LICENSE'));
  put('usr/share/doc/holdfast/operations.md', source('docs/operations.md'));
  mkdirSync(join(tree, 'usr/bin'), { recursive: true });
  copyFileSync(binary, join(tree, 'usr/bin/holdfast'));
  chmodSync(join(tree, 'usr/bin/holdfast'), 0o755);
  chmodSync(tree, 0o755);
  const output = join(root, 'build', `holdfast_${version}_${architecture}.deb`);
  run('dpkg-deb', '--build', '--root-owner-group', '-Zxz', '-z1', tree, output);
  rmSync(tree, { recursive: true });
  return output;
}

function run(program: string, ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  assert.equal(status, 0, `${program} ${args.join(' ')} failed: ${error?.message ?? ''}\n${stdout}${stderr}`);
  return stdout;
}

/** Installs the package, runs the service as its user, removes the package and looks at what is left. */
async function tryIt(file: string): Promise<void> {
  run('dpkg', '--install', file);
  const place = mkdtempSync(join(tmpdir(), 'holdfast-deb-'));
  try {
    run('chown', 'holdfast:holdfast', place);
    assert.equal(run('stat', '-c', '%U %a', '/var/lib/holdfast').trim(), 'holdfast 700');
    const as = ['setpriv', '--reuid=holdfast', '--regid=holdfast', '--clear-groups', '/usr/bin/holdfast'] as const;
    const environment = { PATH: '/usr/bin:/bin', HOME: place, HOLDFAST_ENV: '/etc/holdfast/holdfast.env' };
    const { readyMilliseconds } = await smoke({ words: [...as], folder: place, environment });
    console.log(`installed; ready after ${readyMilliseconds.toFixed(0)} ms as the user holdfast`);
    const verify = spawnSync('systemd-analyze', ['verify', '/usr/lib/systemd/system/holdfast.service'], {
      encoding: 'utf8',
    });
    console.log(
      verify.error ? 'systemd is not here: the unit was not verified' : `systemd-analyze verify: status ${verify.status}`,
    );
  } finally {
    rmSync(place, { recursive: true, force: true });
    run('dpkg', '--purge', 'holdfast');
  }
  for (const path of ['/usr/bin/holdfast', '/usr/lib/systemd/system/holdfast.service', '/etc/holdfast/holdfast.env']) {
    assert.ok(!existsSync(path), `${path} was left behind`);
  }
  console.log('removed; the data in /var/lib/holdfast stays');
}

const file = build();
console.log(`${file}: ${(statSync(file).size / 1024 / 1024).toFixed(0)} MiB`);
if (values.try) await tryIt(file);
