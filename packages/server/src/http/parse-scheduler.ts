/**
 * Shares the event loop between requests: parsing bodies takes a bounded part of one turn of the loop, and what is left over
 * waits for the next turn, after timers and other sockets. Without it, sixty-four bodies that arrive together would hold the
 * loop for as long as all of them take.
 */
export interface ParseScheduler {
  /** Runs `work` now if this turn has time left, else in one of the next; in the order of calls. Rejects with its error. */
  run<Result>(work: () => Result): Result | Promise<Result>;
}

/** Turns of the event loop beyond this are long: very many requests make them so. */
const longTurnMilliseconds = 8;
/** What work may take of the time beyond, while any is waiting, so that it does not starve. */
const share = 0.5;

/**
 * `turnMilliseconds` is how long a turn may take, as long as the event loop turns quickly. A piece of work that was begun is
 * finished. `now` is in milliseconds.
 */
export function createParseScheduler(turnMilliseconds: number, now: () => number): ParseScheduler {
  const waiting: (() => void)[] = [];
  let turnEndsAt = 0; // 0: no work has been done in this turn
  let turnBeganAt = 0;

  function nextTurn(): void {
    turnEndsAt = 0;
    if (waiting.length === 0) return;
    beginTurn();
    let done = 0;
    do waiting[done++]?.();
    while (done < waiting.length && now() < turnEndsAt);
    waiting.splice(0, done);
  }

  function beginTurn(): void {
    const time = now();
    // With nobody waiting, the time since the last turn was no turn.
    const lastTurnMilliseconds = waiting.length > 0 ? time - turnBeganAt : 0;
    turnBeganAt = time;
    turnEndsAt = time + Math.max(turnMilliseconds, (lastTurnMilliseconds - longTurnMilliseconds) * share);
    setImmediate(nextTurn);
  }

  return {
    run(work) {
      if (turnEndsAt === 0) beginTurn();
      else if (waiting.length > 0 || now() >= turnEndsAt) {
        return new Promise((resolve, reject) => {
          waiting.push(() => {
            try {
              resolve(work());
            } catch (error) {
              reject(error);
            }
          });
        });
      }
      return work();
    },
  };
}
