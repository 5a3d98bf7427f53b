/**
 * Builds the image of the Dockerfile without a registry, over base images made from Debian's packages, runs it like compose.yaml, and tries
 * installing it with Docker and Kubernetes. Needs Debian as root, its mirrors, nginx and Caddy.
 */

import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { mebibytes, residentBytes } from '../../tooling/readings.ts';
import { withDataDir } from '../../tooling/server-process.ts';
import { type Container, type Image, startContainer, userId } from './container.ts';
import { buildImage } from './image-build.ts';
import { tryImageInstalls } from './image-installs.ts';

export interface ImageVerdict {
  readonly passed: number;
  readonly faults: readonly string[];
  readonly notes: readonly string[];
}

/** Builds and tries the image; resolves with the failed checks. Pictures of the console are stored in `pictures`, if given. */
export async function imageVerdict(pictures?: string): Promise<ImageVerdict> {
  return withDataDir(async (folder) => {
    const { image, dispose } = buildImage(folder, { bases: 'debian' });
    try {
      const { passed, faults, notes } = await tryImage(image, join(folder, 'data'));
      const installed = await tryImageInstalls(image, folder, pictures);
      return { passed: passed + installed.passed, faults: [...faults, ...installed.faults], notes };
    } finally {
      dispose();
    }
  });
}

/** Runs the image like compose.yaml, over a new folder `data`; resolves with the failed checks. */
export async function tryImage(image: Image, data: string): Promise<ImageVerdict> {
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
  notes.push(`resident ${mebibytes(residentBytes(first.pid))} MiB`);
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

type Check = (what: string, holds: boolean, found?: unknown) => void;

/** The container's permissions, and what it sees. */
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

/** Whether the cache in the image, which the runtime keeps by user, was created by the user who reads it. */
function isCompiledForUser(pid: number): boolean {
  const cache = `/proc/${pid}/root/opt/holdfast/node_modules/.cache/holdfast`;
  const [folder, ...others] = globSync('*', { cwd: cache });
  return others.length === 0 && folder !== undefined && folder.endsWith(`-${userId}`);
}
