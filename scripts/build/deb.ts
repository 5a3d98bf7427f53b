/**
 * Builds the Debian package: `node scripts/build/deb.ts [--binary FILE]` writes `build/holdfast_VERSION_ARCH.deb` with the single
 * executable, the systemd unit, its user, and example settings. `--try` installs it on this machine, as root on Debian, follows the README
 * as the service's user, and removes it again. Needs `dpkg-deb` and `readelf`; checks the result with `lintian` if it is installed.
 */

import { strict as assert } from 'node:assert';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
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
import { parseArgs, parseEnv } from 'node:util';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { run } from '../../tooling/programs.ts';
import { responds, until } from '../../tooling/until.ts';
import { control, dependencies, files, scripts } from './deb-files.ts';
import { root } from './server.ts';
import { smoke } from './smoke.ts';

const { values } = parseArgs({ options: { binary: { type: 'string' }, try: { type: 'boolean' } } });
const binary = resolve(values.binary ?? join(root, 'build/holdfast'));
const { version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const architecture = { x64: 'amd64', arm64: 'arm64' }[process.arch as 'x64' | 'arm64'];

function build(): string {
  if (!existsSync(binary)) throw new Error(`there is no ${binary}; node scripts/build/binary.ts makes it`);
  if (architecture === undefined) throw new Error(`there is no package for ${process.arch}`);
  const tree = mkdtempSync(join(tmpdir(), 'holdfast-deb-'));
  const put = (path: string, content: string | Uint8Array, mode = 0o644) => {
    mkdirSync(join(tree, dirname(path)), { recursive: true });
    writeFileSync(join(tree, path), content);
    chmodSync(join(tree, path), mode);
  };
  const depends = dependencies(run('readelf', ['--version-info', '--wide', binary]));
  const kibibytes = Math.ceil(statSync(binary).size / 1024);
  put('DEBIAN/control', control({ version, architecture, description, depends, kibibytes }));
  put('DEBIAN/conffiles', '/etc/holdfast/holdfast.env\n');
  for (const [name, text] of Object.entries(scripts)) put(`DEBIAN/${name}`, text, 0o755);
  // The build time, unless a reproducible one is set: https://reproducible-builds.org/specs/source-date-epoch/
  const { SOURCE_DATE_EPOCH: epoch } = process.env;
  const date = epoch === undefined ? new Date() : new Date(Number(epoch) * 1000);
  for (const [path, content] of Object.entries(files(version, description, date))) put(path, content);
  mkdirSync(join(tree, 'usr/bin'), { recursive: true });
  copyFileSync(binary, join(tree, 'usr/bin/holdfast'));
  chmodSync(join(tree, 'usr/bin/holdfast'), 0o755);
  chmodSync(tree, 0o755);
  const output = join(root, 'build', `holdfast_${version}_${architecture}.deb`);
  run('dpkg-deb', ['--build', '--root-owner-group', '-Zxz', '-z1', tree, output]);
  rmSync(tree, { recursive: true });
  return output;
}

/** Installs the package, runs the service as its user, removes the package and checks what is left. */
async function tryIt(file: string): Promise<void> {
  run('dpkg', ['--install', file]);
  const place = mkdtempSync(join(tmpdir(), 'holdfast-deb-'));
  try {
    run('chown', ['holdfast:holdfast', place]);
    assert.equal(run('stat', ['-c', '%U %a', '/var/lib/holdfast']).trim(), 'holdfast 700');
    const as = ['setpriv', '--reuid=holdfast', '--regid=holdfast', '--clear-groups', '/usr/bin/holdfast'] as const;
    const environment = { PATH: '/usr/bin:/bin', HOME: place, HOLDFAST_ENV: '/etc/holdfast/holdfast.env' };
    const { readyMilliseconds } = await smoke({ words: [...as], folder: place, environment });
    console.log(`installed; ready after ${readyMilliseconds.toFixed(0)} ms as the user holdfast`);
    await tryInstallation([...as]);
    const verify = spawnSync('systemd-analyze', ['verify', '/usr/lib/systemd/system/holdfast.service'], {
      encoding: 'utf8',
    });
    console.log(
      verify.error ? 'systemd is not here: the unit was not verified' : `systemd-analyze verify: status ${verify.status}`,
    );
  } finally {
    rmSync(place, { recursive: true, force: true });
    run('dpkg', ['--purge', 'holdfast']);
  }
  for (const path of ['/usr/bin/holdfast', '/usr/lib/systemd/system/holdfast.service', '/etc/holdfast/holdfast.env']) {
    assert.ok(!existsSync(path), `${path} was left behind`);
  }
  console.log('removed; the data in /var/lib/holdfast stays');
}

/** Starts the service like the unit, with the shipped settings, and creates an account with an owner's link. */
async function tryInstallation([program, ...words]: readonly [string, ...string[]]): Promise<void> {
  const settings = parseEnv(readFileSync('/etc/holdfast/holdfast.env', 'utf8'));
  assert.deepEqual([settings.SVC_DEVELOPER_SIGNUP, settings.SVC_TRUST_PROXY], ['closed', '127.0.0.1,::1']);
  const port = String(await freePort());
  const env = { ...settings, PATH: '/usr/bin:/bin', SVC_DATA_DIR: '/var/lib/holdfast', SVC_PORT: port };
  const child = spawn(program, [...words, 'serve'], { env, cwd: '/', stdio: 'ignore' });
  const exited = once(child, 'exit');
  try {
    const isReady = () => responds(`http://127.0.0.1:${port}/readyz`);
    await until(isReady, { withinMilliseconds: 20_000, everyMilliseconds: 50, otherwise: 'not ready' });
    const create = [...words, 'account', 'create', '--name', 'My studio'];
    const { status, stdout, stderr } = spawnSync(program, create, { env, cwd: '/', encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    assert.ok(stdout.includes(`  ${settings.SVC_BASE_URL}/console/join#`), `no link for an owner:\n${stdout}`);
  } finally {
    child.kill('SIGTERM');
    assert.equal((await exited)[0], 0);
  }
  console.log('the service started with the settings as they are shipped, and an account got the link of its owner');
}

/** Checks the package with Debian's linter if installed. Errors stop the build; warnings are shown. */
function lint(file: string): void {
  const { status, stdout, error } = spawnSync('lintian', ['--fail-on', 'error', '--tag-display-limit', '0', file], {
    encoding: 'utf8',
  });
  if (error !== undefined) {
    console.log('lintian is not here: the package was not checked');
    return;
  }
  process.stdout.write(stdout);
  assert.equal(status, 0, 'lintian found errors');
  console.log('lintian found no error');
}

const file = build();
console.log(`${file}: ${(statSync(file).size / 1024 / 1024).toFixed(0)} MiB`);
lint(file);
if (values.try) await tryIt(file);
