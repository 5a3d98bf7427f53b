/** A real PgBouncer in transaction mode in front of a database: transactions share a few connections. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { temporaryFolder, unprivileged } from '../../packages/server/src/storage/postgres/fixtures/binaries.fixture.ts';
import { endWithThis, isRunning } from '../child-processes.ts';
import { requireProgram } from '../programs.ts';
import { listens, until } from '../until.ts';

export interface Pooler {
  /** The URL of the database through the pooler. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Connections to the database: fewer than the nodes open to the pooler. */
const serverConnections = 6;
const startMillisecondsMax = 60_000;

/** Starts a pooler in front of a database. Installs Debian's package if it is missing. */
export async function startPooler(databaseUrl: string): Promise<Pooler> {
  requireProgram('pgbouncer', 'pgbouncer');
  const { hostname, port, pathname, username, password } = new URL(databaseUrl);
  const listenPort = await freePort();
  const folder = mkdtempSync(join(temporaryFolder, 'holdfast-pooler-'));
  const write = (name: string, lines: readonly string[]) => {
    writeFileSync(join(folder, name), `${lines.join('\n')}\n`, { mode: 0o644 });
    return join(folder, name);
  };
  const users = write('users.txt', [`"${username}" "${decodeURIComponent(password)}"`]);
  const settings = write('pgbouncer.ini', [
    '[databases]',
    `* = host=${hostname} port=${port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${listenPort}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${users}`,
    'pool_mode = transaction',
    `default_pool_size = ${serverConnections}`,
    'max_client_conn = 500',
    // Once the database is back, it must be found immediately.
    'server_login_retry = 0.2',
  ]);
  const user = unprivileged === undefined ? {} : { uid: unprivileged, gid: unprivileged };
  if (unprivileged !== undefined) chownSync(folder, unprivileged, unprivileged);
  const child = endWithThis(spawn('pgbouncer', [settings], { ...user, stdio: 'ignore' }));
  const stop = async () => {
    if (isRunning(child)) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  };
  const isListening = () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`);
    return listens(listenPort);
  };
  try {
    await until(isListening, { withinMilliseconds: startMillisecondsMax, otherwise: 'pgbouncer does not listen' });
  } catch (error) {
    await stop();
    throw error;
  }
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${listenPort}`;
  url.pathname = pathname;
  return { url: url.href, stop };
}
