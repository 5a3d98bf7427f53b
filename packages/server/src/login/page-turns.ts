/**
 * Spreads login pages over turns of the event loop. A page takes about a millisecond, so hundreds of simultaneous requests would block the
 * loop until all pages are made.
 */
export interface PageTurns {
  /** Returns undefined if a page may continue now, otherwise a promise that resolves in a later turn, in the order of calls. */
  next(): Promise<void> | undefined;
}

/** `pagesPerTurn` continue in one turn of the loop. */
export function createPageTurns(pagesPerTurn: number): PageTurns {
  const waiting: (() => void)[] = [];
  let goingOn = 0;

  function beginTurn(): void {
    const begun = waiting.splice(0, pagesPerTurn);
    goingOn = begun.length;
    for (const resume of begun) resume();
    if (goingOn > 0) setImmediate(beginTurn);
  }

  return {
    next() {
      if (goingOn < pagesPerTurn && waiting.length === 0) {
        if (goingOn++ === 0) setImmediate(beginTurn);
        return undefined;
      }
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
}
