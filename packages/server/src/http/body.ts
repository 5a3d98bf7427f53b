/** Reads request bodies under three bounds: bytes, seconds in all, and bytes per second after a grace. */
import type { IncomingMessage } from 'node:http';
import { Refusal } from '../common/refusal.ts';

/** The client went away before its request was complete; there is nobody to answer. */
export class ClientGone extends Error {
  override name = 'ClientGone';
}

/** After this long a body has to arrive at `bytesPerSecondMin` on average. */
const graceSeconds = 5;
const bytesPerSecondMin = 240;
const inspectionIntervalMilliseconds = 250;

interface Reading {
  readonly startedAt: number;
  bytes: number;
  fail(refusal: Refusal): void;
}

export interface BodyReader {
  /**
   * The whole body. Rejects with `payload_too_large` as soon as the declared or received length exceeds `bytesMax`, with
   * `request_timeout` when it comes too slowly, and with `ClientGone` when the connection breaks.
   */
  read(request: IncomingMessage, bytesMax: number): Promise<Buffer>;
  close(): void;
}

/** `timeoutSeconds` bounds the time from the first look at a body to its last byte. `now` is in milliseconds. */
export function createBodyReader(timeoutSeconds: number, now: () => number): BodyReader {
  const readings = new Set<Reading>();

  // One timer for all bodies: a timer each would cost more than most bodies take to arrive.
  const inspection = setInterval(() => {
    const time = now();
    for (const reading of readings) {
      const seconds = (time - reading.startedAt) / 1000;
      if (seconds > timeoutSeconds) {
        reading.fail(new Refusal('request_timeout', `the body did not arrive within ${timeoutSeconds} s`));
      } else if (seconds > graceSeconds && reading.bytes < bytesPerSecondMin * seconds) {
        reading.fail(new Refusal('request_timeout', `the body arrives at less than ${bytesPerSecondMin} bytes per second`));
      }
    }
  }, inspectionIntervalMilliseconds);
  inspection.unref();

  return {
    read: (request, bytesMax) => readBody(request, bytesMax, readings, now),
    close: () => clearInterval(inspection),
  };
}

function tooLarge(bytesMax: number): Refusal {
  return new Refusal('payload_too_large', `the body exceeds ${bytesMax} bytes`);
}

function readBody(request: IncomingMessage, bytesMax: number, readings: Set<Reading>, now: () => number): Promise<Buffer> {
  const { 'content-length': declared, 'transfer-encoding': coding } = request.headers;
  if (declared === undefined && coding === undefined) return Promise.resolve(Buffer.alloc(0)); // RFC 9112 §6.3
  if (Number(declared ?? 0) > bytesMax) return Promise.reject(tooLarge(bytesMax));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const reading: Reading = { startedAt: now(), bytes: 0, fail: (refusal) => finish(() => reject(refusal)) };
    const finish = (settle: () => void) => {
      readings.delete(reading);
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      settle();
    };
    const onData = (chunk: Buffer) => {
      reading.bytes += chunk.length;
      if (reading.bytes > bytesMax) reading.fail(tooLarge(bytesMax));
      else chunks.push(chunk);
    };
    const onEnd = () =>
      finish(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, reading.bytes)));
    const onClose = () => finish(() => reject(new ClientGone('the connection closed before the body was complete')));
    readings.add(reading);
    request.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

/** What may still be thrown away of a body that was refused, before the connection is cut. */
export const discardBytesMax = 16 * 1024 * 1024;
const discardMillisecondsMax = 3_000;

/**
 * Takes what is left of a refused body off the connection, so that the answer reaches a client that is still sending: closing
 * with unread bytes would reset the connection under the answer. Cuts it when the rest is too large or too slow.
 *
 * @see RFC 9112 §9.6
 */
export function discardBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let bytes = 0;
  const deadline = setTimeout(() => request.socket.destroy(), discardMillisecondsMax);
  deadline.unref();
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > discardBytesMax) request.socket.destroy();
  });
  request.once('close', () => clearTimeout(deadline));
  request.resume();
}
