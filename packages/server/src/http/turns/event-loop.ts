/**
 * Shares the turns of the event loop between requests: defers work to the next turn, limits work per turn, and schedules body parsing.
 * `read-turns.ts` limits socket reads.
 */
import { executionAsyncResource } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import { FairQueue, type Owner } from '../../common/threads/fair-queue.ts';

/** The longest rest, as a multiple of the time of the work before it. */
const restShare = 2;
/** Work longer than this does not lengthen the rest. */
const restMillisecondsMax = 40;

/**
 * Turns of the event loop. The runtime accepts a few connections in each turn (see listener.ts). If every turn were full of work, the last
 * waiting connection would wait for many turns.
 *
 * Give work for the next turn to `nextTurn` instead of `setImmediate`. While connections arrive, a turn with such work is followed by turns
 * without it, for twice as long.
 */
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

/** Objects that live as long as the process. */
const kept: object[] = [];

/**
 * Keeps one of the objects that `process.nextTick` creates. If garbage were collected while none is alive, V8 would free their hidden class
 * and create every later one on a slow path, even in optimized code: 5 % of the processor time of a GET.
 */
export function keepTickClassAlive(): void {
  process.nextTick(() => kept.push(executionAsyncResource()));
}

/** Returns a function that runs at most this many pieces of work in one turn of the event loop, and the rest in later turns, in order. */
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

/** Pieces of work that may continue in a turn before their duration is known. */
const resumedPerTurn = 4;

/**
 * Returns a function that decides when waiting work, which may share its result with other work, continues: now (undefined), or in a later
 * turn (a promise), in the order of calls. Each turn spends about `turnMilliseconds` on such work. `now` is in milliseconds.
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

  /** Continues the first, then each next one once the synchronous part of the previous one is done, while time is left. */
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
 * Shares the event loop between requests: parsing gets a limited part of each turn, and the rest waits for the next turn, after timers and
 * other sockets. Otherwise, 64 bodies that arrive together would hold the loop until all are parsed. Accounts take turns, so one account's
 * bodies do not delay another account's.
 */
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
