/** Writes chunks of lines to a file descriptor without waiting for its reader. */

import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { machineTime } from '../common/time/clock.ts';

/** Bytes that may wait for a slow reader. Lines over this limit are dropped and counted. */
const waitingBytesMax = 8 * 1024 * 1024;

export interface LogSink {
  /** Accepts a chunk with this number of lines. */
  add(text: string, lines: number): void;
  /** Writes as much as the reader accepts now. Returns whether nothing is left. */
  flush(): boolean;
  close(): void;
}

interface Chunk {
  bytes: Buffer;
}

/**
 * Returns the sink of a file descriptor. Writes are synchronous, so lines keep their order and none is lost when the process ends: it could
 * not wait for an asynchronous write then.
 */
export function createLogSink(fd: number): LogSink {
  const own = openWithoutWaiting(fd);
  const target = own ?? fd;
  const chunks: Chunk[] = [];
  let waitingBytes = 0;
  let dropped = 0;
  let isGone = false;

  function add(text: string, lines: number): void {
    if (isGone) return;
    const bytes = Buffer.from(text);
    // A single chunk may be larger than the bound, for example the pretty form of an error.
    if (chunks.length > 0 && waitingBytes + bytes.length > waitingBytesMax) dropped += lines;
    else {
      chunks.push({ bytes });
      waitingBytes += bytes.length;
    }
  }

  /** Writes a piece of the first chunk. Returns whether more can be written. */
  function writeSome(chunk: Chunk): boolean {
    try {
      const written = writeSync(target, chunk.bytes);
      waitingBytes -= written;
      if (written === chunk.bytes.length) chunks.shift();
      else chunk.bytes = chunk.bytes.subarray(written);
      return true;
    } catch (error) {
      // The reader has closed the pipe. Other errors are temporary: a slow reader, a full disk.
      if ((error as NodeJS.ErrnoException).code === 'EPIPE') {
        isGone = true;
        chunks.length = 0;
      }
      return false;
    }
  }

  return {
    add,
    flush() {
      for (let chunk = chunks[0]; chunk !== undefined; chunk = chunks[0]) {
        if (!writeSome(chunk)) return isGone;
      }
      if (dropped === 0) return true;
      const count = dropped;
      dropped = 0;
      add(`${JSON.stringify({ level: 'warn', time: new Date(machineTime()), lines: count, msg: droppedMessage })}\n`, 1);
      return this.flush();
    },
    close() {
      if (own !== undefined) closeSync(own);
    },
  };
}

const droppedMessage = 'log lines were dropped, since they could not be written in time';

/**
 * Opens a pipe again, so that a write to it fails when it is full, without changing the pipe for its other writers. Returns undefined for
 * anything that cannot be opened like this: files, terminals, sockets, systems other than Linux.
 */
function openWithoutWaiting(fd: number): number | undefined {
  try {
    if (!fstatSync(fd).isFIFO()) return undefined;
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}
