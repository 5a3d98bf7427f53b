/**
 * Watches a server from processes of their own, so that neither the attack nor its clean-up blurs what is measured: one asks
 * whether the server lives, the other one writes as somebody who has nothing to do with the attack, and looks at the memory.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Credentials } from '../credentials.ts';

/** What the watching processes are told at their start. */
export interface WatchOrder {
  /** Of the server. */
  readonly pid: number;
  /** Somebody who has nothing to do with the attack. */
  readonly other: Credentials;
  /** Keys of the project of the other, which writes with one after the other. */
  readonly apiKeys: readonly string[];
}

/** How long one request took. */
export interface Wait {
  /** When it was sent, in milliseconds of `clock`. */
  readonly at: number;
  /** Without the time for which the server, or who asked, was ready to go on and had no processor. */
  readonly milliseconds: number;
}

/** What came of asking for `/healthz`. */
export interface SeenHealth {
  /** The longest waits, longest first. */
  readonly waits: readonly Wait[];
  readonly probes: number;
  /** Probes that were refused or had no answer, with the reason of the first. */
  readonly failedProbes: number;
  readonly firstFailure: string | undefined;
}

/** What came of writing. */
export interface SeenWrites {
  /** Writes that succeeded. */
  readonly writes: number;
  /** The longest time to the success of a write, refusals included, without that for which the server had no processor. */
  readonly longestWriteMilliseconds: number;
  /** Largest resident memory of the server, in bytes. */
  readonly residentBytesPeak: number;
}

/** What others saw of the server in a span of time. */
export type Watched = SeenHealth & SeenWrites;

export interface Watch {
  begin(): void;
  /** Resolves, with what was seen since `begin`, when the last request has been answered. */
  end(): Promise<Watched>;
  close(): void;
}

/** Starts to watch. Resolves when the first requests have been answered. */
export async function startWatch(order: WatchOrder): Promise<Watch> {
  const [health, writes] = await Promise.all([
    startWatcher<SeenHealth>(new URL('./watch-health.ts', import.meta.url), order),
    startWatcher<SeenWrites>(new URL('./watch-writes.ts', import.meta.url), order),
  ]);
  return {
    begin() {
      health.begin();
      writes.begin();
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
  const child = fork(fileURLToPath(program), [JSON.stringify(order)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const killWithParent = () => child.kill('SIGKILL');
  process.once('exit', killWithParent);
  let tell: { resolve(said: Seen): void; reject(error: Error): void } | undefined;
  const said = () =>
    new Promise<Seen>((resolve, reject) => {
      tell = { resolve, reject };
    });
  child.on('message', (message) => tell?.resolve(message as Seen));
  child.once('exit', () => {
    process.off('exit', killWithParent);
    tell?.reject(new Error(`${program} has ended`));
  });
  await said();
  return {
    begin: () => child.send('begin'),
    end: () => {
      child.send('end');
      return said();
    },
    close: () => child.kill('SIGKILL'),
  };
}
