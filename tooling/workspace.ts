/** One temporary folder per run, and processes that end with it: a run leaves nothing behind. */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The cores of the servers and of the load. */
export const serverCore = 0;
export const loadCore = 1;

const running = new Set<ChildProcess>();
/** Created on first use, since some importers only start programs. */
let folder: string | undefined;
let names = 0;

/** Returns an unused path in the folder of this run. */
export function temporaryPath(name: string): string {
  folder ??= mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  return join(folder, `${++names}-${name}`);
}

/** Starts a program pinned to one core. It is killed when the run ends, however that happens. */
export function spawnPinned(core: number, command: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn('taskset', ['-c', String(core), ...command], options);
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Makes the run clean up, even if it is interrupted or fails. Call it once, first. */
export function cleanUpAtExit(): void {
  process.once('exit', () => {
    for (const child of running) child.kill('SIGKILL');
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      console.error(`ended by ${signal}`);
      process.exit(1);
    });
  }
}

/** Makes sure that a program is installed: as root on Debian, installs its package; otherwise throws an `Error` with instructions. */
export function requireProgram(program: string, debianPackage: string): void {
  if (isInstalled(program)) return;
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !isInstalled('apt-get')) {
    throw new Error(`the program ${program} is missing; on Debian, \`sudo apt-get install ${debianPackage}\` brings it`);
  }
  console.error(`Installing ${debianPackage} …`);
  const install = () => aptGet('install', '-y', '--no-install-recommends', debianPackage);
  // The package lists may be missing or old; only then are they fetched.
  if (!install()) {
    aptGet('update');
    install();
  }
  if (!isInstalled(program))
    throw new Error(`apt-get could not install ${debianPackage}, which has the program ${program}`);
}

function aptGet(...args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', ['-q', ...args], { stdio: ['ignore', 'ignore', 'ignore'], env }).status === 0;
}

function isInstalled(program: string): boolean {
  return spawnSync('which', [program], { stdio: 'ignore' }).status === 0;
}
