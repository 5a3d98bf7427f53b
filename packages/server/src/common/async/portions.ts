/** Long lists in portions that are read one after another. */

/**
 * Portions from a function that returns the next one, and undefined at the end. A generator would hold each portion until the next has been
 * read, which may wait for hundreds of other reads.
 */
export function portionsBy<Portion extends object>(
  next: () => Promise<Portion | undefined>,
): AsyncIterableIterator<Portion, undefined> {
  return {
    async next(): Promise<IteratorResult<Portion, undefined>> {
      const value: Portion | undefined = await next();
      return value === undefined ? { done: true, value } : { done: false, value };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
