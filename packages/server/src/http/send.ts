/** Puts a reply on the wire, with what every answer carries. */
import type { ServerResponse } from 'node:http';
import { type Head, type HeaderLines, headerLines, putHead, putStreamHead } from './head.ts';
import type { BodyParts, BodyStream, Reply } from './reply.ts';

/** What every answer carries that leaves the process. @see docs/contract.md §2.1 */
export const firstLines = (requestId: string): HeaderLines => `API-Version: 1\r\nX-Request-Id: ${requestId}\r\n`;

/**
 * How long a client may take for a body: half a minute, and for large ones as long as 2,400 bytes per second take. One that
 * reads slower, or not at all, would keep what it asked for in memory.
 */
const takingMilliseconds = (bytes: number): number => 30_000 + bytes / 2.4;

/** Bodies up to this size fit into the buffers of the connection, and are gone from here whatever the client does. */
const bufferedBytesMax = 65_536;

/** What the transport adds to a reply. */
export interface Envelope {
  readonly requestId: string;
  /** Headers beside those of the reply: name, value, name, value … */
  readonly further: readonly string[];
  /** Whether the connection ends with this answer. */
  readonly isLast: boolean;
}

/**
 * Writes the reply in its envelope. Resolves when a streamed body has been handed over completely; rejects when its source
 * fails, after the connection has been cut, since a cut is the only way left to say so.
 */
export function send(response: ServerResponse, reply: Reply, envelope: Envelope): undefined | Promise<void> {
  const { status, headers, body } = reply;
  const { requestId, further, isLast } = envelope;
  const lines = firstLines(requestId) + headerLines(headers) + headerLines(further);
  if (isStream(body)) return sendStream(response, { status, lines, isLast }, body);
  putHead(response, { status, lines, isLast });
  if (body === undefined || response.req.method === 'HEAD') response.end();
  else if (typeof body === 'string') response.end(body, 'latin1');
  else sendParts(response, body instanceof Uint8Array ? [body] : body);
  return undefined;
}

const isStream = (body: Reply['body']): body is BodyStream =>
  typeof body === 'object' && !(body instanceof Uint8Array) && !Array.isArray(body);

function sendParts(response: ServerResponse, parts: BodyParts): void {
  let bytes = 0;
  response.cork(); // so that the parts leave together
  for (const part of parts) {
    response.write(part);
    bytes += part.length;
  }
  response.end();
  if (bytes <= bufferedBytesMax || response.writableFinished) return;
  const deadline = setTimeout(() => response.destroy(), takingMilliseconds(bytes));
  response.once('close', () => clearTimeout(deadline));
}

/** Hands over one piece at a time, and takes the next from the source only when the client has taken this one. */
async function sendStream(response: ServerResponse, head: Head, body: BodyStream): Promise<void> {
  putStreamHead(response, head);
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  try {
    for await (const piece of body) {
      if (response.destroyed) return;
      if (!response.write(piece)) await drained(response, takingMilliseconds(piece.length));
    }
    response.end();
  } catch (error) {
    response.destroy();
    throw error;
  }
}

/** Resolves when the client has taken what was written, or is gone; after the deadline it is. */
function drained(response: ServerResponse, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => response.destroy(), milliseconds);
    const settle = () => {
      clearTimeout(deadline);
      response.off('drain', settle).off('close', settle);
      resolve();
    };
    response.on('drain', settle).on('close', settle);
  });
}
