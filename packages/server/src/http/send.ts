/** Puts a reply on the wire, with what every answer carries. */
import type { ServerResponse } from 'node:http';
import { type Head, type HeaderLines, headerLines, putHead, putStreamHead } from './head.ts';
import { outgoingTurn, portionTurn } from './outgoing-turns.ts';
import type { BodyParts, BodyStream, Reply } from './reply.ts';
import { textSlices } from './text-slices.ts';
import type { Unread } from './unread-responses.ts';

/** What every answer carries that leaves the process. @see docs/contract.md §2.1 */
export const firstLines = (requestId: string): HeaderLines => `API-Version: 1\r\nX-Request-Id: ${requestId}\r\n`;

/** Larger bodies are handed over piece by piece, each when the client has taken the one before. */
const pieceBytes = 65_536;

/** What a stream keeps in memory at most: a state of the largest size, as text and as the bytes of a few slices. */
const streamBytes = 1024 * 1024;

/** What the transport adds to a reply. */
export interface Envelope {
  readonly requestId: string;
  /** Headers beside those of the reply: name, value, name, value … */
  readonly further: readonly string[];
  /** Whether the connection ends with this answer. */
  readonly isLast: boolean;
}

/** Watches a response that its client has not taken at once; it keeps so many bytes in memory. */
type Watch = (bytes: number) => Unread;

/**
 * Writes the reply in its envelope. Resolves when a body of several pieces has been handed over completely; rejects when its source
 * fails, after the connection has been cut, since a cut is the only way left to say so.
 */
export function send(response: ServerResponse, reply: Reply, envelope: Envelope, watch: Watch): undefined | Promise<void> {
  const { status, headers, body } = reply;
  const { requestId, further, isLast } = envelope;
  const lines = firstLines(requestId) + headerLines(headers) + headerLines(further);
  const head: Head = { status, lines, isLast };
  if (isStream(body)) {
    putStreamHead(response, head);
    if (response.req.method !== 'HEAD') return sendStream(response, body, watch);
    response.end();
    return leave(body);
  }
  putHead(response, head);
  if (body === undefined || response.req.method === 'HEAD') {
    response.end();
    return undefined;
  }
  if (typeof body === 'string') {
    response.end(body, 'latin1');
    if (response.writableLength > 0) watch(body.length);
    return undefined;
  }
  return sendParts(response, body instanceof Uint8Array ? [body] : body, watch);
}

const isStream = (body: Reply['body']): body is BodyStream =>
  typeof body === 'object' && !(body instanceof Uint8Array) && !Array.isArray(body);

function sendParts(response: ServerResponse, parts: BodyParts, watch: Watch): undefined | Promise<void> {
  const bytes = parts.reduce((sum, part) => sum + (typeof part === 'string' ? 2 : 1) * part.length, 0);
  if (bytes > pieceBytes) {
    return sendLarge(response, parts, bytes, watch);
  }
  response.cork(); // so that the parts leave together
  for (const part of parts) response.write(part);
  response.end();
  if (response.writableLength > 0) watch(bytes);
  return undefined;
}

async function sendLarge(response: ServerResponse, parts: BodyParts, bytes: number, watch: Watch): Promise<void> {
  const turn = outgoingTurn(bytes);
  const unread = turn && watch(bytes); // it keeps as much while it waits
  await turn;
  const pump = new Pump(response, () => unread ?? watch(bytes));
  await pump.write(piecesOf(parts));
  pump.end();
}

function* piecesOf(parts: BodyParts): Generator<string | Uint8Array, void, undefined> {
  for (const part of parts) {
    if (typeof part === 'string') yield* textSlices(part);
    else for (let start = 0; start < part.length; start += pieceBytes) yield part.subarray(start, start + pieceBytes);
  }
}

/** Tells the source of a body that nobody reads it. */
async function leave(body: BodyStream): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}

/** Hands over one portion after the other, each read in a turn of its own when the client has taken the one before. */
async function sendStream(response: ServerResponse, body: BodyStream, watch: Watch): Promise<void> {
  let unread: Unread | undefined;
  const keep = () => {
    unread ??= watch(streamBytes);
    return unread;
  };
  const pump = new Pump(response, keep);
  const portions = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const turn = portionTurn();
      if (turn !== undefined) keep(); // a portion may be at hand already
      await turn;
      if (response.destroyed) return;
      const { done, value } = await portions.next();
      if (done) break;
      await pump.write(value);
    }
    pump.end();
  } catch (error) {
    response.destroy();
    throw error;
  } finally {
    await portions.return?.(); // a client that has gone leaves its source half read
  }
}

/** Writes pieces, each when the client has taken the one before. */
class Pump {
  readonly #response: ServerResponse;
  readonly #watch: () => Unread;
  #unread: Unread | undefined;

  constructor(response: ServerResponse, watch: () => Unread) {
    this.#response = response;
    this.#watch = watch;
  }

  async write(pieces: Iterable<string | Uint8Array>): Promise<void> {
    for (const piece of pieces) {
      if (this.#response.destroyed) return;
      // What the operating system took is gone from here, although the stream may say that it was much.
      const taking = writePiece(this.#response, piece);
      if (taking === undefined || this.#response.writableLength === 0) continue;
      this.#unread ??= this.#watch();
      await taking;
      this.#unread.moved();
    }
  }

  end(): void {
    this.#response.end();
    if (this.#response.writableLength > 0) this.#unread ??= this.#watch();
  }
}

/**
 * Writes a piece. Returns undefined when more may follow at once, else a promise that resolves when the client has taken this one, or
 * is gone. The event `drain` would not do: the runtime may leave it out when a client takes something between two pieces.
 */
function writePiece(response: ServerResponse, piece: string | Uint8Array): Promise<void> | undefined {
  let onTaken = () => {};
  if (response.write(piece, () => onTaken())) return undefined;
  return new Promise((resolve) => {
    onTaken = () => {
      response.off('close', onTaken);
      resolve();
    };
    response.on('close', onTaken);
  });
}
