/**
 * Answers malformed requests and connections over the limits in the same form as all other requests. The runtime's own responses lack
 * `API-Version`.
 */

import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { ErrorCode } from '@holdfast/contract';
import { machineTime } from '../../common/time/clock.ts';
import { createTurnBound } from '../../common/turns/turn-bound.ts';
import { discardBytesMax } from '../bodies/body.ts';
import { giveBack } from '../bodies/body-buffer.ts';
import { hasTokenErrors } from '../node/message.ts';
import { STATUS_CODES, takeFromParser } from '../node/node-internals.ts';
import { errorReply, tokenErrorReply } from '../replies/error-reply.ts';
import type { Reply } from '../replies/reply.ts';
import { firstHeaders } from '../replies/send.ts';
import { noteRead } from '../turns/read-turns.ts';
import type { Connection } from './connections.ts';

/** The largest total size of the request line and headers. */
export const headerBytesMax = 16_384;
/** The time in which the request line and headers must arrive. */
export const headersTimeoutMilliseconds = 15_000;
/** The least time that a refused client has for reading the response. Some get longer, so that not all are cut in one turn. */
const refusalMilliseconds = 2_000;
const refusalsApart = 64;
let refusals = 0;
/** Answers per turn of the event loop: each takes up to 50 µs, and thousands of clients may hang up at one moment. */
const inTurn = createTurnBound(64);

/** The responses to errors of the parser and its timers. All other errors are malformed requests. */
const meanings: Readonly<Record<string, { code: ErrorCode; message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    code: 'headers_too_large',
    message: `the request line and headers exceed ${headerBytesMax} bytes`,
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { code: 'payload_too_large', message: 'the chunk extensions of the body are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'request_timeout',
    message: `the request headers did not arrive within ${headersTimeoutMilliseconds / 1000} s`,
  },
};

/** The content of the response, in either form. */
type Fault = Parameters<typeof errorReply>;

const allMethods = { headers: ['Allow', 'GET, HEAD, PUT, PATCH, POST, DELETE, OPTIONS'] };
const noProxy: Fault = ['method_not_allowed', 'this service is not a proxy', allMethods];
const unknownMethod: Fault = ['method_not_allowed', 'the request has a method that no path takes', allMethods];

/** A parser error, with the fields that the parser adds. */
interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

const requestLine = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ [\x21-\x7e]+ HTTP\/1\.[01]\r?$/;
const requestLineBytesMax = 4_096;

/**
 * Whether the parser stopped at a well-formed request line, so that only its method is unknown. Other bytes, such as a TLS handshake, are
 * malformed. @see RFC 9110 §9.1
 */
function hasUnknownMethod({ code, rawPacket, bytesParsed = 0 }: ParserError): boolean {
  if (code !== 'HPE_INVALID_METHOD' || rawPacket === undefined) return false;
  const begin = bytesParsed === 0 ? 0 : rawPacket.lastIndexOf(10, bytesParsed - 1) + 1;
  const end = rawPacket.indexOf(10, begin);
  if (end < 0 || end - begin > requestLineBytesMax) return false;
  return requestLine.test(rawPacket.toString('latin1', begin, end));
}

/** The response to an error of the parser or its timers. */
function faultOf(error: ParserError): Fault {
  if (hasUnknownMethod(error)) return unknownMethod;
  const meaning = meanings[error.code ?? ''];
  if (meaning !== undefined) return [meaning.code, meaning.message];
  return ['validation_error', 'the request is not well-formed HTTP/1.1'];
}

export interface MalformedReplies {
  /** Responds to an error of the parser or its timers. */
  onError(error: NodeJS.ErrnoException, socket: Socket): void;
  /** Refuses a `CONNECT`. */
  refuseConnect(socket: Socket): void;
}

/** `connectionOf` returns a socket's connection. */
export function createMalformedReplies(connectionOf: (socket: Socket) => Connection | undefined): MalformedReplies {
  const refused = new WeakSet<Socket>();

  function onError(error: ParserError, socket: Socket): void {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const connection = connectionOf(socket);
    socket.pause(); // until later bytes are read and discarded
    if (connection?.isOver || refused.has(socket)) return;
    refused.add(socket);
    inTurn(() => refuseInTurn(socket, connection, faultOf(error)));
  }

  return { onError, refuseConnect: (socket) => refuseInTurn(socket, connectionOf(socket), noProxy) };
}

/**
 * Refuses once the connection's earlier requests are answered, since responses keep the order of requests. If the response to the broken
 * request itself has begun, the connection can only be ended.
 */
function refuseInTurn(socket: Socket, connection: Connection | undefined, fault: Fault): void {
  const current = connection?.current;
  const isOpen = current !== undefined && !current.destroyed;
  if (isOpen && current.req.complete) current.once('close', () => refuseInTurn(socket, connection, fault));
  else if ((isOpen && current.headersSent) || !socket.writable) socket.destroy();
  else if (!isOpen && current?.req.complete === false) socket.end(() => socket.destroy());
  else refuse(socket, (isOpen && hasTokenErrors(current.req) ? tokenErrorReply : errorReply)(...fault));
}

/**
 * Answers on the bare socket and ends the connection. Bytes that still arrive are read and discarded for a while: closing with unread bytes
 * would reset the connection before the client has the response.
 *
 * @see RFC 9112 §9.6
 */
export function refuse(socket: Socket, reply: Reply): void {
  let bytes = 0;
  socket.on('end', () => socket.destroy());
  takeFromParser(socket, (piece) => {
    bytes += piece.length;
    noteRead();
    if (bytes > discardBytesMax) socket.destroy();
    giveBack(piece);
  });
  socket.end(wireForm(reply), 'latin1');
  setTimeout(() => socket.destroy(), refusalMilliseconds + 10 * (refusals++ % refusalsApart)).unref();
}

/** A reply as sent, with `Connection: close`. The service makes its headers, so they need no check. */
function wireForm({ status, headers, body }: Reply): string {
  const fields = [
    ...firstHeaders(randomUUID()),
    ...headers,
    'Date',
    new Date(machineTime()).toUTCString(),
    'Connection',
    'close',
  ];
  const lines = fields.map((field, index) => field + (index % 2 === 0 ? ': ' : '\r\n'));
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
