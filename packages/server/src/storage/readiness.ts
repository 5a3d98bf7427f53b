/** Whether the store can write: any number of questions cause few checks. */

/** How long the result of a check is kept: readiness is at most this old, and one write is made in this time at most. */
const keptMilliseconds = 250;

/**
 * Returns a function that resolves when the store was found ready within the last quarter of a second, and otherwise rejects
 * with the error of `checkReady`. Only one check is under way at a time. `now` is in milliseconds.
 */
export function createReadiness(checkReady: () => Promise<void>, now: () => number): () => Promise<void> {
  let answer: Promise<void> | undefined;
  let keptUntil = Number.POSITIVE_INFINITY;

  return () => {
    if (answer === undefined || now() >= keptUntil) {
      keptUntil = Number.POSITIVE_INFINITY; // while the check is under way
      const settled = () => {
        keptUntil = now() + keptMilliseconds;
      };
      answer = checkReady();
      answer.then(settled, settled);
    }
    return answer;
  };
}
