/** A real server in a separate process on loopback, which callers measure, stop and kill; and operator commands. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { endWithThis, isRunning, outputOf } from './child-processes.ts';
import { residentBytes } from './readings.ts';
import { responds, until } from './until.ts';
import { withFolder } from './workspace.ts';

/** The `holdfast` command of this repository. */
export const holdfastCommand = fileURLToPath(new URL('../packages/server/bin/holdfast.mjs', import.meta.url));
/** Ample: the machine may be busy, and these only end what hangs. */
const startMillisecondsMax = 150_000;
const stopMillisecondsMax = 60_000;
const outputCharactersMax = 20_000;

/** `SVC_…` variables. */
export type Settings = Readonly<Record<string, string>>;

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
  readonly command?: string | undefined;
  /** The only core that it may use; by default any. */
  readonly core?: number | undefined;
  /** Variables in addition to those of the address; rate limits are off unless set here. */
  readonly env?: Settings | undefined;
}

/** Starts a server and resolves when it responds; rejects with its output if it exits or does not respond in time. */
export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const server = launch(options);
  const isReady = () => {
    if (!server.isRunning()) throw new Error(`the server ended at its start:\n${server.output()}`);
    return responds(`${server.baseUrl}/readyz`);
  };
  const otherwise = () => `the server did not answer within ${startMillisecondsMax / 1000} s:\n${server.output()}`;
  try {
    await until(isReady, { withinMilliseconds: startMillisecondsMax, everyMilliseconds: 15, otherwise });
  } catch (error) {
    await server.kill();
    throw error;
  }
  return server;
}

/** Starts a server like its supervisor would: one that cannot reach its database at the start reports that, exits, and is started again. */
export async function startedDespiteDatabase(start: () => Promise<ServerProcess>): Promise<ServerProcess> {
  const deadline = performance.now() + startMillisecondsMax;
  for (;;) {
    try {
      return await start();
    } catch (error) {
      const isTransient = (error as Error).message.includes('cannot use the database');
      if (!isTransient || performance.now() > deadline) throw error;
    }
  }
}

/** The environment of this process, with only these settings of the service. */
export function serverEnvironment(settings: Settings): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_'));
  return { ...Object.fromEntries(inherited), ...settings };
}

function launch({ dataDir, port, core, env, command = holdfastCommand }: ServerProcessOptions): ServerProcess {
  const settings = {
    SVC_HOST: '127.0.0.1',
    SVC_PORT: String(port),
    SVC_DATA_DIR: dataDir,
    SVC_RATE_LIMIT_PER_MINUTE: '0',
    SVC_AUTH_RATE_LIMIT_PER_MINUTE: '0',
  };
  const pinned = core === undefined ? [] : ['taskset', '-c', String(core)];
  const [program = '', ...args] = [...pinned, process.execPath, command, 'serve'];
  const child = endWithThis(
    spawn(program, args, { env: serverEnvironment({ ...settings, ...env }), stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const { pid } = child;
  if (pid === undefined) throw new Error(`cannot start ${command}`);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    pid,
    isRunning: () => isRunning(child),
    output: outputOf(child, outputCharactersMax),
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

/**
 * Runs an operator command on a data folder, even while its servers run, and resolves with its output. Rejects if it fails. `program` is
 * by default this repository's.
 */
export async function runCommand(
  args: readonly string[],
  dataDir: string,
  settings: Settings = {},
  program = holdfastCommand,
): Promise<string> {
  const env = serverEnvironment({ ...settings, SVC_DATA_DIR: dataDir });
  return (await promisify(execFile)(process.execPath, [program, ...args], { env })).stdout;
}

/** Runs `work` with an empty data folder, which is removed afterwards. */
export const withDataDir = <Result>(work: (dataDir: string) => Result | Promise<Result>): Promise<Result> =>
  withFolder('torture', work);
