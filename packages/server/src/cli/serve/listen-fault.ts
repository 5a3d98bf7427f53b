/** Why the service cannot listen, with advice. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { basename } from 'node:path';
import type { Config } from '../../config/config.ts';
import { CommandFault } from '../fault.ts';

interface ListenError extends NodeJS.ErrnoException {
  readonly address?: string;
  readonly port?: number;
}

/** Returns the fault to print for an error at the start; any other error is returned unchanged. */
export function listenFault(
  error: unknown,
  config: Pick<Config, 'host' | 'port' | 'metricsHost' | 'metricsPort'>,
): unknown {
  if (!(error instanceof Error)) return error;
  const { code, syscall, address = '', port }: ListenError = error;
  if (port === undefined || (syscall !== 'listen' && syscall !== 'bind')) return error;
  const isMetrics = port === config.metricsPort && (port !== config.port || address === config.metricsHost);
  const portSetting = isMetrics ? 'SVC_METRICS_PORT' : 'SVC_PORT (or serve --port)';
  const hostSetting = isMetrics ? 'SVC_METRICS_HOST' : 'SVC_HOST (or serve --host)';
  const where = `cannot listen on ${isIPv6(address) ? `[${address}]` : address}:${port} (${code})`;
  switch (code) {
    case 'EADDRINUSE':
      return new CommandFault(`${where}: ${holderOf(port)} uses it; stop that, or choose another port with ${portSetting}`);
    case 'EACCES':
      return new CommandFault(`${where}: this user may not use that port; choose another one with ${portSetting}`);
    case 'EADDRNOTAVAIL':
      return new CommandFault(`${where}: this machine has no such address; choose another one with ${hostSetting}`);
    default:
      return error;
  }
}

/** Name and id of the process that listens on a port. Linux shows that only for processes of the same user. */
function holderOf(port: number): string {
  try {
    const sockets = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => listeningSockets(table, port)));
    for (const pid of readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name))) {
      if (holdsOneOf(pid, sockets)) return `${programOf(pid)} (process ${pid})`;
    }
  } catch {
    // Not on Linux, or the process has just exited.
  }
  return 'another process';
}

/** The file name of a process's program. */
function programOf(pid: string): string {
  const [program = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  return basename(program) || 'another process';
}

const listening = '0A';

/** Inodes of the sockets that listen on the port. Each line begins with number, local address and port, remote ones, state. */
function listeningSockets(table: string, port: number): string[] {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync(table, 'latin1')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', , state]) => local.endsWith(wanted) && state === listening)
    .map((fields) => `socket:[${fields[9]}]`);
}

function holdsOneOf(pid: string, sockets: ReadonlySet<string>): boolean {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some((file) => sockets.has(readlink(`${folder}/${file}`)));
  } catch {
    return false; // another user's
  }
}

function readlink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // closed meanwhile
  }
}
