/** Work that goes on after the answer, so that the answer tells nothing of it by its time. */

import { setImmediate } from 'node:timers/promises';
import { FairQueue, type Owner } from '../../common/fair-queue.ts';

/** More than this at once, or waiting, is more than throttles let anyone cause: it is dropped, and told as a fault. */
const runningMax = 4;
const waitingMax = 1_000;
/** Of these, in one directory; one client address gets half of the room that is left there. */
const waitingInDirectoryMax = 500;

export interface Background {
  /** Runs the work when its owner's turn comes, which is soon. Whatever it throws is told as a fault. */
  run(owner: Owner, work: () => Promise<void>): void;
  /** Resolves when nothing runs or waits. */
  settled(): Promise<void>;
}

interface Waiting {
  readonly account: string;
  readonly work: () => Promise<void>;
}

/** Returns a place for such work. */
export function createBackground(onFault: (fault: unknown) => void): Background {
  const waiting = new FairQueue<Waiting>({ weightMax: waitingMax, accountWeightMax: waitingInDirectoryMax });
  const running = new Set<Promise<void>>();

  async function runOn(): Promise<void> {
    await setImmediate(); // the answer goes first
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
