/**
 * Watches a server from separate processes, so that neither the attack nor its clean-up distorts the measurements: one checks the server's
 * health, the other writes as an uninvolved account and measures the memory.
 */

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { endWithThis } from '../../tooling/child-processes.ts';
import type { Credentials } from '../../tooling/credentials.ts';

/** Start parameters of the watching processes. */
export interface WatchOrder {
  /** Of the server. */
  readonly pid: number;
  /** An account uninvolved in the attack. */
  readonly other: Credentials;
  /** Keys of the other account's project, used in turn. */
  readonly apiKeys: readonly string[];
}

/** The time of one request. */
export interface Wait {
  /** When it was sent, in milliseconds of `clock`. */
  readonly at: number;
  /** Excludes the time for which the ready server or client had no processor. */
  readonly milliseconds: number;
}

/** The results of requesting `/healthz`. */
export interface SeenHealth {
  /** The longest waits, longest first. */
  readonly waits: readonly Wait[];
  readonly probes: number;
  /** Probes that were refused or unanswered, with the reason of the first. */
  readonly failedProbes: number;
  readonly firstFailure: string | undefined;
}

/** The results of writing. */
export interface SeenWrites {
  /** Writes that succeeded. */
  readonly writes: number;
  /** The longest time to the success of a write, including refusals, but without the server's time without a processor. */
  readonly longestWriteMilliseconds: number;
  /** Largest resident memory of the server, in bytes. */
  readonly residentBytesPeak: number;
}

/** Others' view of the server in a time span. */
export type Watched = SeenHealth & SeenWrites;

export interface Watch {
  /** Resolves once both processes watch. */
  begin(): Promise<void>;
  /** Resolves, with the results since `begin`, when the last request has been answered. */
  end(): Promise<Watched>;
  close(): void;
}

/** Starts watching. Resolves when the first requests have been answered. */
export async function startWatch(order: WatchOrder): Promise<Watch> {
  const [health, writes] = await Promise.all([
    startWatcher<SeenHealth>(new URL('./watch-health.ts', import.meta.url), order),
    startWatcher<SeenWrites>(new URL('./watch-writes.ts', import.meta.url), order),
  ]);
  return {
    async begin() {
      await Promise.all([health.begin(), writes.begin()]);
    },
    async end() {
      const [seenHealth, seenWrites] = await Promise.all([health.end(), writes.end()]);
      return { ...seenHealth, ...seenWrites };
    },
    close() {
      health.close();
      writes.close();
    },
  };
}

async function startWatcher<Seen>(program: URL, order: WatchOrder) {
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const;
  const child = endWithThis(fork(fileURLToPath(program), [JSON.stringify(order)], { stdio: [...stdio] }));
  let tell: { resolve(said: unknown): void; reject(error: Error): void } | undefined;
  const said = () =>
    new Promise<unknown>((resolve, reject) => {
      tell = { resolve, reject };
    });
  child.on('message', (message) => tell?.resolve(message));
  child.once('exit', () => tell?.reject(new Error(`${program} has ended`)));
  await said();
  return {
    begin: async () => {
      child.send('begin');
      await said();
    },
    end: async () => {
      child.send('end');
      return (await said()) as Seen;
    },
    close: () => child.kill('SIGKILL'),
  };
}
