/**
 * A disk that is full for a while, again and again under a write load: a small file system in memory, and a file that fills
 * what is left of it. While it is full nothing is acknowledged that is not stored; when there is room again all goes on.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { DiskFullReport } from './disk-full-run.ts';

const script = fileURLToPath(new URL('./disk-full-run.ts', import.meta.url));

/**
 * Runs the rounds in a mount namespace of their own, so that the file system goes with the process that mounted it, and root
 * is not needed where the kernel lets users have namespaces. Rejects with what was tried when nothing can be mounted, and
 * when the server answers what it must not.
 */
export async function diskFull(options: { rounds: number; seed: number }): Promise<DiskFullReport> {
  const namespaces = process.getuid?.() === 0 ? ['--mount'] : ['--user', '--map-root-user', '--mount'];
  const command = ['--kill-child', ...namespaces, process.execPath, script, JSON.stringify(options)];
  const run = spawn('unshare', command, { stdio: ['ignore', 'pipe', 'pipe'] });
  const killWithParent = () => run.kill('SIGKILL');
  process.once('exit', killWithParent);
  const [[code], output, complaints] = await Promise.all([once(run, 'close'), text(run.stdout), text(run.stderr)]);
  process.off('exit', killWithParent);
  if (code !== 0) throw new Error(`unshare ${namespaces.join(' ')} ended with ${code}:\n${complaints}`);
  return JSON.parse(output) as DiskFullReport;
}
