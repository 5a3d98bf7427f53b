/** Work that continues after the response, so that the response time reveals nothing about it. */

import { setImmediate } from 'node:timers/promises';
import { FairQueue, type Owner } from '../../common/threads/fair-queue.ts';

/** Throttles prevent more work than this, running or waiting. Work over the limit is dropped and reported as a fault. */
const runningMax = 4;
const waitingMax = 1_000;
/** The share of one directory. One client address gets half of its remainder. */
const waitingInDirectoryMax = 500;

export interface Background {
  /** Runs the work when its owner's turn comes, which is soon. Its error is reported as a fault. */
  run(owner: Owner, work: () => Promise<void>): void;
  /** Resolves when no work runs or waits. */
  settled(): Promise<void>;
}

interface Waiting {
  readonly account: string;
  readonly work: () => Promise<void>;
}

/** Returns a queue for such work. */
export function createBackground(onFault: (fault: unknown) => void): Background {
  const waiting = new FairQueue<Waiting>({ weightMax: waitingMax, accountWeightMax: waitingInDirectoryMax });
  const running = new Set<Promise<void>>();

  async function runOn(): Promise<void> {
    await setImmediate(); // let the response be sent first
    for (let next = waiting.take(); next !== undefined; next = waiting.take()) {
      try {
        await next.work();
      } catch (fault) {
        onFault(fault);
      }
      waiting.done(next.account);
    }
  }

  return {
    run(owner, work) {
      const isTaken = waiting.offer(owner, { account: owner.account, work }, 1);
      if (!isTaken) return onFault(new Error(`cannot send a mail: ${waiting.size} are waiting`));
      if (running.size >= runningMax) return;
      const runner = runOn().finally(() => running.delete(runner));
      running.add(runner);
    },
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
