/** Whether the store can write, asked as often as anybody likes and found out as rarely as will do. */

/** How long an answer is given again: so old is what readiness says at most, and so many writes it costs at most. */
const keptMilliseconds = 250;

/**
 * Returns a function that resolves when the store was found ready within the last quarter of a second, and rejects with what
 * `checkReady` rejected with otherwise. However many ask, one check is under way at a time. `now` is in milliseconds.
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
