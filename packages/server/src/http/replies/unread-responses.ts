/**
 * Responses that their clients have not taken yet: limits their memory, and sends large bodies piece by piece, each once the client has
 * taken the previous one.
 *
 * A response that makes no progress for a minute is cut off. If all together hold too much, the account that holds most loses the response
 * that has made no progress for the longest time.
 */
import type { ServerResponse } from 'node:http';
import type { Owner } from '../../common/threads/fair-queue.ts';
import { outgoingTurn, readInTurn } from '../turns/outgoing-turns.ts';
import type { BodyParts, BodyStream } from './reply.ts';

const stillMillisecondsMax = 60_000;
const inspectionIntervalMilliseconds = 1_000;
/** Responses cut off by one inspection, at 20 µs each. */
const endedMax = 256;
const defaultBytesMax = 48 * 1024 * 1024;

export interface Unread {
  /** Reports progress: the client has read some data, or more data is ready. */
  moved(): void;
  /** Reports that the client has read everything for now. Nothing is held until more data is ready. */
  rest(): void;
}

export interface UnreadResponses {
  /** Watches a response until it closes. `account` owns it, and `bytes` is the memory that it holds until then. */
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
  /** Ordered by last progress, longest ago first. */
  const all = new Set<Watched>();
  /** The watched responses of each account, in the same order. */
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

/** Watches a response that its client has not taken immediately. It holds `bytes` in memory. */
export type Watch = (bytes: number) => Unread;

/** The client side of a response. */
export interface Receiver {
  readonly owner: Owner;
  readonly watch: Watch;
}

/** Larger bodies are sent piece by piece, each once the client has taken the previous one. */
export const pieceBytes = 65_536;

/** The most that a stream holds in memory: a state of the largest size as text, and a few of its slices as bytes. */
const streamBytes = 1024 * 1024;

/** Sends a body in pieces, beginning in a turn with room for it. */
export async function sendLarge(response: ServerResponse, parts: BodyParts, bytes: number, watch: Watch): Promise<void> {
  const turn = outgoingTurn(response, bytes);
  const unread = turn && watch(bytes); // held while it waits for its turn
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

/** Ends the source of a body that is not read. */
export async function cancelStream(body: BodyStream): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}

/** Sends one portion after another. Each is read in a separate turn, once the client has taken the previous one. */
export async function sendStream(response: ServerResponse, body: BodyStream, receiver: Receiver): Promise<void> {
  const pump = new Pump(response, () => receiver.watch(streamBytes));
  const portions = body[Symbol.asyncIterator]();
  /** The next portion to send. It is removed before sending, so that nothing holds it while the next one waits to be read. */
  const begun: Iterable<string | Uint8Array>[] = [];
  const read = async () => {
    const { done, value } = await portions.next();
    if (done !== true) begun.push(value);
    return done !== true;
  };
  const write = () => pump.write(begun.pop() ?? []);
  try {
    // The first portion is in memory: it was read before the head, through the read door.
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
    await portions.return?.(); // if the client has left, the source is half read
  }
}

/** Writes pieces, each once the client has taken the previous one. */
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
 * Writes a piece. Returns undefined if more may follow immediately, otherwise a promise that resolves when the client has taken the piece
 * or disconnected. The event `drain` is not enough: the runtime may not emit it if a client takes data between two pieces.
 */
function writePiece(response: ServerResponse, piece: string | Uint8Array): Promise<void> | undefined {
  let onTaken = () => {};
  const hasRoom = response.write(piece, () => onTaken());
  // Bytes that the operating system took have left this process, even if the stream still counts them.
  if (hasRoom || response.writableLength === 0) return undefined;
  return new Promise((resolve) => {
    onTaken = () => {
      response.off('close', onTaken);
      resolve();
    };
    response.on('close', onTaken);
  });
}

/** Long strings are sent in slices: the runtime allocates three bytes for each character of a string that it sends. */
export const sliceCharacters = 32_768;

/** Yields a string in slices, none of which splits a surrogate pair. */
export function* textSlices(text: string): Generator<string, void, undefined> {
  for (let start = 0; start < text.length; ) {
    const slice = sliceAt(text, start);
    yield slice;
    start += slice.length;
  }
}

/** The slice of a string that begins at `start`. It does not split a surrogate pair. */
export function sliceAt(text: string, start: number): string {
  const end = start + sliceCharacters;
  const isSplit = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return text.slice(start, isSplit ? end - 1 : end);
}
