/**
 * Builds the image of the Dockerfile without a registry, over base images made from Debian's own packages, runs it as compose.yaml does, and
 * tries the installations of Docker and Kubernetes with it. Needs Debian as root, its mirrors, nginx and Caddy.
 */
import { execFileSync } from 'node:child_process';
import { chownSync, cpSync, existsSync, globSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { withDataDir } from '../../torture/server-process.ts';
import { type Container, type Image, type ImageSettings, startContainer, userId } from './container.ts';
import { tryImageInstalls } from './image-installs.ts';
import { requireProgram } from './programs.ts';

const repository = join(import.meta.dirname, '..', '..');
const release = 'trixie';

export interface ImageVerdict {
  readonly passed: number;
  readonly faults: readonly string[];
  readonly notes: readonly string[];
}

/** Builds and tries the image; resolves with what did not hold. Pictures of the console are kept in `pictures`, if it is named. */
export async function imageVerdict(pictures?: string): Promise<ImageVerdict> {
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
    const settings: ImageSettings = JSON.parse(buildah('inspect', '--type', 'image', 'holdfast')).Docker.config;
    try {
      const { passed, faults, notes } = await tryImage({ root, settings }, join(folder, 'data'));
      const installed = await tryImageInstalls({ root, settings }, folder, pictures);
      return { passed: passed + installed.passed, faults: [...faults, ...installed.faults], notes };
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
  cpSync(npmFolder(), join(local, 'lib', 'node_modules', 'npm'), { recursive: true });
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

/** The folder of the npm that this machine has. Asked for it, npm would name one beside the Node of the packages, which has none. */
function npmFolder(): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const npm = folders.map((folder) => join(folder, 'npm')).find((program) => existsSync(program));
  if (npm === undefined) throw new Error('the program npm is missing');
  return dirname(dirname(realpathSync(npm)));
}

async function tryImage(image: Image, data: string): Promise<ImageVerdict> {
  const faults: string[] = [];
  const notes: string[] = [];
  let passed = 0;
  const check: Check = (what, holds, found = '') => {
    if (holds) passed++;
    else faults.push(`${what}${found === '' ? '' : `: ${String(found)}`}`);
  };
  mkdirSync(data, { mode: 0o700 });
  chownSync(data, userId, userId);
  checkContents(image, check);

  const port = await freePort();
  const start = () => startContainer(image, data, { SVC_PORT: String(port) });
  const begun = performance.now();
  const first = await start();
  notes.push(`ready after ${Math.round(performance.now() - begun)} ms`);
  checkProcess(first, check);
  notes.push(`resident ${residentMebibytes(first.pid)} MiB`);
  const health = image.settings.Healthcheck.Test.slice(1);
  const healthy = first.run(...health);
  check('the health check passes', healthy.status === 0, healthy.output);
  const made = first.run('holdfast', 'account', 'create', '--name', 'Image', '--json');
  check('an account is made beside the service', made.status === 0, made.output);
  const { accountId, developerToken } = made.status === 0 ? JSON.parse(made.output) : {};
  const account = () =>
    fetch(`http://127.0.0.1:${port}/v1/${accountId}`, { headers: { Authorization: `Bearer ${developerToken}` } });
  check('its token is taken', (await account()).status === 200);

  process.kill(first.pid, 'SIGTERM');
  const code = await first.exited;
  check('SIGTERM to process 1 ends it in order', code === 0, code);
  const second = await start();
  check('what was written is there after a new start', (await account()).status === 200);
  process.kill(second.pid, 'SIGSTOP');
  const hung = second.run(...health);
  check('the health check fails when the service hangs', hung.status !== 0, hung.status);
  process.kill(second.pid, 'SIGKILL');
  await second.exited;
  return { passed, faults, notes };
}

const statusOf = (pid: number): string => readFileSync(`/proc/${pid}/status`, 'utf8');
const residentMebibytes = (pid: number): number => Math.round(Number(/VmRSS:\s+(\d+)/.exec(statusOf(pid))?.[1]) / 1024);

type Check = (what: string, holds: boolean, found?: unknown) => void;

/** What the container may do, and sees. */
function checkProcess({ pid, run }: Container, check: Check): void {
  const status = statusOf(pid);
  check('process 1 is the service', /\bNSpid:\s+\d+\s+1\n/.test(status), /NSpid.*/.exec(status)?.[0]);
  check('it has no capability', /CapEff:\s+0{16}\n/.test(status) && /CapBnd:\s+0{16}\n/.test(status));
  check('it runs as the user of the image', new RegExp(`Uid:\\s+${userId}\\s`).test(status));
  check('the root is read-only', run('touch', '/opt/holdfast/node_modules/.cache/probe').status !== 0);
  check('the data folder is writable', run('test', '-w', '/var/lib/holdfast').status === 0);
  check('the compiled code in the image is that of its user', isCompiledForUser(pid));
}

function checkContents({ root, settings: { User, Entrypoint, Cmd } }: Image, check: Check): void {
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

/** Whether the cache in the image, which the runtime keeps by user, was made by the user that reads it. */
function isCompiledForUser(pid: number): boolean {
  const cache = `/proc/${pid}/root/opt/holdfast/node_modules/.cache/holdfast`;
  const [folder, ...others] = globSync('*', { cwd: cache });
  return others.length === 0 && folder !== undefined && folder.endsWith(`-${userId}`);
}
