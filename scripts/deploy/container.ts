/** Runs the image of the Dockerfile like its container, in Linux namespaces: own user, read-only root, no capabilities. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { endWithThis } from '../../tooling/child-processes.ts';
import { responds, until } from '../../tooling/until.ts';

export interface Image {
  /** The location of its files. */
  readonly root: string;
  readonly settings: ImageSettings;
}

/** The Dockerfile's settings of a container. */
interface ImageSettings {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Healthcheck: { readonly Test: readonly string[] };
}

export interface Container {
  /** Process 1 of the container. */
  readonly pid: number;
  /** The exit status. */
  readonly exited: Promise<number | null>;
  /** Runs a command in it, as the same user and with the same variables. */
  run(...command: readonly string[]): { status: number; output: string };
}

export const userId = 10_001;
const readyMillisecondsMax = 20_000;

/** Mounts what a container of compose.yaml sees, then becomes the command, as process 1 and the user of the image. */
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

/**
 * Starts the command of the image over the folder `data`, and resolves once the service is ready. `variables` are added to those of the
 * image, and must contain SVC_PORT. It is killed with this process. Rejects if it exits, or is not ready in time.
 */
export async function startContainer(
  { root, settings }: Image,
  data: string,
  variables: Readonly<Record<string, string>>,
): Promise<Container> {
  const { Env, Entrypoint, Cmd } = settings;
  const environment = [...Env, ...Object.entries(variables).map(([name, value]) => `${name}=${value}`)];
  const become = ['/usr/bin/env', '-i', '-C', '/opt/holdfast', ...environment, ...confined];
  const namespaces = ['--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child'];
  const command = [...become, ...powerless, ...Entrypoint, ...Cmd];
  const child = endWithThis(
    spawn('unshare', [...namespaces, 'sh', '-c', enter, 'enter', root, data, ...command], {
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  );
  const exited = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null);
  const isReady = () => {
    if (child.exitCode !== null) throw new Error(`the image ended with ${child.exitCode}`);
    return responds(`http://127.0.0.1:${variables.SVC_PORT}/readyz`);
  };
  await until(isReady, { withinMilliseconds: readyMillisecondsMax, otherwise: 'the image is not ready in time' });
  const pid = inner(child);
  const entered = ['--target', String(pid), '--mount', '--pid', '--ipc', '--uts', '--root', '--wd', '--'];
  return {
    pid,
    exited,
    run(...inside) {
      const all = [...entered, '/usr/bin/env', '-i', ...environment, ...confined, ...powerless, ...inside];
      try {
        return { status: 0, output: execFileSync('nsenter', all, { encoding: 'utf8', stdio: 'pipe', timeout: 20_000 }) };
      } catch (error) {
        const { status, stderr } = error as { status: number | null; stderr: string };
        return { status: status ?? -1, output: stderr };
      }
    },
  };
}

function inner({ pid }: ChildProcess): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return Number(children.split(' ')[0]);
}
