import { FairQueue, type Owner } from '../common/fair-queue.ts';
import { nextTurn } from './turns.ts';

/**
 * Shares the event loop between requests: parsing bodies takes a bounded part of one turn of the loop, and the rest waits for the next
 * turn, after timers and other sockets. Without this, sixty-four bodies that arrive together would hold the loop until all of them are
 * parsed. Accounts take turns, so the bodies of one do not delay those of another.
 */
export interface ParseScheduler {
  /**
   * Runs `work` now if this turn has time left, otherwise in one of the next turns; the work of one owner in the order of calls.
   * Rejects with its error. `owner` is called when the work has to wait.
   */
  run<Result>(owner: () => Owner, work: () => Result): Result | Promise<Result>;
}

interface Waiting {
  readonly account: string;
  run(): void;
}

/** The queue needs no bound of its own: the bodies that may be held and the writes that may be under way are bounded. */
const unbounded = { weightMax: Number.POSITIVE_INFINITY, accountWeightMax: Number.POSITIVE_INFINITY };

/** Longer turns of the event loop count as long. Very many requests make them so. */
const longTurnMilliseconds = 8;
/** The part of the time beyond that waiting work may take, so that it does not starve. */
const share = 0.5;
/** A turn that waited until connections were accepted does not count as longer than this. */
const beyondMillisecondsMax = 16;

/**
 * `turnMilliseconds` is how long work may take in one turn, while the turns of the event loop are short. Work that has begun is
 * finished. `now` is in milliseconds.
 */
export function createParseScheduler(turnMilliseconds: number, now: () => number): ParseScheduler {
  const waiting = new FairQueue<Waiting>(unbounded);
  let turnEndsAt = 0; // 0: no work has been done in this turn
  let turnBeganAt = 0;
  let isWaited = false; // whether work is in the queue

  function goOn(): void {
    turnEndsAt = 0;
    if (!isWaited) return;
    beginTurn();
    do {
      const next = waiting.take();
      if (next === undefined) break;
      next.run();
      waiting.done(next.account);
    } while (now() < turnEndsAt);
    isWaited = waiting.size > 0;
  }

  function beginTurn(): void {
    const time = now();
    // With no work waiting, the time since the last turn was no turn.
    const lastTurnMilliseconds = isWaited ? time - turnBeganAt : 0;
    turnBeganAt = time;
    const beyond = Math.min(lastTurnMilliseconds - longTurnMilliseconds, beyondMillisecondsMax);
    turnEndsAt = time + Math.max(turnMilliseconds, beyond * share);
    nextTurn(goOn);
  }

  return {
    run(ownerOf, work) {
      if (turnEndsAt === 0) beginTurn();
      else if (isWaited || now() >= turnEndsAt) {
        return new Promise((resolve, reject) => {
          const run = () => {
            try {
              resolve(work());
            } catch (error) {
              reject(error);
            }
          };
          const owner = ownerOf();
          isWaited = true;
          waiting.offer(owner, { account: owner.account, run }, 1);
        });
      }
      return work();
    },
  };
}
