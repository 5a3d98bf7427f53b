/**
 * Builds the image of the Dockerfile without a registry, over base images made from Debian's own packages, and runs it as
 * compose.yaml does: own user, read-only root, no capability, no new privilege. Needs root, and Debian's mirrors.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, existsSync, globSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { withDataDir } from '../../torture/server-process.ts';
import { requireProgram } from './programs.ts';

const repository = join(import.meta.dirname, '..', '..');
const userId = 10_001;
const release = 'trixie';

export interface ImageVerdict {
  readonly passed: number;
  readonly faults: readonly string[];
  readonly notes: readonly string[];
}

/** Builds and tries the image; resolves with what did not hold. */
export async function imageVerdict(): Promise<ImageVerdict> {
  for (const program of ['buildah', 'mmdebstrap']) requireProgram(program, program);
  return withDataDir(async (folder) => {
    const buildah = (...args: readonly string[]) => {
      const store = ['--storage-driver', 'vfs', '--root', join(folder, 'store'), '--runroot', join(folder, 'run')];
      return execFileSync('buildah', [...store, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
    };
    const dockerfile = readFileSync(join(repository, 'Dockerfile'), 'utf8');
    makeBaseImages(buildah, folder, dockerfile);
    const build = ['build', '--isolation', 'chroot', '--network', 'host', '--pull=never', '--format', 'docker'];
    buildah(...build, '--tag', 'holdfast', repository);
    const container = buildah('from', '--pull=never', 'localhost/holdfast');
    const root = buildah('mount', container);
    const settings = JSON.parse(buildah('inspect', '--type', 'image', 'holdfast')).Docker.config;
    try {
      return await tryImage(root, join(folder, 'data'), settings);
    } finally {
      buildah('umount', container);
    }
  });
}

type Buildah = (...args: readonly string[]) => string;

/** Stands in for the images that the Dockerfile begins with: a minimal Debian, and the same with this Node and npm. */
function makeBaseImages(buildah: Buildah, folder: string, dockerfile: string): void {
  const imageOf = (argument: string) =>
    `docker.io/library/${new RegExp(`^ARG ${argument}=(\\S+)$`, 'm').exec(dockerfile)?.[1]}`;
  const archive = join(folder, 'debian.tar');
  execFileSync('mmdebstrap', [
    '--variant=minbase',
    '--mode=root',
    '--quiet',
    release,
    archive,
    'http://deb.debian.org/debian',
  ]);
  const container = buildah('from', 'scratch');
  buildah('add', '--quiet', container, archive, '/');
  buildah('commit', '--quiet', container, imageOf('RUN_IMAGE'));
  const local = join(folder, 'node', 'usr', 'local');
  mkdirSync(join(local, 'bin'), { recursive: true });
  cpSync(process.execPath, join(local, 'bin', 'node'), { dereference: true });
  const npm = execFileSync('npm', ['root', '--global'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  cpSync(join(npm, 'npm'), join(local, 'lib', 'node_modules', 'npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin', 'npm'));
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  if (certificates) {
    cpSync(certificates, join(local, 'extra-ca.pem'), { dereference: true });
    buildah('config', '--env', 'NODE_EXTRA_CA_CERTS=/usr/local/extra-ca.pem', container);
  }
  buildah('add', '--quiet', container, join(folder, 'node'), '/');
  const install = 'apt-get update -q && apt-get install -qy --no-install-recommends libatomic1';
  buildah('run', '--isolation', 'chroot', '--network', 'host', container, '--', 'sh', '-c', install);
  buildah('commit', '--quiet', container, imageOf('BUILD_IMAGE'));
}

interface ImageSettings {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Healthcheck: { readonly Test: readonly string[] };
}

/** Mounts what a container of compose.yaml sees, and then becomes the command, as process 1 and as the user of the image. */
const enter = `set -e
root=$1 data=$2; shift 2
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount --bind -o nosuid,nodev,noexec "$data" "$root/var/lib/holdfast"
mount -t proc proc "$root/proc"
mount -t tmpfs -o size=64m,mode=1777,noexec,nosuid,nodev tmpfs "$root/tmp"
mount -t tmpfs -o size=1m,mode=0755 tmpfs "$root/dev"
for device in null zero random urandom; do : > "$root/dev/$device"; mount --bind "/dev/$device" "$root/dev/$device"; done
mkdir -p "$root/dev/shm"
cd /
exec chroot "$root" "$@"`;

const confined = ['/usr/bin/setpriv', `--reuid=${userId}`, `--regid=${userId}`, '--clear-groups'];
const powerless = ['--inh-caps=-all', '--bounding-set=-all', '--no-new-privs', '--'];

async function tryImage(root: string, data: string, settings: ImageSettings): Promise<ImageVerdict> {
  const faults: string[] = [];
  const notes: string[] = [];
  let passed = 0;
  const check = (what: string, holds: boolean, found: unknown = '') => {
    if (holds) passed++;
    else faults.push(`${what}${found === '' ? '' : `: ${String(found)}`}`);
  };
  mkdirSync(data, { mode: 0o700 });
  chownSync(data, userId, userId);
  checkContents(root, settings, check);

  const port = await freePort();
  const env = Object.fromEntries([...settings.Env, `SVC_PORT=${port}`].map((line) => line.split(/=(.*)/s).slice(0, 2)));
  const begun = performance.now();
  const first = start(root, data, env, settings);
  await ready(port, first);
  notes.push(`ready after ${Math.round(performance.now() - begun)} ms`);
  const pid = inner(first);
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  notes.push(`resident ${Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)} MiB`);
  const inside = (...command: readonly string[]) => run(pid, { ...env }, command);
  check('process 1 is the service', /\bNSpid:\s+\d+\s+1\n/.test(status), /NSpid.*/.exec(status)?.[0]);
  check('it has no capability', /CapEff:\s+0{16}\n/.test(status) && /CapBnd:\s+0{16}\n/.test(status));
  check('it runs as the user of the image', new RegExp(`Uid:\\s+${userId}\\s`).test(status));
  check('the root is read-only', inside('touch', '/opt/holdfast/node_modules/.cache/probe').status !== 0);
  check('the data folder is writable', inside('test', '-w', '/var/lib/holdfast').status === 0);
  const health = settings.Healthcheck.Test.slice(1);
  const healthy = inside(...health);
  check('the health check passes', healthy.status === 0, healthy.output);
  const made = inside('holdfast', 'account', 'create', '--name', 'Image', '--json');
  check('an account is made beside the service', made.status === 0, made.output);
  const { accountId, developerToken } = made.status === 0 ? JSON.parse(made.output) : {};
  const account = () =>
    fetch(`http://127.0.0.1:${port}/v1/${accountId}`, { headers: { Authorization: `Bearer ${developerToken}` } });
  check('its token is taken', (await account()).status === 200);
  check('the compiled code in the image is that of its user', isCompiledForUser(pid));

  process.kill(pid, 'SIGTERM');
  const [code] = await once(first, 'exit');
  check('SIGTERM to process 1 ends it in order', code === 0, code);
  const second = start(root, data, env, settings);
  await ready(port, second);
  check('what was written is there after a new start', (await account()).status === 200);
  const stopped = inner(second);
  process.kill(stopped, 'SIGSTOP');
  const hung = run(stopped, env, health);
  check('the health check fails when the service hangs', hung.status !== 0, hung.status);
  process.kill(stopped, 'SIGKILL');
  await once(second, 'exit');
  return { passed, faults, notes };
}

type Check = (what: string, holds: boolean, found?: unknown) => void;

function checkContents(root: string, { User, Entrypoint, Cmd }: ImageSettings, check: Check): void {
  const installed = join(root, 'opt/holdfast');
  check('the user is a number other than 0', /^[1-9]\d*:[1-9]\d*$/.test(User), User);
  check('the command is holdfast serve', [...Entrypoint, ...Cmd].join(' ') === 'holdfast serve');
  const development = ['vitest', 'typescript', '@biomejs', 'playwright-core'];
  const found = development.filter((name) => existsSync(join(installed, 'node_modules', name)));
  check('no development package is inside', found.length === 0, found);
  const tests = globSync('packages/**/*.test.ts', { cwd: installed });
  check('no test is inside', tests.length === 0, tests[0]);
  const writable = execFileSync('find', [installed, '-not', '-path', '*/.cache*', '-user', String(userId)], {
    encoding: 'utf8',
  });
  check('the service owns none of its files', writable === '', writable.split('\n')[0]);
}

/** Starts the command of the image in namespaces of its own; it is killed with the process that this resolves to. */
function start(root: string, data: string, env: Readonly<Record<string, string>>, { Entrypoint, Cmd }: ImageSettings) {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const command = [
    '/usr/bin/env',
    '-i',
    '-C',
    '/opt/holdfast',
    ...variables,
    ...confined,
    ...powerless,
    ...Entrypoint,
    ...Cmd,
  ];
  const namespaces = ['--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child'];
  const child = spawn('unshare', [...namespaces, 'sh', '-c', enter, 'enter', root, data, ...command], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
}

/** The process that is number 1 in there. */
function inner({ pid }: ChildProcess): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return Number(children.split(' ')[0]);
}

/** Runs a command in the container of process `pid`, as the same user. */
function run(pid: number, env: Readonly<Record<string, string>>, command: readonly string[]) {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const entered = ['--target', String(pid), '--mount', '--pid', '--ipc', '--uts', '--root', '--wd', '--'];
  try {
    const all = [...entered, '/usr/bin/env', '-i', ...variables, ...confined, ...powerless, ...command];
    return { status: 0, output: execFileSync('nsenter', all, { encoding: 'utf8', stdio: 'pipe', timeout: 20_000 }) };
  } catch (error) {
    const { status, stderr } = error as { status: number | null; stderr: string };
    return { status: status ?? -1, output: stderr };
  }
}

async function ready(port: number, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const answered = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answered) return;
    if (child.exitCode !== null) throw new Error(`the image ended with ${child.exitCode}`);
    if (Date.now() > deadline) throw new Error('the image is not ready within 20 s');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Whether the cache in the image, which the runtime keeps by user, was made by the user that reads it. */
function isCompiledForUser(pid: number): boolean {
  const cache = `/proc/${pid}/root/opt/holdfast/node_modules/.cache/holdfast`;
  const [folder, ...others] = globSync('*', { cwd: cache });
  return others.length === 0 && folder !== undefined && folder.endsWith(`-${userId}`);
}
