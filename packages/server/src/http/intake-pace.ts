/**
 * How fast bytes are taken in that are no small requests: one turn of the event loop reads so many of all connections. The runtime
 * would take up to 2 MiB from each socket that has them, one socket after the other, before anything else has its turn.
 */
import type { Readable } from 'node:stream';

/** Reading a mebibyte takes about a millisecond. */
const turnBytesMax = 4 * 1024 * 1024;
/** Streams that go on in one turn after they had to stop; each brings two pieces of 64 KiB at least. */
const resumedMax = 32;

/** There is one event loop, and one of this. */
let turnBytes = 0;
let isTurning = false;
const stopped: Readable[] = [];

/** Has the stream stop after this piece when the turn has had its share. It goes on in one of the next turns. */
export function paceIntake(stream: Readable, bytes: number): void {
  beginTurn();
  turnBytes += bytes;
  if (turnBytes <= turnBytesMax || stream.isPaused()) return;
  stream.pause();
  stopped.push(stream);
}

function beginTurn(): void {
  if (isTurning) return;
  isTurning = true;
  setImmediate(() => {
    isTurning = false;
    turnBytes = 0;
    for (const stream of stopped.splice(0, resumedMax)) stream.resume();
    if (stopped.length > 0) beginTurn();
  });
}
