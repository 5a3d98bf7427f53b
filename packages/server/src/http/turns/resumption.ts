/** Decides when requests that have waited for something continue. */

import { nextTurn } from '../../common/turns/turns.ts';

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

/** Requests that may continue in one turn, whatever they do. Any more wait for a turn. */
const resumedTogether = 16;
const resumeMilliseconds = 6;

/**
 * Returns a function that says when a waiting request may continue, perhaps with hundreds of others that waited for the same result;
 * undefined means now. `now` is in milliseconds.
 */
export function createRequestResumption(
  lifetime: { readonly requestsUnderWay: number },
  now: () => number,
): () => Promise<void> | undefined {
  const resumeInTurn = createResumption(resumeMilliseconds, now);
  return () => (lifetime.requestsUnderWay > resumedTogether ? resumeInTurn() : undefined);
}
