/**
 * Installs the packages of the lockfile, if necessary, before an npm script runs: `bootstrap.mjs start` checks what the service needs,
 * `bootstrap.mjs all` everything. Silent and quick if there is nothing to do. It depends on no package and runs on Node 20, since it
 * installs the rest, including the pinned runtime.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const nodeMajorMin = 20;
const runtimeMajorMin = 26;

/**
 * Returns why the installed packages are unsuitable, or undefined. npm's record of the installation (`node_modules/.package-lock.json`) is
 * compared with the lockfile, and the manifest of each package with both, since `npm install --package-lock-only` updates the record
 * without installing. File times mean nothing after a checkout.
 *
 * @param {string} root folder of package.json
 * @param {'start' | 'all'} wanted
 * @param {{ platform: string, arch: string }} machine
 * @returns {string | undefined}
 */
function installFault(root, wanted, machine) {
  const locked = readJson(join(root, 'package-lock.json'))?.packages;
  const installed = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages;
  if (!locked) throw new Error(`cannot read ${join(root, 'package-lock.json')}`);
  if (!installed) return 'no packages are installed';
  const runtimes = locked['']?.optionalDependencies ?? {};
  for (const [path, entry] of Object.entries(locked)) {
    if (!path.startsWith('node_modules/') || (wanted === 'start' && entry.dev)) continue;
    const manifest = installed[path] && readJson(join(root, path, 'package.json'));
    if (manifest) {
      const isSame = entry.link ? installed[path].link : manifest.version === entry.version;
      if (!isSame || installed[path].integrity !== entry.integrity) {
        return `${path} is ${manifest.version}, not ${entry.version}`;
      }
    } else if (!entry.optional || (isRuntime(path, runtimes) && isFor(entry, machine))) return `${path} is missing`;
  }
  return undefined;
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

const isRuntime = (path, runtimes) => path.slice('node_modules/'.length) in runtimes;
const isFor = (entry, machine) => [entry.os].flat().includes(machine.platform) && [entry.cpu].flat().includes(machine.arch);

/**
 * Installs the wanted packages, and returns the remaining fault. The first installation follows the lockfile exactly. A later one adds and
 * replaces what differs, so that a running service keeps its packages, and starts over only if that does not help.
 */
function install(root, wanted, machine, isFirst) {
  const set = wanted === 'start' ? '--omit=dev' : '--include=dev';
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  let fault;
  for (const verb of isFirst ? [['ci']] : [['install', '--no-save'], ['ci']]) {
    if (!runNpm(root, [...verb, set, '--include=optional', ...quiet])) {
      fail(
        'The packages could not be installed; the lines above say why.',
        'npm needs to reach its registry and to write to this folder. `npm ci` tries again and says more.',
      );
    }
    fault = installFault(root, wanted, machine);
    if (!fault) break;
  }
  return fault;
}

/** Runs npm: the one that runs this script, otherwise the one in the PATH. Returns whether it succeeded. */
function runNpm(root, args) {
  const { npm_execpath: cli = '', npm_node_execpath: node = process.execPath } = process.env;
  const options = { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] };
  const result = /npm-cli\.[cm]?js$/.test(cli)
    ? spawnSync(node, [cli, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (result.error) console.error(`npm could not be started: ${result.error.message}`);
  return result.status === 0;
}

function fail(...lines) {
  for (const line of lines) console.error(line);
  process.exit(1);
}

/**
 * Removes the pinned runtime from the PATH of npm scripts if it cannot run here, for example on Alpine Linux. Names a missing library: a
 * minimal Debian has no libatomic.
 */
function dropUnusableRuntime(root) {
  const command = join(root, 'node_modules', '.bin', 'node');
  if (process.platform === 'win32' || !existsSync(command)) return;
  const { status, stderr } = spawnSync(command, ['--version'], { encoding: 'utf8' });
  if (status === 0) return;
  const [, library] = /shared libraries: (\S+?):/.exec(stderr ?? '') ?? [];
  if (library) {
    rmSync(join(root, 'node_modules', '.package-lock.json')); // so that the next start tries again
    const hint = library.startsWith('libatomic') ? ': `apt-get install libatomic1` brings it on Debian and Ubuntu' : '';
    fail(`The runtime that came with the packages needs ${library}, which this machine lacks${hint}.`);
  }
  rmSync(command);
}

/** Lets the runtime compile once what every start needs; without that, a start compiles for itself. */
function fillCompileCache(root) {
  const command = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  const options = { cwd: root, stdio: 'ignore', shell: process.platform === 'win32' };
  spawnSync(command, [join('scripts', 'build', 'fill-compile-cache.mjs')], options);
}

/** Whether the following scripts will find a new enough runtime. */
function hasRuntime(root) {
  const command = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  return existsSync(command) || Number.parseInt(process.versions.node, 10) >= runtimeMajorMin;
}

function main(root, wanted) {
  if (Number.parseInt(process.versions.node, 10) < nodeMajorMin) {
    fail(`Holdfast needs Node ${nodeMajorMin} or newer to install itself; this is Node ${process.versions.node}.`);
  }
  const machine = { platform: process.platform, arch: process.arch };
  const missing = installFault(root, wanted, machine);
  if (missing) {
    const isFirst = !existsSync(join(root, 'node_modules', '.package-lock.json'));
    console.error(`Installing packages (${isFirst ? 'first start only' : missing}) …`);
    const fault = install(root, wanted, machine, isFirst);
    if (fault) fail(`The installation is incomplete: ${fault}. Delete the folder node_modules and try again.`);
    dropUnusableRuntime(root);
    fillCompileCache(root);
  }
  if (!hasRuntime(root)) {
    fail(
      `Holdfast carries no runtime that works on this machine (${machine.platform} ${machine.arch}).`,
      `Install Node ${runtimeMajorMin} or newer and try again; this is Node ${process.versions.node}.`,
    );
  }
}

const self = fileURLToPath(import.meta.url);
if (process.argv[1] && realpathSync(process.argv[1]) === self) {
  const wanted = process.argv[2];
  if (wanted !== 'start' && wanted !== 'all') fail('usage: node scripts/bootstrap.mjs start|all');
  main(dirname(dirname(self)), wanted);
}
