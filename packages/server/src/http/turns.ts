/**
 * Shares the event loop between requests: what parsing bodies takes of one turn is bounded, and what is left over waits for
 * the next, after timers and other sockets have had theirs. Without it, sixty-four bodies that arrive together would hold
 * the loop for as long as all of them take.
 */
export interface Turns {
  /** Runs `work` now if this turn has time left, else in one of the next; in the order of calls. Rejects with its error. */
  run<Result>(work: () => Result): Result | Promise<Result>;
}

/** `turnMilliseconds` is how long a turn may take; a piece of work that was begun is finished. `now` is in milliseconds. */
export function createTurns(turnMilliseconds: number, now: () => number): Turns {
  const waiting: (() => void)[] = [];
  let turnEndsAt = 0; // 0: no work has been done in this turn

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
    turnEndsAt = now() + turnMilliseconds;
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
