/** A PostgreSQL server of its own, on a free loopback port, that lives no longer than this process. */
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { postgresBinaries, temporaryFolder, unprivileged } from './binaries.fixture.ts';
import { createDatabase, dropDatabase, isAnswering } from './databases.fixture.ts';
import type { Supervised } from './test-processes/supervise.ts';

export interface PostgresCluster {
  readonly port: number;
  /** Process id of the server while it runs. */
  readonly pid: number | undefined;
  /** Where its files lie: `data` and `log`. */
  readonly folder: string;
  /** Connection URL of one of its databases, as the superuser `holdfast`. */
  url(database?: string): string;
  /** Makes an empty database and returns its URL. */
  createDatabase(name?: string): Promise<string>;
  /** Drops a database and ends the connections to it. */
  dropDatabase(url: string): Promise<void>;
  /** Ends it politely, at once or as a crash does. Resolves when every process of it has ended. */
  stop(mode?: 'fast' | 'immediate' | 'kill'): Promise<void>;
  /** Starts it again on the same files and port. Resolves when it answers queries. */
  start(): Promise<void>;
  /** Ends it and removes its files. */
  dispose(): Promise<void>;
}

export interface PostgresOptions {
  /** Lines of postgresql.conf beside those below. */
  readonly settings?: Readonly<Record<string, string>>;
}

const signals = { fast: 'SIGINT', immediate: 'SIGQUIT', kill: 'SIGKILL' } as const;
const startSeconds = 60;

/**
 * Starts a fresh PostgreSQL that keeps what it has acknowledged, as in production. It ends with this process, however that
 * ends. Throws with the end of its log when it does not start.
 */
export async function startPostgres({ settings = {} }: PostgresOptions = {}): Promise<PostgresCluster> {
  const binaries = postgresBinaries();
  const folder = mkdtempSync(join(temporaryFolder, 'holdfast-postgres-'));
  if (unprivileged !== undefined) chownSync(folder, unprivileged, unprivileged);
  const port = await findFreePort();
  const password = randomBytes(16).toString('hex');
  const url = (database = 'postgres') => `postgres://holdfast:${password}@127.0.0.1:${port}/${database}`;
  let server: Server | undefined;
  let hasCrashed = false;

  const cluster: PostgresCluster = {
    port,
    folder,
    url,
    get pid() {
      return server?.pid;
    },
    createDatabase: (name) => createDatabase(url(), name),
    dropDatabase: (database) => dropDatabase(url(), database),
    async stop(mode = 'fast') {
      if (server === undefined) return;
      server.supervisor.stdin.write(`${signals[mode]}\n`);
      await server.ended;
      hasCrashed = mode === 'kill';
    },
    async start() {
      if (server !== undefined) throw new Error(`the PostgreSQL in ${folder} runs already`);
      const started = await runServer(binaries, folder);
      server = started;
      started.ended.then(() => {
        server = undefined;
      });
      await untilAnswering(url(), started, folder);
      hasCrashed = false;
    },
    async dispose() {
      // The system keeps a piece of shared memory for a server that was killed, until the next on the same files has ended.
      if (hasCrashed) await cluster.start().catch(() => {});
      await cluster.stop('immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await initialize(binaries, folder, password, { ...defaults, port: String(port), ...settings });
    await cluster.start();
  } catch (cause) {
    await cluster.dispose();
    throw cause;
  }
  return cluster;
}

const defaults: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
  dynamic_shared_memory_type: 'mmap', // in its folder, and so removed with it
};

/** Makes the data folder. Only these first files are not synced to disk; whatever the server writes is. */
async function initialize(
  binaries: string,
  folder: string,
  password: string,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (unprivileged !== undefined) chownSync(passwordFile, unprivileged, unprivileged);
  const args = [
    `--pgdata=${data}`,
    '--username=holdfast',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--locale=C',
    '--encoding=UTF8',
    '--no-sync',
    '--set=scram_iterations=1', // of a password that nobody could guess; each connection pays for them
  ];
  await promisify(execFile)(join(binaries, 'bin', 'initdb'), args, {
    cwd: folder,
    ...(unprivileged !== undefined && { uid: unprivileged, gid: unprivileged }),
  });
  rmSync(passwordFile);
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`);
  appendFileSync(join(data, 'postgresql.conf'), lines.join(''));
}

interface Server {
  readonly pid: number;
  readonly supervisor: ChildProcessByStdio<Writable, Readable, null>;
  /** Resolves when no process of it is left. */
  readonly ended: Promise<void>;
}

async function runServer(binaries: string, folder: string): Promise<Server> {
  const supervised: Supervised = {
    folder,
    log: join(folder, 'log'),
    command: join(binaries, 'bin', 'postgres'),
    args: ['-D', join(folder, 'data')],
    ...(unprivileged !== undefined && { uid: unprivileged }),
  };
  const program = fileURLToPath(new URL('test-processes/supervise.ts', import.meta.url));
  // A session of its own: Ctrl+C reaches this process, and the server ends after it.
  const supervisor = spawn(process.execPath, [program, JSON.stringify(supervised)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  supervisor.stdin.on('error', () => {}); // it has ended, which `ended` tells
  const ended = once(supervisor, 'close').then(() => undefined);
  const line = once(createInterface({ input: supervisor.stdout }), 'line') as Promise<[string]>;
  const first = await Promise.race([line, ended]);
  if (first === undefined) throw new Error(`cannot start the PostgreSQL in ${folder}`);
  return { pid: Number(first[0]), supervisor, ended };
}

async function untilAnswering(url: string, server: Server, folder: string): Promise<void> {
  let hasEnded = false;
  server.ended.then(() => {
    hasEnded = true;
  });
  const deadline = performance.now() + startSeconds * 1_000;
  while (!(await isAnswering(url))) {
    if (hasEnded || performance.now() > deadline) {
      const log = readFileSync(join(folder, 'log'), 'utf8').split('\n').slice(-15).join('\n');
      throw new Error(`the PostgreSQL in ${folder} ${hasEnded ? 'has ended' : 'does not answer'}:\n${log}`);
    }
    await sleep(20);
  }
}

/**
 * A port below those that systems give to outgoing connections: while the server is down, a client that keeps trying could
 * be given the very port that it calls, and so reach itself.
 */
async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (await isFree(port)) return port;
  }
  throw new Error('no port between 20000 and 32000 is free');
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  const isListening = await once(probe, 'listening').then(
    () => true,
    () => false,
  );
  if (isListening) await new Promise((resolve) => probe.close(resolve));
  return isListening;
}
