/**
 * Shares the event loop between requests: parsing gets a limited part of each turn, and the rest waits for the next turn, after timers and
 * other sockets. Otherwise, 64 bodies that arrive together would hold the loop until all are parsed. Accounts take turns, so one account's
 * bodies do not delay another account's.
 */
import { FairQueue, type Owner } from '../../common/threads/fair-queue.ts';
import { nextTurn } from '../../common/turns/turns.ts';

export interface ParseScheduler {
  /**
   * Runs `work` now if this turn has time left, otherwise in a later turn, keeping each owner's order of calls. Rejects with its error.
   * `owner` is called only if the work must wait.
   */
  run<Result>(owner: () => Owner, work: () => Result): Result | Promise<Result>;
}

interface Waiting {
  readonly account: string;
  run(): void;
}

/** The queue needs no limit: bodies in memory and writes under way are already limited. */
const unbounded = { weightMax: Number.POSITIVE_INFINITY, accountWeightMax: Number.POSITIVE_INFINITY };

/** Turns of the event loop over this count as long. They occur under very many requests. */
const longTurnMilliseconds = 8;
/** The part of the excess time that waiting work may take, so that it does not starve. */
const share = 0.5;
/** The most excess time counted for a turn that waited for connections to be accepted. */
const beyondMillisecondsMax = 16;

/**
 * `turnMilliseconds` is the time for work in one turn while turns of the event loop are short. Work that has begun is finished. `now` is in
 * milliseconds.
 */
export function createParseScheduler(turnMilliseconds: number, now: () => number): ParseScheduler {
  const waiting = new FairQueue<Waiting>(unbounded);
  let turnEndsAt = 0; // 0: no work has been done in this turn
  let turnBeganAt = 0;
  let isWaited = false; // whether work is in the queue

  function resume(): void {
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
    // Without waiting work, the time since the last turn does not measure a turn.
    const lastTurnMilliseconds = isWaited ? time - turnBeganAt : 0;
    turnBeganAt = time;
    const beyond = Math.min(lastTurnMilliseconds - longTurnMilliseconds, beyondMillisecondsMax);
    turnEndsAt = time + Math.max(turnMilliseconds, beyond * share);
    nextTurn(resume);
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
