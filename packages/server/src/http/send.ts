/** Puts a reply on the wire, with what every answer carries. */
import type { ServerResponse } from 'node:http';
import type { BodyParts, BodyStream, Reply } from './reply.ts';

/** Headers of every answer that leaves the process. @see interface 9 */
export const apiVersionHeader = ['API-Version', '1'] as const;

/**
 * How long a client may take for a body: half a minute, and for large ones as long as 2,400 bytes per second take. One that
 * reads slower, or not at all, would keep what it asked for in memory.
 */
const takingMilliseconds = (bytes: number): number => 30_000 + bytes / 2.4;

/** Bodies up to this size fit into the buffers of the connection, and are gone from here whatever the client does. */
const bufferedBytesMax = 65_536;

/**
 * Writes the reply, with `further` headers. Resolves when a streamed body has been handed over completely; rejects when its
 * source fails, after the connection has been cut, since a cut is the only way left to say so.
 */
export function send(
  response: ServerResponse,
  reply: Reply,
  requestId: string,
  further: readonly string[],
): undefined | Promise<void> {
  const headers = [...apiVersionHeader, 'X-Request-Id', requestId, ...reply.headers, ...further];
  response.writeHead(reply.status, headers);
  const { body } = reply;
  if (body === undefined || response.req.method === 'HEAD') response.end();
  else if (typeof body === 'string') response.end(body, 'latin1');
  else if (body instanceof Uint8Array) sendParts(response, [body]);
  else if (Array.isArray(body)) sendParts(response, body as BodyParts);
  else return sendStream(response, body as BodyStream);
  return undefined;
}

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
async function sendStream(response: ServerResponse, body: BodyStream): Promise<void> {
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
