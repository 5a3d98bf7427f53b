/** Gives server and load a processor core each, so that neither slows down the other. */
import { execFileSync } from 'node:child_process';
import { loadCore, requireProgram } from '../tooling/workspace.ts';

/** Binds this process, and the processes that it starts from now on, to the core of the load. */
export function takeLoadCore(): void {
  requireProgram('taskset', 'util-linux');
  execFileSync('taskset', ['-acp', String(loadCore), String(process.pid)], { stdio: 'ignore' });
}
