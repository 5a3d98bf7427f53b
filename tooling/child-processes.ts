/** Programs that this process starts: each ends with it, and may have a dedicated core. */
import { type ChildProcess, execFileSync, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { requireProgram } from './programs.ts';

/** The cores of the servers and of the load. */
export const serverCore = 0;
export const loadCore = 1;

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Kills a child when this process ends, for any reason. Returns the child. */
export function endWithThis<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Whether a process has not ended. */
export const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;

/** Collects a child's output on both streams. The returned function returns it, or only its end if it is long. */
export function outputOf(child: ChildProcess, charactersMax = Number.POSITIVE_INFINITY): () => string {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (piece: string) => {
      output += piece;
      if (output.length > charactersMax) output = output.slice(-charactersMax);
    });
  }
  return () => output;
}

/** Starts a program pinned to one core. It ends with this process. */
export function spawnPinned(core: number, command: readonly string[], options: SpawnOptions): ChildProcess {
  return endWithThis(spawn('taskset', ['-c', String(core), ...command], options));
}

/** Binds this process, and the processes that it starts from now on, to the core of the load. */
export function takeLoadCore(): void {
  requireProgram('taskset', 'util-linux');
  execFileSync('taskset', ['-acp', String(loadCore), String(process.pid)], { stdio: 'ignore' });
}

/** Runs this script again on one core, with `--pinned` added, and exits with the same status. */
export function runPinned(): void {
  const self = [process.execPath, ...process.argv.slice(1), '--pinned'];
  const { error, status } = spawnSync('taskset', ['-c', '0', ...self], { stdio: 'inherit' });
  if (error) throw new Error('cannot pin to one core: taskset is missing', { cause: error });
  process.exitCode = status ?? 1;
}
