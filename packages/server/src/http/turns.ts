/**
 * Turns of the event loop. The runtime accepts one connection in each. So while connections wait to be accepted, turns that are full of
 * work would make the last of them wait for as many turns as there are connections before it.
 *
 * Work for the next turn is given to `nextTurn` in place of `setImmediate`. After a turn with such work, while connections come, there are
 * turns without it, for twice as long.
 */

/** How much longer than the work before it the time without work may be. */
const restShare = 2;
/** Work that took longer does not delay what comes after it for longer. */
const restMillisecondsMax = 40;

export interface Turns {
  /** Runs `work` in the next turn, or in a later one while connections wait to be accepted. In the order of calls. */
  nextTurn(work: () => void): void;
  /** To be called for each connection that is accepted. */
  noteConnection(): void;
  /** Whether turns have no work now, until connections are accepted. */
  rests(): boolean;
  /** The time that turns without work have taken, in all. */
  restedMilliseconds(): number;
}

/** `now` is in milliseconds. */
export function createTurns(now: () => number): Turns {
  let waiting: (() => void)[] = [];
  let isScheduled = false;
  let hasAccepted = false;
  /** When the last work began, until its duration is known. */
  let workedAt: number | undefined;
  let restsUntil = 0;
  /** When turns without work began, while there are such. */
  let restsSince: number | undefined;
  let restedMilliseconds = 0;

  function turn(): void {
    const time = now();
    if (workedAt !== undefined) {
      restsUntil = time + Math.min(restMillisecondsMax, restShare * (time - workedAt));
      workedAt = undefined;
    }
    const rests = hasAccepted && time < restsUntil;
    hasAccepted = false;
    if (rests) restsSince ??= time;
    else {
      if (restsSince !== undefined) restedMilliseconds += time - restsSince;
      restsSince = undefined;
      workedAt = time;
      const works = waiting;
      waiting = [];
      for (const work of works) work();
    }
    isScheduled = waiting.length > 0;
    if (isScheduled) setImmediate(turn);
  }

  return {
    nextTurn(work) {
      waiting.push(work);
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(turn);
    },
    noteConnection() {
      hasAccepted = true;
    },
    rests: () => restsSince !== undefined,
    restedMilliseconds: () => restedMilliseconds,
  };
}

/** There is one event loop. */
export const loopTurns: Turns = createTurns(() => performance.now());
export const { nextTurn, noteConnection } = loopTurns;
