/** Whether the store can write. Any number of calls cause few checks. */

/** How long a result is kept: readiness is at most this old, and at most one write is made in this time. */
const keptMilliseconds = 250;

/**
 * Returns a function that resolves if the store was found ready within the last quarter of a second, and otherwise rejects with the error
 * of `checkReady`. Only one check runs at a time. `now` is in milliseconds.
 */
export function createReadiness(checkReady: () => Promise<void>, now: () => number): () => Promise<void> {
  let answer: Promise<void> | undefined;
  let keptUntil = Number.POSITIVE_INFINITY;

  return () => {
    if (answer === undefined || now() >= keptUntil) {
      keptUntil = Number.POSITIVE_INFINITY; // while the check runs
      const settled = () => {
        keptUntil = now() + keptMilliseconds;
      };
      answer = checkReady();
      answer.then(settled, settled);
    }
    return answer;
  };
}
