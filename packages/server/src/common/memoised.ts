/** Promises that are made once and kept, unless they are rejected. */

/**
 * Returns a function that calls `make` on its first call, and keeps the result. Calls that come meanwhile share it. If `make` fails, by a
 * throw or a rejection, the next call tries again.
 */
export function memoised<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined;
  return () => {
    if (made !== undefined) return made;
    const making = make();
    made = making;
    making.catch(() => {
      if (made === making) made = undefined;
    });
    return making;
  };
}
