/** Shares the turns of the event loop between large bodies, and portion reads between streams. */

import type { ServerResponse } from 'node:http';
import { FairQueue, type Owner } from '../../common/threads/fair-queue.ts';
import { nextTurn } from '../../common/turns/turns.ts';

/**
 * Bytes of large bodies that one turn of the event loop reads and hands over. Without a limit, requests that waited for the same record
 * would all be answered in one turn, each with a copy of it. A mebibyte takes about a millisecond to hand over, and a large state two
 * milliseconds to read from the store.
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
 * Returns undefined if this turn has room for this many more bytes of the response. Otherwise returns a promise that resolves in a turn
 * with room, or when the response closes, without using a turn: a waiting response holds its sent and unsent bytes.
 */
export function outgoingTurn(response: ServerResponse, bytes: number): undefined | Promise<void> {
  if (turnBytes === 0 && waiting.length === 0) nextTurn(resume);
  else if (waiting.length > 0 || turnBytes + bytes > turnBytesMax) {
    return new Promise((resolve) => {
      waiting.push({ bytes, response, resolve });
      response.once('close', resolve);
    });
  }
  turnBytes += bytes;
  return undefined;
}

/** Like `outgoingTurn`, for one portion of a list. Its size is unknown until it is read, so each turn reads one portion. */
export const portionTurn = (response: ServerResponse): undefined | Promise<void> => outgoingTurn(response, turnBytesMax);

function resume(): void {
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
  if (begun > 0) nextTurn(resume);
}

/** Concurrent portion reads of all streams, and of one account. */
const portionReadsMax = 8;
const accountPortionReadsMax = 4;
/** Waiting streams hold no portion, and cannot outnumber the connections. */
const waitingToRead = new FairQueue<() => Promise<void>>({
  weightMax: Number.POSITIVE_INFINITY,
  accountWeightMax: Number.POSITIVE_INFINITY,
  accountTakenMax: accountPortionReadsMax,
});
let portionReads = 0;

/**
 * Resolves with the result of `read`, or with undefined if the response closes first. `read` waits while too many reads are under way.
 * Accounts take turns.
 */
export function readInTurn<Result>(
  response: ServerResponse,
  owner: Owner,
  read: () => Promise<Result>,
): Promise<Result | undefined> {
  if (response.destroyed) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const leave = () => resolve(undefined);
    const run = async () => {
      response.off('close', leave);
      if (!response.destroyed) await portionTurn(response);
      if (response.destroyed) leave();
      else await read().then(resolve, reject);
      portionReads--;
      waitingToRead.done(owner.account);
      beginReads();
    };
    response.once('close', leave);
    waitingToRead.offer(owner, run, 1);
    beginReads();
  });
}

function beginReads(): void {
  while (portionReads < portionReadsMax) {
    const run = waitingToRead.take();
    if (run === undefined) return;
    portionReads++;
    void run();
  }
}
