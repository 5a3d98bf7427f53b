/** Work that goes on after the answer, so that the answer tells nothing of it by its time. */

import { setImmediate } from 'node:timers/promises';

/** More than this at once, or waiting, is more than throttles let anyone cause: it is dropped, and told as a fault. */
const runningMax = 4;
const waitingMax = 1_000;

export interface Background {
  /** Runs the work soon. Whatever it throws is told as a fault. */
  run(work: () => Promise<void>): void;
  /** Resolves when nothing runs or waits. */
  settled(): Promise<void>;
}

/** Returns a place for such work. */
export function createBackground(onFault: (fault: unknown) => void): Background {
  const waiting: (() => Promise<void>)[] = [];
  const running = new Set<Promise<void>>();

  async function runOn(): Promise<void> {
    await setImmediate(); // the answer goes first
    for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) {
      try {
        await work();
      } catch (fault) {
        onFault(fault);
      }
    }
  }

  return {
    run(work) {
      if (waiting.length >= waitingMax) return onFault(new Error(`cannot send a mail: ${waitingMax} are waiting`));
      waiting.push(work);
      if (running.size >= runningMax) return;
      const runner = runOn().finally(() => running.delete(runner));
      running.add(runner);
    },
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
