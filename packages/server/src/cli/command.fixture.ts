/** Runs the `holdfast` command like an operator, in a separate folder with real files: in this process, or in one of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { freePort } from '../free-port.fixture.ts';
import { type Ended, runHere, serveHere } from './command-here.fixture.ts';

export type { Ended };

/** The published command, built by the tests' setup. */
export const command = join(import.meta.dirname, '../../../../node_modules/.cache/tests/program/bin/holdfast.mjs');
/** The command of the repository, which any Node from 20 on can start. */
export const sourceCommand = join(import.meta.dirname, '../../bin/holdfast.mjs');

export interface CommandSandbox {
  readonly folder: string;
  readonly dataDir: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Runs `holdfast` with these arguments until it ends: here, unless the folder was created for another program. */
  run(args: readonly string[], environment?: Readonly<Record<string, string>>): Promise<Ended>;
  /** Runs it with `--json`, which succeeds without a warning, and returns what it prints. */
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what its command prints
  json(args: readonly string[], environment?: Readonly<Record<string, string>>): Promise<any>;
  /** Starts a process of `holdfast` with these arguments. */
  start(
    args: readonly string[],
    environment?: Readonly<Record<string, string>>,
  ): { readonly child: ChildProcess; readonly ended: Promise<Ended> };
  /** Starts `holdfast serve` here, with a banner, and resolves when it is ready. */
  serveHere(environment?: Readonly<Record<string, string>>, args?: readonly string[]): ReturnType<typeof serveHere>;
  /** Starts a process of `holdfast serve` and resolves when it is ready: in a log record, or with `pretty` in a banner. */
  serve(environment?: Readonly<Record<string, string>>): Promise<Served>;
  /** Stops running processes and deletes the folder. */
  remove(): Promise<void>;
}

export interface Served {
  readonly child: ChildProcess;
  readonly output: () => string;
  stop(signal?: NodeJS.Signals): Promise<Ended>;
}

/** Returns an empty folder with a free port, and settings for them; `node` runs `program`. */
export async function createCommandSandbox(node = process.execPath, program = command): Promise<CommandSandbox> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-cli-'));
  const dataDir = join(folder, 'data');
  const children = new Set<ChildProcess>();
  const base = {
    PATH: process.env.PATH ?? '',
    SVC_DATA_DIR: dataDir,
    SVC_PORT: String(await freePort()),
    INIT_CWD: folder,
  };

  const isElsewhere = node !== process.execPath || program !== command;
  const here = (environment: Readonly<Record<string, string>>) => ({ folder, environment: { ...base, ...environment } });
  const start = (args: readonly string[], environment: Readonly<Record<string, string>>) => {
    const child = spawn(node, [program, ...args], { cwd: folder, env: { ...base, ...environment } });
    children.add(child);
    return { child, ...watch(child) };
  };

  /** A process of its own reads the variables of the runtime, which are read at a start. */
  const run: CommandSandbox['run'] = (args, environment = {}) =>
    isElsewhere || Object.keys(environment).some((name) => name.startsWith('NODE_'))
      ? start(args, environment).ended
      : runHere(args, here(environment));

  return {
    folder,
    dataDir,
    environment: base,
    run,
    async json(args, environment = {}) {
      const { code, stdout, stderr } = await run([...args, '--json'], environment);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return JSON.parse(stdout);
    },
    serveHere: (environment = {}, args = ['serve']) => serveHere(args, here({ SVC_LOG_FORMAT: 'pretty', ...environment })),
    start: (args, environment = {}) => start(args, environment),
    async serve(environment = {}) {
      const { child, ended, output, until } = start(['serve'], environment);
      // The banner may have a log line behind it already.
      await until((text) => /"msg":"ready"}\n/.test(text) || /Holdfast is ready\.\n.*Data .*\n\n(?:$|\[\d)/s.test(text));
      return {
        child,
        output,
        stop(signal = 'SIGTERM') {
          child.kill(signal);
          return ended;
        },
      };
    },
    async remove() {
      for (const child of children) child.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    },
  };
}

/** Collects the output of a process. */
function watch(child: ChildProcess) {
  const text = { stdout: '', stderr: '' };
  const { promise: ended, resolve } = Promise.withResolvers<Ended>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      text[name] += chunk;
    });
  }
  child.on('close', (code) => resolve({ code, ...text }));
  const output = () => text.stdout + text.stderr;

  /** Resolves once `isDone` accepts standard output. */
  async function until(isDone: (stdout: string) => boolean): Promise<void> {
    while (!isDone(text.stdout)) {
      if (child.exitCode !== null) throw new Error(`the command ended with ${child.exitCode}: ${output()}`);
      await new Promise((done) => setTimeout(done, 20));
    }
  }
  return { ended, output, until };
}
