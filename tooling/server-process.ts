/** A real server as a separate process, on loopback, to be measured, stopped and killed. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The `holdfast` command of this repository. */
export const holdfastCommand = fileURLToPath(new URL('../packages/server/bin/holdfast.mjs', import.meta.url));
const startMillisecondsMax = 20_000;
const stopMillisecondsMax = 20_000;
const outputCharactersMax = 20_000;

export interface ServerProcess {
  readonly baseUrl: string;
  readonly pid: number;
  /** Whether the process is alive. */
  isRunning(): boolean;
  /** The process's output on both streams, only the end of it if long. */
  output(): string;
  /** Resident memory of the process, in bytes. */
  residentBytes(): number;
  /** Sends SIGTERM and resolves with the exit code, or the name of the signal that ended it. */
  stop(): Promise<number | string>;
  /** Sends SIGKILL and resolves when the process has exited. */
  kill(): Promise<void>;
}

export interface ServerProcessOptions {
  readonly dataDir: string;
  /** Fixed, so that a restarted server has the same address. */
  readonly port: number;
  /** The program, by default this repository's. */
  readonly command?: string;
  /** The only core that it may use; by default any. */
  readonly core?: number;
  /** `SVC_…` variables in addition to those of the address; rate limits are off unless set here. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a server and resolves when it responds; rejects with its output if it exits or stays silent for 20 s. */
export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const { dataDir, port, core, env = {}, command = holdfastCommand } = options;
  const settings = {
    SVC_HOST: '127.0.0.1',
    SVC_PORT: String(port),
    SVC_DATA_DIR: dataDir,
    SVC_RATE_LIMIT_PER_MINUTE: '0',
    SVC_AUTH_RATE_LIMIT_PER_MINUTE: '0',
  };
  const pinned = core === undefined ? [] : ['taskset', '-c', String(core)];
  const [program = '', ...args] = [...pinned, process.execPath, command, 'serve'];
  const child = spawn(program, args, {
    env: serverEnvironment({ ...settings, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const server = describe(child, `http://127.0.0.1:${port}`);
  const deadline = Date.now() + startMillisecondsMax;
  while (!(await answers(`${server.baseUrl}/readyz`))) {
    if (!server.isRunning()) throw new Error(`the server ended at its start:\n${server.output()}`);
    if (Date.now() > deadline) {
      await server.kill();
      throw new Error(`the server did not answer within ${startMillisecondsMax / 1000} s:\n${server.output()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  return server;
}

/** The environment of this process, with only these settings of the service. */
export function serverEnvironment(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_'));
  return { ...Object.fromEntries(inherited), ...settings };
}

function describe(child: ChildProcess, baseUrl: string): ServerProcess {
  let output = '';
  const note = (piece: Buffer) => {
    output = (output + piece.toString('utf8')).slice(-outputCharactersMax);
  };
  child.stdout?.on('data', note);
  child.stderr?.on('data', note);
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const killWithParent = () => child.kill('SIGKILL');
  process.once('exit', killWithParent);
  void exited.then(() => process.off('exit', killWithParent));
  const pid = child.pid;
  if (pid === undefined) throw new Error(`cannot start ${holdfastCommand}`);
  return {
    baseUrl,
    pid,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    output: () => output,
    residentBytes: () => residentBytes(pid),
    stop: async () => {
      child.kill('SIGTERM');
      const tooLate = setTimeout(() => child.kill('SIGKILL'), stopMillisecondsMax);
      const [code, signal] = await exited;
      clearTimeout(tooLate);
      return code ?? signal ?? 'unknown';
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** Resident set size of a process, in bytes; 0 if it has exited. */
export function residentBytes(pid: number): number {
  try {
    if (process.platform === 'linux') {
      const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      return Number(kibibytes ?? 0) * 1024;
    }
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024;
  } catch {
    return 0;
  }
}

/** Runs `work` with an empty data folder, which is removed afterwards. */
export async function withDataDir<Result>(work: (dataDir: string) => Promise<Result>): Promise<Result> {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-torture-'));
  try {
    return await work(dataDir);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
