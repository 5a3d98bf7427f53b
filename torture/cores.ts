/** Server and load have a processor core each, so that neither slows the other down. */
import { execFileSync } from 'node:child_process';
import { loadCore, requireProgram } from '../bench/workspace.ts';

/** Binds this process, and what it starts from now on, to the core of the load. */
export function takeLoadCore(): void {
  requireProgram('taskset', 'util-linux');
  execFileSync('taskset', ['-acp', String(loadCore), String(process.pid)], { stdio: 'ignore' });
}
