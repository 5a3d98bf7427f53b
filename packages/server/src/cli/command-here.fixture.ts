/**
 * Runs `holdfast` inside this process: with the arguments, settings, folder, output and exit status of a process of its own, and without
 * the third of a second of processor time that its start takes.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Session } from 'node:inspector/promises';
import { setFlagsFromString } from 'node:v8';
import { runCommand } from './run.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where a command runs, and its whole environment. */
export interface Surroundings {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** A command that runs here: what it wrote, and what it asked of its process. */
interface Command {
  readonly text: { stdout: string; stderr: string };
  readonly onSignal: ((signal: string) => void)[];
  exit(code: number): void;
}

const commands = new AsyncLocalStorage<Command>();
const signals: readonly unknown[] = ['SIGTERM', 'SIGINT'];

/** Directs at a command what it does to its process. Everything else reaches this one. */
function divert(): void {
  const { exit, on } = process;
  for (const name of ['stdout', 'stderr'] as const) {
    const stream = process[name];
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
    stream.write = (chunk: string | Uint8Array, ...others: unknown[]): boolean => {
      const command = commands.getStore();
      if (command === undefined) return write(chunk, ...others);
      command.text[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      for (const other of others) if (typeof other === 'function') process.nextTick(other);
      return true;
    };
  }
  const { error } = console;
  console.error = (...parts) =>
    commands.getStore() === undefined ? error(...parts) : process.stderr.write(`${parts.join(' ')}\n`);
  process.exit = ((code: number) => (commands.getStore()?.exit ?? exit)(code)) as typeof exit;
  process.on = ((event: string, listener: (...args: unknown[]) => void) => {
    const command = commands.getStore();
    if (command === undefined || !signals.includes(event)) return on.call(process, event, listener);
    command.onSignal.push((signal) => signal === event && listener(signal));
    return process;
  }) as typeof on;
}
divert();

/** One command after the other reads the environment and the folder, which belong to the whole process. */
let earlier: Promise<unknown> = Promise.resolve();

/** Runs a command until it has ended or serves. */
function begin(args: readonly string[], { folder, environment }: Surroundings) {
  const { promise: exited, resolve } = Promise.withResolvers<number>();
  const command: Command = { text: { stdout: '', stderr: '' }, onSignal: [], exit: resolve };
  const work = async () => {
    const { env, exitCode } = process;
    const cwd = process.cwd();
    process.chdir(folder);
    process.env = { ...environment };
    process.exitCode = undefined;
    try {
      const ended = commands.run(command, () => runCommand(args));
      return await Promise.race([exited, ended.then(() => Number(process.exitCode ?? 0))]);
    } finally {
      process.chdir(cwd);
      process.env = env;
      process.exitCode = exitCode;
    }
  };
  const begun = earlier.then(work);
  earlier = begun.catch(() => undefined);
  return { begun, exited, command };
}

/** Runs a command to its end. */
export async function runHere(args: readonly string[], surroundings: Surroundings): Promise<Ended> {
  const { begun, command } = begin(args, surroundings);
  return { code: await begun, ...command.text };
}

/** Runs a command that serves. Resolves when it is ready; fails if it ends before. */
export async function serveHere(args: readonly string[], surroundings: Surroundings) {
  const { post } = Session.prototype;
  // What a service does for its process alone, this one does not need.
  Session.prototype.post = (async () => undefined) as unknown as typeof post;
  const { begun, exited, command } = begin(args, surroundings);
  const code = await begun;
  Session.prototype.post = post;
  setFlagsFromString('--heap-growing-percent=0');
  if (command.onSignal.length === 0) throw new Error(`it ended with ${code}: ${command.text.stderr}`);
  return {
    output: () => command.text.stdout + command.text.stderr,
    async stop(signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM'): Promise<Ended> {
      commands.run(command, () => {
        for (const listener of command.onSignal) listener(signal);
      });
      return { code: await exited, ...command.text };
    },
  };
}
