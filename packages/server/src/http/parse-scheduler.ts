import { FairQueue, type Owner } from '../common/fair-queue.ts';

/**
 * Shares the event loop between requests: parsing bodies takes a bounded part of one turn of the loop, and what is left over
 * waits for the next turn, after timers and other sockets. Without it, sixty-four bodies that arrive together would hold the
 * loop for as long as all of them take. Accounts take turns, so the bodies of one do not delay those of another.
 */
export interface ParseScheduler {
  /**
   * Runs `work` now if this turn has time left, else in one of the next; that of one owner in the order of calls. Rejects with its
   * error. `owner` is asked for when the work has to wait.
   */
  run<Result>(owner: () => Owner, work: () => Result): Result | Promise<Result>;
}

interface Waiting {
  readonly account: string;
  run(): void;
}

/** What waits is bounded by the bodies that may be held, and by the writes that may be under way. */
const unbounded = { weightMax: Number.POSITIVE_INFINITY, accountWeightMax: Number.POSITIVE_INFINITY };

/** Turns of the event loop beyond this are long: very many requests make them so. */
const longTurnMilliseconds = 8;
/** What work may take of the time beyond, while any is waiting, so that it does not starve. */
const share = 0.5;

/**
 * `turnMilliseconds` is how long a turn may take, as long as the event loop turns quickly. A piece of work that was begun is
 * finished. `now` is in milliseconds.
 */
export function createParseScheduler(turnMilliseconds: number, now: () => number): ParseScheduler {
  const waiting = new FairQueue<Waiting>(unbounded);
  let turnEndsAt = 0; // 0: no work has been done in this turn
  let turnBeganAt = 0;
  let isWaited = false; // whether work is in the queue

  function nextTurn(): void {
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
    // With nobody waiting, the time since the last turn was no turn.
    const lastTurnMilliseconds = isWaited ? time - turnBeganAt : 0;
    turnBeganAt = time;
    turnEndsAt = time + Math.max(turnMilliseconds, (lastTurnMilliseconds - longTurnMilliseconds) * share);
    setImmediate(nextTurn);
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
