/** How many bytes of bodies one turn of the event loop reads. */
import type { IncomingMessage } from 'node:http';
import { nextTurn } from './event-loop.ts';

/**
 * Bytes of bodies that one turn of the event loop reads from all connections. The runtime would read up to 2 MiB from each socket, one
 * after another, before anything else runs. Reading a mebibyte takes about a millisecond.
 */
const intakeBytesMax = 4 * 1024 * 1024;
/** Paused bodies that continue in one turn; each brings a piece of at least 64 KiB. */
const resumedMax = 48;

/** There is one event loop, so there is one counter. */
let intakeBytes = 0;
let isCounting = false;
const stopped: IncomingMessage[] = [];

/** Counts bytes read, and returns whether this turn has room for more. */
export function countBytesRead(bytes: number): boolean {
  beginIntake();
  intakeBytes += bytes;
  return intakeBytes <= intakeBytesMax;
}

/** Pauses a body after this piece if the turn has no room for more. It continues in one of the next turns. */
export function paceIntake(request: IncomingMessage, bytes: number): void {
  if (countBytesRead(bytes) || request.isPaused()) return;
  request.pause();
  stopReading(request);
  stopped.push(request);
}

/**
 * Pauses the socket of a request that is paused or not yet read; otherwise the socket would fill the request's buffer. `continueReading`
 * resumes it.
 */
export function stopReading(request: IncomingMessage): void {
  queueMicrotask(() => {
    if (!request.complete && request.readableFlowing !== true) request.socket.pause();
  });
}

/** Resumes reading from the connection of a request. */
export function continueReading(request: IncomingMessage): void {
  request.socket.resume();
}

function beginIntake(): void {
  if (isCounting) return;
  isCounting = true;
  nextTurn(() => {
    isCounting = false;
    intakeBytes = 0;
    for (const request of stopped.splice(0, resumedMax)) {
      request.resume();
      continueReading(request);
    }
    if (stopped.length > 0) beginIntake();
  });
}
