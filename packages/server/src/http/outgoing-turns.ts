/** How large bodies share the turns of the event loop, and how streams share the reading of their portions. */
import type { ServerResponse } from 'node:http';
import { nextTurn } from './event-loop.ts';

/**
 * Bytes of large bodies that one turn of the event loop reads and hands over. Otherwise, requests that waited for the same record would all
 * be answered in one turn, each with a copy of it. Handing over a mebibyte takes about a millisecond, and reading a large state from the
 * store two.
 */
const turnBytesMax = 2 * 1024 * 1024;

interface Waiting {
  readonly bytes: number;
  readonly response: ServerResponse;
  readonly resolve: () => void;
}

/** There is one event loop, so there is one queue. */
const waiting: Waiting[] = [];
let turnBytes = 0;

/**
 * Returns undefined if this turn has room for this many more bytes of the response, otherwise a promise of a turn that has, or of the close
 * of the response, which takes no turn: a waiting response holds what it has sent and will send.
 */
export function outgoingTurn(response: ServerResponse, bytes: number): undefined | Promise<void> {
  if (turnBytes === 0 && waiting.length === 0) nextTurn(goOn);
  else if (waiting.length > 0 || turnBytes + bytes > turnBytesMax) {
    return new Promise((resolve) => {
      waiting.push({ bytes, response, resolve });
      response.once('close', resolve);
    });
  }
  turnBytes += bytes;
  return undefined;
}

/** The same for a portion of a list. Its size is unknown until it is read, so each turn reads one. */
export const portionTurn = (response: ServerResponse): undefined | Promise<void> => outgoingTurn(response, turnBytesMax);

function goOn(): void {
  turnBytes = 0;
  let begun = 0;
  for (const { bytes, response, resolve } of waiting) {
    const taken = response.destroyed ? 0 : bytes;
    if (turnBytes > 0 && turnBytes + taken > turnBytesMax) break;
    turnBytes += taken;
    begun++;
    response.off('close', resolve);
    resolve();
  }
  waiting.splice(0, begun);
  if (begun > 0) nextTurn(goOn);
}

/** Portions that streams read at one time. */
const portionReadsMax = 8;
let portionReads = 0;
const waitingToRead = new Set<() => void>();

/** Resolves with what `read` of a response returns once few others read, and with undefined once the response has closed. */
export async function readInTurn<Result>(
  response: ServerResponse,
  read: () => Promise<Result>,
): Promise<Result | undefined> {
  if (portionReads < portionReadsMax) portionReads++;
  else if (!(await placeToRead(response))) return undefined;
  try {
    await portionTurn(response);
    return response.destroyed ? undefined : await read();
  } finally {
    const [next] = waitingToRead;
    if (next === undefined) portionReads--;
    else next(); // it takes over this slot
  }
}

/** Resolves with whether the response got a slot: false if it closes first. */
function placeToRead(response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const take = () => settle(true);
    const leave = () => settle(false);
    const settle = (hasPlace: boolean) => {
      waitingToRead.delete(take);
      response.off('close', leave);
      resolve(hasPlace);
    };
    waitingToRead.add(take);
    response.once('close', leave);
  });
}
