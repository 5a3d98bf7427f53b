/**
 * How the work of all requests shares the turns of the event loop: work for the next turn, a bound on pieces of work in a turn, and the
 * parsing of bodies. `read-turns.ts` shares the reading of sockets.
 */
import { performance } from 'node:perf_hooks';
import { FairQueue, type Owner } from '../common/fair-queue.ts';

/** How much longer than the work before it a rest may last. */
const restShare = 2;
/** Longer work causes no longer rest than this. */
const restMillisecondsMax = 40;

/**
 * Turns of the event loop. The runtime accepts a few connections in each, see listener.ts. While connections wait to be accepted, turns
 * full of work would make the last of them wait for many turns.
 *
 * Work for the next turn is given to `nextTurn` instead of `setImmediate`. After a turn with such work, while connections come, there are
 * turns without it, for twice as long.
 */
export interface Turns {
  /** Runs `work` in the next turn, or in a later one while connections wait to be accepted. In the order of calls. */
  nextTurn(work: () => void): void;
  /** Call this for each accepted connection. */
  noteConnection(): void;
  /** Whether turns currently have no work, until connections are accepted. */
  rests(): boolean;
  /** The total time of turns without work. */
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
  /** When the current rest began, if there is one. */
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

/** Returns a function that runs this many pieces of work in one turn of the event loop, and the others in the next turns, in order. */
export function createTurnBound(turnMax: number): (work: () => void) => void {
  const waiting: (() => void)[] = [];
  let begun = 0;

  function resume(): void {
    const works = waiting.splice(0, turnMax);
    begun = works.length;
    if (begun > 0) nextTurn(resume);
    for (const work of works) work();
  }

  return (work) => {
    if (begun === turnMax || waiting.length > 0) {
      waiting.push(work);
      return;
    }
    if (begun++ === 0) nextTurn(resume);
    work();
  };
}

/** How many pieces of work may continue in a turn before their duration is known. */
const resumedPerTurn = 4;

/**
 * Returns a function that decides when waiting work may continue, perhaps with other work that waited for the same result: undefined for
 * now, or a promise of one of the next turns, in the order of calls. In one turn such work takes about `turnMilliseconds`. `now` is in
 * milliseconds.
 */
export function createResumption(turnMilliseconds: number, now: () => number): () => Promise<void> | undefined {
  const waiting: (() => void)[] = [];
  let resumed = 0;
  let turnEndsAt = 0;

  function beginTurn(): void {
    const mayResume = waiting.length > 0;
    resumed = mayResume ? resumedPerTurn : 0;
    if (!mayResume) return;
    turnEndsAt = now() + turnMilliseconds;
    nextTurn(beginTurn);
    release();
  }

  /** Lets the first continue, and the next once the synchronous part of the first is done, if there is time left. */
  function release(): void {
    waiting.shift()?.();
    if (waiting.length > 0) queueMicrotask(() => process.nextTick(releaseNext));
  }

  function releaseNext(): void {
    if (now() < turnEndsAt) release();
  }

  return () => {
    if (resumed === 0) nextTurn(beginTurn);
    if (resumed++ < resumedPerTurn) return undefined;
    return new Promise((resolve) => waiting.push(resolve));
  };
}

/**
 * Shares the event loop between requests: parsing bodies takes a bounded part of one turn of the loop, and the rest waits for the next
 * turn, after timers and other sockets. Without this, sixty-four bodies that arrive together would hold the loop until all of them are
 * parsed. Accounts take turns, so the bodies of one do not delay those of another.
 */
export interface ParseScheduler {
  /**
   * Runs `work` now if this turn has time left, otherwise in one of the next turns; the work of one owner in the order of calls. Rejects
   * with its error. `owner` is called if the work must wait.
   */
  run<Result>(owner: () => Owner, work: () => Result): Result | Promise<Result>;
}

interface Waiting {
  readonly account: string;
  run(): void;
}

/** The queue needs no bound: other bounds hold for bodies in memory and writes under way. */
const unbounded = { weightMax: Number.POSITIVE_INFINITY, accountWeightMax: Number.POSITIVE_INFINITY };

/** Turns of the event loop over this count as long. Very many requests cause them. */
const longTurnMilliseconds = 8;
/** The part of the time over that which waiting work may take, so that it does not starve. */
const share = 0.5;
/** A turn that waited until connections were accepted counts as no longer than this. */
const beyondMillisecondsMax = 16;

/**
 * `turnMilliseconds` is how long work may take in one turn while turns of the event loop are short. Work that has begun is finished. `now`
 * is in milliseconds.
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
    // Without waiting work, the time since the last turn was not a turn.
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
