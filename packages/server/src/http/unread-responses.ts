/**
 * Responses that their clients have not yet taken: bounds their memory, and sends large bodies piece by piece, each when the
 * client has taken the previous one.
 *
 * A response that does not move for a minute is cut off. If all together keep too much, the account that keeps most loses the response that
 * has not moved for the longest time.
 */
import type { ServerResponse } from 'node:http';
import type { Owner } from '../common/fair-queue.ts';
import { outgoingTurn, readInTurn } from './outgoing-turns.ts';
import type { BodyParts, BodyStream } from './reply.ts';

const stillMillisecondsMax = 60_000;
const inspectionIntervalMilliseconds = 1_000;
/** Responses that one inspection cuts off: each takes 20 µs. */
const endedMax = 256;
const defaultBytesMax = 48 * 1024 * 1024;

export interface Unread {
  /** Reports that the client has taken something, or has something to take again. */
  moved(): void;
  /** Reports that the client has taken everything for now: nothing is kept for it until there is more to take. */
  rest(): void;
}

export interface UnreadResponses {
  /** Watches a response until it closes. `account` is its owner, `bytes` its memory until then. */
  watch(response: ServerResponse, account: string, bytes: number): Unread;
  close(): void;
}

interface Watched extends Unread {
  readonly response: ServerResponse;
  readonly account: string;
  readonly bytes: number;
  movedAt: number;
}

/** `now` is in milliseconds. */
export function createUnreadResponses(now: () => number, bytesMax: number = defaultBytesMax): UnreadResponses {
  /** Ordered: those that have not moved for the longest time first. */
  const all = new Set<Watched>();
  /** The same for each account. */
  const ofAccounts = new Map<string, { readonly all: Set<Watched>; bytes: number }>();
  let bytes = 0;

  const inspection = setInterval(() => {
    const time = now();
    let ended = 0;
    for (const watched of all) {
      if (time - watched.movedAt <= stillMillisecondsMax || ended++ === endedMax) return;
      end(watched);
    }
  }, inspectionIntervalMilliseconds);
  inspection.unref();

  function keep(watched: Watched): void {
    const { account } = watched;
    const own = ofAccounts.get(account) ?? { all: new Set(), bytes: 0 };
    ofAccounts.set(account, own);
    own.all.add(watched);
    own.bytes += watched.bytes;
    all.add(watched);
    bytes += watched.bytes;
  }

  function forget(watched: Watched): void {
    if (!all.delete(watched)) return;
    bytes -= watched.bytes;
    const own = ofAccounts.get(watched.account);
    if (own === undefined) return;
    own.all.delete(watched);
    own.bytes -= watched.bytes;
    if (own.all.size === 0) ofAccounts.delete(watched.account);
  }

  function end(watched: Watched): void {
    forget(watched);
    watched.response.destroy();
  }

  function makeRoom(): void {
    const [still] = [...ofAccounts.values()].reduce((one, other) => (other.bytes > one.bytes ? other : one)).all;
    if (still !== undefined) end(still);
  }

  return {
    watch(response, account, held) {
      const watched: Watched = {
        response,
        account,
        bytes: held,
        movedAt: now(),
        moved() {
          if (response.destroyed) return;
          forget(watched);
          watched.movedAt = now();
          keep(watched);
          while (bytes > bytesMax) makeRoom();
        },
        rest: () => forget(watched),
      };
      watched.moved();
      response.once('close', () => forget(watched));
      return watched;
    },
    close: () => clearInterval(inspection),
  };
}

/** Watches a response that its client has not taken immediately; it keeps this many bytes in memory. */
export type Watch = (bytes: number) => Unread;

/** The receiver of a response. */
export interface Receiver {
  readonly owner: Owner;
  readonly watch: Watch;
}

/** Larger bodies are handed over piece by piece, each when the client has taken the previous one. */
export const pieceBytes = 65_536;

/** The most that a stream keeps in memory: a state of the largest size, as text and as the bytes of a few slices. */
const streamBytes = 1024 * 1024;

/** Hands over a body in pieces, beginning in a turn with room for it. */
export async function sendLarge(response: ServerResponse, parts: BodyParts, bytes: number, watch: Watch): Promise<void> {
  const turn = outgoingTurn(response, bytes);
  const unread = turn && watch(bytes); // it keeps this much while it waits
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

/** Ends the source of an unread body. */
export async function cancelStream(body: BodyStream): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}

/** Hands over one portion after another, each read in a separate turn when the client has taken the previous one. */
export async function sendStream(response: ServerResponse, body: BodyStream, receiver: Receiver): Promise<void> {
  const pump = new Pump(response, () => receiver.watch(streamBytes));
  const portions = body[Symbol.asyncIterator]();
  /** The next portion to send. It is taken out to be sent, so that nothing holds it while the next one waits to be read. */
  const begun: Iterable<string | Uint8Array>[] = [];
  const read = async () => {
    const { done, value } = await portions.next();
    if (done !== true) begun.push(value);
    return done !== true;
  };
  const write = () => pump.write(begun.pop() ?? []);
  try {
    // The first portion is at hand: it was read before the head, through the read door.
    let isMore: boolean | undefined = await read();
    while (isMore) {
      await write();
      isMore = await readInTurn(response, receiver.owner, read);
    }
    if (isMore === false) pump.end();
  } catch (error) {
    response.destroy();
    throw error;
  } finally {
    await portions.return?.(); // a client that left leaves its source half read
  }
}

/** Writes pieces, each when the client has taken the previous one. */
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
      const taking = writePiece(this.#response, piece);
      if (taking === undefined) continue;
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
 * Writes a piece. Returns undefined if more may follow immediately, otherwise a promise that resolves when the client has taken this one,
 * or has disconnected. The event `drain` is not enough: the runtime may not emit it if a client takes something between two pieces.
 */
function writePiece(response: ServerResponse, piece: string | Uint8Array): Promise<void> | undefined {
  let onTaken = () => {};
  const hasRoom = response.write(piece, () => onTaken());
  // Bytes that the operating system took are no longer in this process, even if the stream counts them.
  if (hasRoom || response.writableLength === 0) return undefined;
  return new Promise((resolve) => {
    onTaken = () => {
      response.off('close', onTaken);
      resolve();
    };
    response.on('close', onTaken);
  });
}

/** Large texts are sent in slices: the runtime allocates three bytes for each character of a text that it sends. */
export const sliceCharacters = 32_768;

/** A text in slices, none of which ends between the halves of a surrogate pair. */
export function* textSlices(text: string): Generator<string, void, undefined> {
  for (let start = 0; start < text.length; ) {
    const slice = sliceAt(text, start);
    yield slice;
    start += slice.length;
  }
}

/** The slice of a text that begins at `start`. It does not end between the halves of a surrogate pair. */
export function sliceAt(text: string, start: number): string {
  const end = start + sliceCharacters;
  const isSplit = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return text.slice(start, isSplit ? end - 1 : end);
}
