/** Whether the store can write. Many calls share few checks. */

/** How long a result is reused: readiness is at most this old, and at most one write is made per period. */
const keptMilliseconds = 250;

/**
 * Returns a function that resolves if the store was found ready within the last 250 ms, and otherwise rejects with the error of
 * `checkReady`. Only one check runs at a time. `now` is in milliseconds.
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
