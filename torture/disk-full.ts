/**
 * A disk that repeatedly fills up under a write load: a small file system in memory, and a file that fills its free space. While it is
 * full, nothing is acknowledged without being stored; when space is free again, the service continues.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { endWithThis } from '../tooling/child-processes.ts';
import type { DiskFullReport } from './disk-full-run.ts';

const script = fileURLToPath(new URL('./disk-full-run.ts', import.meta.url));

/**
 * Runs the rounds in a separate mount namespace, so that the file system disappears with its process, and root is not needed if the kernel
 * allows user namespaces. Rejects, naming the attempts, if nothing can be mounted, and if the server gives a forbidden response.
 */
export async function diskFull(options: { rounds: number; seed: number }): Promise<DiskFullReport> {
  const namespaces = process.getuid?.() === 0 ? ['--mount'] : ['--user', '--map-root-user', '--mount'];
  const command = ['--kill-child', ...namespaces, process.execPath, script, JSON.stringify(options)];
  const run = endWithThis(spawn('unshare', command, { stdio: ['ignore', 'pipe', 'pipe'] }));
  const [[code], output, complaints] = await Promise.all([once(run, 'close'), text(run.stdout), text(run.stderr)]);
  if (code !== 0) throw new Error(`unshare ${namespaces.join(' ')} ended with ${code}:\n${complaints}`);
  return JSON.parse(output) as DiskFullReport;
}
