/**
 * Requests sent before the response to the previous one. They wait for it, since they may depend on its effect. Waiting takes memory, so
 * their number is bounded for each connection, and their bytes for all connections together.
 *
 * @see RFC 9112 §9.3.2
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { storageRetryAfterSeconds } from '@holdfast/contract';
import type { Connection } from './connections.ts';
import { errorReply, tokenErrorReply } from './error-reply.ts';
import { hasTokenErrors } from './message.ts';
import { stopHeads } from './node-internals.ts';
import { refuse } from './parser-errors.ts';

const waitingMax = 64;
const waitingBytesMax = 32 * 1024 * 1024;
/** The bytes that a request takes besides its head and its body. */
const requestBytes = 3_072;
/** Bytes of a body that may have arrived before the parser is stopped: the buffer of a stream, and one piece more. */
const bufferedBytesMax = 2 * 65_536;
/** The same for chunks of one byte: 64 KiB hold 11,000 of them, at 400 bytes each. */
const chunkedBytesMax = 4 * 1024 * 1024;

const tooMany = [
  'service_unavailable',
  `more than ${waitingMax} requests wait on this connection; wait for answers, then repeat the request unchanged`,
  { headers: ['Retry-After', String(storageRetryAfterSeconds)] },
] as const;

export class PipelinedRequests {
  #bytes = 0;

  /**
   * Calls `begin` when it is the turn of the response, unless the connection has closed by then. If one request is too many, it is refused
   * in its turn, and the connection ends with it; later requests are dropped.
   */
  hold(connection: Connection, request: IncomingMessage, response: ServerResponse, begin: () => void): void {
    if (connection.isOver) {
      process.nextTick(() => request.socket.pause());
      return;
    }
    const bytes = bytesOf(request);
    if (connection.waiting >= waitingMax || this.#bytes + bytes > waitingBytesMax) {
      connection.isOver = true;
      stopHeads(request.socket);
      process.nextTick(() => request.socket.pause()); // later bytes are read when they are discarded
      const form = hasTokenErrors(request) ? tokenErrorReply : errorReply;
      response.once('socket', (socket) => refuse(socket, form(...tooMany)));
      return;
    }
    if (request.headers['transfer-encoding'] !== undefined) process.nextTick(() => pauseUnlessComplete(request));
    connection.waiting++;
    connection.waitingBytes += bytes;
    this.#bytes += bytes;
    response.once('socket', ({ writable }) => {
      connection.waiting--;
      connection.waitingBytes -= bytes;
      this.#bytes -= bytes;
      if (writable) begin();
    });
  }

  /** Forgets the waiting requests of a closed connection. */
  forget(connection: Connection): void {
    this.#bytes -= connection.waitingBytes;
    connection.waitingBytes = 0;
    connection.waiting = 0;
  }
}

/** Stops reading a body after the bytes that have arrived. Reading the body resumes the connection. */
function pauseUnlessComplete(request: IncomingMessage): void {
  if (!request.complete) request.socket.pause();
}

function bytesOf({ url = '', rawHeaders, headers }: IncomingMessage): number {
  let bytes = requestBytes + url.length;
  for (const text of rawHeaders) bytes += text.length;
  if (headers['transfer-encoding'] !== undefined) return bytes + chunkedBytesMax;
  return bytes + Math.min(Number(headers['content-length'] ?? 0), bufferedBytesMax);
}
