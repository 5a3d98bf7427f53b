/** Writes a reply as a head and a body. */

import type { ServerResponse } from 'node:http';
import { takesChunks } from '../node/node-internals.ts';
import type { BodyParts, BodyStream, OpenEndedBody, Reply } from './reply.ts';
import { cancelStream, pieceBytes, type Receiver, sendLarge, sendStream } from './unread-responses.ts';

/** The headers of every response: name, value, name, value. @see docs/contract.md §2.1 */
export const firstHeaders = (requestId: string): readonly string[] => ['API-Version', '1', 'X-Request-Id', requestId];

/** Values that the transport adds to a reply. */
export interface Envelope {
  readonly requestId: string;
  /** Headers in addition to the reply's: name, value, name, value … */
  readonly further: readonly string[];
  /** Whether the connection ends with this response. */
  readonly isLast: boolean;
}

/**
 * Writes the reply in its envelope. `receiver` is called only if the body may have to wait for its client. Resolves when a body of several
 * pieces has been handed over completely. If the body's source fails, cuts the connection, since the failure can no longer be sent, then
 * rejects.
 */
export function send(
  response: ServerResponse,
  reply: Reply,
  envelope: Envelope,
  receiver: () => Receiver,
): undefined | Promise<void> {
  const { status, headers, body } = reply;
  const { requestId, further, isLast } = envelope;
  const head: Head = { status, headers: [...firstHeaders(requestId), ...headers, ...further], isLast };
  if (isStream(body)) {
    putStreamHead(response, head);
    if ('begin' in body) return begin(response, body);
    if (response.req.method !== 'HEAD') return sendStream(response, body, receiver());
    response.end();
    return cancelStream(body);
  }
  putHead(response, head);
  if (body === undefined || response.req.method === 'HEAD') {
    response.end();
    return undefined;
  }
  if (typeof body === 'string') {
    response.end(body, 'latin1');
    if (response.writableLength > 0) receiver().watch(body.length);
    return undefined;
  }
  return sendParts(response, body instanceof Uint8Array ? [body] : body, receiver);
}

/** Hands the response over to its body's source. */
function begin(response: ServerResponse, body: OpenEndedBody): undefined {
  if (response.req.method !== 'HEAD' && !response.destroyed) return void body.begin(response);
  response.end();
  body.cancel();
}

const isStream = (body: Reply['body']): body is BodyStream | OpenEndedBody =>
  typeof body === 'object' && !(body instanceof Uint8Array) && !Array.isArray(body);

function sendParts(response: ServerResponse, parts: BodyParts, receiver: () => Receiver): undefined | Promise<void> {
  const bytes = parts.reduce((sum, part) => sum + (typeof part === 'string' ? 2 : 1) * part.length, 0);
  if (bytes > pieceBytes) {
    return sendLarge(response, parts, bytes, receiver().watch);
  }
  response.cork(); // sends the parts in one write
  for (const part of parts) response.write(part);
  response.end();
  if (response.writableLength > 0) receiver().watch(bytes);
  return undefined;
}

/** The contents of a response's head. */
export interface Head {
  readonly status: number;
  /** All headers except the date and connection headers: name, value, name, value … */
  readonly headers: readonly string[];
  /** Whether the connection ends with this response. */
  readonly isLast: boolean;
}

/**
 * Sets the response's head once, before anything is written. The headers must give the body's length. The connection ends with the last
 * response, or if the client asked for that. Throws for a value that would break out of its line.
 */
export function putHead(response: ServerResponse, { status, headers, isLast }: Head): void {
  // The runtime only reads them.
  response.writeHead(status, isLast ? [...headers, 'Connection', 'close'] : (headers as string[]));
}

/** Sets the head of a response of unknown length. The body is sent in chunks, or, for HTTP/1.0 clients, until the connection ends. */
export function putStreamHead(response: ServerResponse, { status, headers, isLast }: Head): void {
  const hasChunks = takesChunks(response);
  const framed = hasChunks ? [...headers, 'Transfer-Encoding', 'chunked'] : headers;
  putHead(response, { status, headers: framed, isLast: isLast || !hasChunks });
}
