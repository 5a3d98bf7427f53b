/** Limits the body bytes that one turn of the event loop reads. */

import type { IncomingMessage } from 'node:http';
import { nextTurn } from '../../common/turns/turns.ts';

/**
 * Body bytes that one turn of the event loop reads from all connections. Without a limit, the runtime would read up to 2 MiB from each
 * socket in sequence before anything else runs. Reading a mebibyte takes about a millisecond.
 */
const intakeBytesMax = 4 * 1024 * 1024;
/** Paused bodies that resume in one turn, with at least 64 KiB each. */
const resumedMax = 48;

/** There is one event loop, so there is one counter. */
let intakeBytes = 0;
let isCounting = false;
const stopped: IncomingMessage[] = [];

/** Counts bytes read. Returns whether this turn has room for more. */
export function countBytesRead(bytes: number): boolean {
  beginIntake();
  intakeBytes += bytes;
  return intakeBytes <= intakeBytesMax;
}

/** Pauses a body after this piece if the turn has no room for more. It resumes in a later turn. */
export function paceIntake(request: IncomingMessage, bytes: number): void {
  if (countBytesRead(bytes) || request.isPaused()) return;
  request.pause();
  stopReading(request);
  stopped.push(request);
}

/**
 * Pauses the socket of a request that is paused or not yet read, so that the request's buffer does not fill. `continueReading` resumes it.
 */
export function stopReading(request: IncomingMessage): void {
  queueMicrotask(() => {
    if (!request.complete && request.readableFlowing !== true) request.socket.pause();
  });
}

/** Resumes reading from a request's connection. */
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
