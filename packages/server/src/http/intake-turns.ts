/**
 * How fast bytes are taken in that are no small requests: one turn of the event loop reads so many of all connections. The runtime
 * would take up to 2 MiB from each socket that has them, one socket after the other, before anything else has its turn.
 */
import type { IncomingMessage } from 'node:http';

/** Reading a mebibyte takes about a millisecond. */
const turnBytesMax = 4 * 1024 * 1024;
/** Bodies that go on in one turn after they had to stop; each brings a piece of 64 KiB at least. */
const resumedMax = 48;

/** There is one event loop, and one of this. */
let turnBytes = 0;
let isTurning = false;
const stopped: IncomingMessage[] = [];

/** Counts bytes that came, and returns whether this turn has room for more. */
export function takeIn(bytes: number): boolean {
  beginTurn();
  turnBytes += bytes;
  return turnBytes <= turnBytesMax;
}

/** Has a body stop after this piece when the turn has no room for more. It goes on in one of the next turns. */
export function paceIntake(request: IncomingMessage, bytes: number): void {
  if (takeIn(bytes) || request.isPaused()) return;
  request.pause();
  stopReading(request);
  stopped.push(request);
}

/**
 * Has the socket of a request stop that is paused or not read yet, which would else fill the buffer of the request. The request asks
 * for more of itself before that happens, and not again: the socket goes on when `goOnReading` is called.
 */
export function stopReading(request: IncomingMessage): void {
  queueMicrotask(() => {
    if (!request.complete && request.readableFlowing !== true) request.socket.pause();
  });
}

export function goOnReading(request: IncomingMessage): void {
  request.socket.resume();
}

function beginTurn(): void {
  if (isTurning) return;
  isTurning = true;
  setImmediate(() => {
    isTurning = false;
    turnBytes = 0;
    for (const request of stopped.splice(0, resumedMax)) {
      request.resume();
      goOnReading(request);
    }
    if (stopped.length > 0) beginTurn();
  });
}
