/**
 * Requests sent before the previous response. Each waits for that response, since it may depend on the effect. Waiting takes memory, so
 * their number is limited per connection, and their bytes over all connections.
 *
 * @see RFC 9112 §9.3.2
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { storageRetryAfterSeconds } from '@holdfast/contract';
import { hasTokenErrors } from '../node/message.ts';
import { stopHeads } from '../node/node-internals.ts';
import { errorReply, tokenErrorReply } from '../replies/error-reply.ts';
import type { Connection } from './connections.ts';
import { refuse } from './parser-errors.ts';

const waitingMax = 64;
const waitingBytesMax = 32 * 1024 * 1024;
/** The bytes that a request takes in addition to its head and body. */
const requestBytes = 3_072;
/** Bytes of a body that may have arrived before the parser is stopped: a stream's buffer, and one more piece. */
const bufferedBytesMax = 2 * 65_536;
/** The same limit for one-byte chunks: 64 KiB hold 11,000 of them, at 400 bytes each. */
const chunkedBytesMax = 4 * 1024 * 1024;

const tooMany = [
  'service_unavailable',
  `more than ${waitingMax} requests wait on this connection; wait for answers, then repeat the request unchanged`,
  { headers: ['Retry-After', String(storageRetryAfterSeconds)] },
] as const;

export class PipelinedRequests {
  #bytes = 0;

  /**
   * Calls `begin` when it is the response's turn, unless the connection has closed. A request over the limit is refused in its turn, and
   * the connection ends with that response; later requests are dropped.
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
      process.nextTick(() => request.socket.pause()); // until later bytes are read and discarded
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

  /** Forgets a closed connection's waiting requests. */
  forget(connection: Connection): void {
    this.#bytes -= connection.waitingBytes;
    connection.waitingBytes = 0;
    connection.waiting = 0;
  }
}

/** Pauses a body that has not arrived completely. Reading the body resumes the connection. */
function pauseUnlessComplete(request: IncomingMessage): void {
  if (!request.complete) request.socket.pause();
}

function bytesOf({ url = '', rawHeaders, headers }: IncomingMessage): number {
  let bytes = requestBytes + url.length;
  for (const text of rawHeaders) bytes += text.length;
  if (headers['transfer-encoding'] !== undefined) return bytes + chunkedBytesMax;
  return bytes + Math.min(Number(headers['content-length'] ?? 0), bufferedBytesMax);
}
