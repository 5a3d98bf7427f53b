/**
 * Shares each turn of the event loop between large bodies: one turn reads and hands over so many bytes of all of them. Requests that
 * waited for the same thing would else be answered in one turn, each with a copy of it.
 */

/** Handing over a mebibyte takes about a millisecond, and reading a large state from the store two. */
const turnBytesMax = 2 * 1024 * 1024;

interface Waiting {
  readonly bytes: number;
  readonly resolve: () => void;
}

/** There is one event loop, and one of this. */
const waiting: Waiting[] = [];
let turnBytes = 0;

/** Returns undefined when this turn has room for so many bytes more, else a promise of a turn that has. */
export function outgoingTurn(bytes: number): undefined | Promise<void> {
  if (turnBytes === 0 && waiting.length === 0) setImmediate(nextTurn);
  else if (waiting.length > 0 || turnBytes + bytes > turnBytesMax) {
    return new Promise((resolve) => waiting.push({ bytes, resolve }));
  }
  turnBytes += bytes;
  return undefined;
}

/** The same for a portion of a list, whose size nobody knows before it is read: one is read in a turn. */
export const portionTurn = (): undefined | Promise<void> => outgoingTurn(turnBytesMax);

function nextTurn(): void {
  turnBytes = 0;
  let begun = 0;
  for (const { bytes, resolve } of waiting) {
    if (turnBytes > 0 && turnBytes + bytes > turnBytesMax) break;
    turnBytes += bytes;
    begun++;
    resolve();
  }
  waiting.splice(0, begun);
  if (begun > 0) setImmediate(nextTurn);
}
