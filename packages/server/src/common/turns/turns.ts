/**
 * Turns of the event loop. The runtime accepts a few connections in each turn (http/connections/listener.ts). If every turn were full of
 * work, the last waiting connection would wait for many turns.
 *
 * Give work for the next turn to `nextTurn` instead of `setImmediate`. While connections arrive, a turn with such work is followed by turns
 * without it, for twice as long.
 */
import { performance } from 'node:perf_hooks';

/** The longest rest, as a multiple of the time of the work before it. */
const restShare = 2;
/** Work longer than this does not lengthen the rest. */
const restMillisecondsMax = 40;

export interface Turns {
  /** Runs `work` in the next turn, or in a later one while connections wait to be accepted. Keeps the order of calls. */
  nextTurn(work: () => void): void;
  /** Call this for each accepted connection. */
  noteConnection(): void;
  /** Whether turns currently run no work, until connections are accepted. */
  rests(): boolean;
  /** The total time of turns without work. */
  restedMilliseconds(): number;
}

/** `now` is in milliseconds. */
export function createTurns(now: () => number): Turns {
  let waiting: (() => void)[] = [];
  let isScheduled = false;
  let hasAccepted = false;
  /** The start of the last work, until its duration is known. */
  let workedAt: number | undefined;
  let restsUntil = 0;
  /** The start of the current rest, if any. */
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
