/**
 * Runs one PostgreSQL server, and no longer than the process that started this one: when standard input ends, the server is
 * ended and its folder removed. Until then each line of standard input is a signal for the server. Prints the server's
 * process id, and ends once every process of the server has ended.
 *
 *     supervise.ts '{"folder":"/tmp/x","log":"/tmp/x/log","command":"/…/postgres","args":[],"uid":65534}'
 */
import { spawn } from 'node:child_process';
import { openSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

export interface Supervised {
  /** Removed when the starting process is gone. */
  readonly folder: string;
  readonly log: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Runs it as this user and group; without it as ourselves. */
  readonly uid?: number;
}

const { folder, log, command, args, uid } = JSON.parse(process.argv[2] ?? '') as Supervised;
// Every process of the server inherits its standard output: when that closes, the last of them has ended.
const server = spawn(command, args, {
  cwd: folder,
  stdio: ['ignore', 'pipe', openSync(log, 'a')],
  ...(uid !== undefined && { uid, gid: uid }),
});
server.stdout?.resume();
server.on('spawn', () => console.log(server.pid));
server.on('error', ({ message }) => {
  console.error(message);
  process.exit(1);
});

let isOrphan = false;
createInterface({ input: process.stdin })
  .on('line', (signal) => server.kill(signal as NodeJS.Signals))
  .on('close', () => {
    isOrphan = true;
    server.kill('SIGQUIT');
    setTimeout(() => server.kill('SIGKILL'), 5_000).unref();
  });
server.on('close', () => {
  if (isOrphan) rmSync(folder, { recursive: true, force: true });
  process.exit();
});
