/**
 * Reads request bodies: checks the media type, collects the bytes within the limits on size and shared memory, and parses them into the
 * operation's input. `body-timeout.ts` limits the time.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { formBytesMax, recordBytesMax } from '@holdfast/contract';
import { parseFormText } from '../../common/requests/form-parameters.ts';
import { bodyText, parseBody } from '../../common/requests/json-body.ts';
import { Refusal } from '../../common/requests/refusal.ts';
import type { Owner } from '../../common/threads/fair-queue.ts';
import { stopBodies } from '../node/node-internals.ts';
import type { ParseScheduler } from '../turns/parse-scheduler.ts';
import { noteRead } from '../turns/read-turns.ts';
import { BodyBudget, type HeldBytes, noRoomForBody } from './body-budget.ts';
import { BodyBuffer, giveBack } from './body-buffer.ts';
import { type ArrivingBody, failSlowBodies } from './body-timeout.ts';
import { isTinyChunked, refuseTinyChunks } from './tiny-chunks.ts';

/** The client disconnected before its request was complete, so no response can be sent. */
export class ClientGone extends Error {
  override name = 'ClientGone';
}

/** A request whose body is being read. */
interface BodyRequest {
  readonly request: IncomingMessage;
  /** Whether the connection must end with the response, because unread body bytes could be parsed as another request. */
  endsConnection: boolean;
  /** The memory that the body holds until the response. */
  heldBytes: HeldBytes | undefined;
}

interface BodyBounds {
  readonly bytesMax: number;
  /** Called for a body that arrives in several pieces. */
  readonly owner: () => Owner;
}

export interface BodyReader {
  /**
   * Resolves with the whole body. Rejects with `payload_too_large` as soon as the declared or received length exceeds `bytesMax`, with
   * `request_timeout` if it arrives too slowly, with `validation_error` if it arrives in tiny chunks, with `service_unavailable` if no
   * memory is left for it, and with `ClientGone` if the connection breaks.
   */
  read(incoming: BodyRequest, bounds: BodyBounds): Promise<Uint8Array>;
  close(): void;
}

/** `timeoutSeconds` limits the time from the start of reading to the last byte. `now` is in milliseconds. */
export function createBodyReader(timeoutSeconds: number, now: () => number): BodyReader {
  const sharing: Sharing = { budget: new BodyBudget(), readings: new Set(), now };
  const close = failSlowBodies(sharing.readings, timeoutSeconds, now);

  return {
    read(incoming, bounds) {
      const { 'content-length': declared, 'transfer-encoding': coding } = incoming.request.headers;
      if (declared === undefined && coding === undefined) return Promise.resolve(new Uint8Array(0)); // RFC 9112 §6.3
      if (Number(declared ?? 0) > bounds.bytesMax) return Promise.reject(tooLarge(bounds.bytesMax));
      const outcome = Promise.withResolvers<Uint8Array>();
      sharing.readings.add(new BodyReading(incoming, bounds, sharing, outcome));
      return outcome.promise;
    },
    close,
  };
}

/** State shared by all bodies. */
interface Sharing {
  readonly budget: BodyBudget;
  readonly readings: Set<ArrivingBody>;
  readonly now: () => number;
}

/** Collects one body. Its listeners stay on the request, since removing them would take longer than ignoring their events. */
class BodyReading implements ArrivingBody {
  readonly startedAt: number;
  readonly #incoming: BodyRequest;
  readonly #bounds: BodyBounds;
  readonly #sharing: Sharing;
  readonly #outcome: PromiseWithResolvers<Uint8Array>;
  readonly #declared: number | undefined;
  #isFinished = false;
  #buffer: BodyBuffer | undefined;
  #pieces = 0;

  constructor(incoming: BodyRequest, bounds: BodyBounds, sharing: Sharing, outcome: PromiseWithResolvers<Uint8Array>) {
    const { request } = incoming;
    const declared = request.headers['content-length'];
    this.startedAt = sharing.now();
    this.#incoming = incoming;
    this.#bounds = bounds;
    this.#sharing = sharing;
    this.#outcome = outcome;
    this.#declared = declared === undefined ? undefined : Number(declared);
    request.on('data', this.#onData).on('close', this.#onClose);
    if (!(Number(declared) > 0)) this.#awaitEnd();
  }

  get bytes(): number {
    return this.#buffer?.length ?? 0;
  }

  fail(refusal: Refusal): void {
    if (refusal.code === 'request_timeout') this.#incoming.endsConnection = true;
    const buffer = this.#buffer;
    this.#finish(refusal);
    buffer?.release();
  }

  /** Most bodies arrive in one piece, which is kept unchanged and not counted. */
  readonly #onData = (piece: Uint8Array): void => {
    if (this.#isFinished) return;
    if (piece.length === this.#declared) this.#finish(piece);
    else this.#addPiece(piece);
  };

  #awaitEnd(): void {
    this.#incoming.request.on('end', () => this.#finish(this.#buffer?.bytes() ?? new Uint8Array(0)));
  }

  #addPiece(piece: Uint8Array): void {
    const { request } = this.#incoming;
    if (this.#buffer === undefined && this.#declared !== undefined) this.#awaitEnd();
    this.#buffer ??= new BodyBuffer(this.#declared ?? this.#bounds.bytesMax);
    this.#incoming.heldBytes ??= this.#sharing.budget.hold(this.#bounds.owner());
    noteRead();
    const bytes = this.#buffer.length + piece.length;
    if (isTinyChunked(++this.#pieces, bytes)) this.#incoming.endsConnection = true;
    if (bytes > this.#bounds.bytesMax) this.fail(tooLarge(this.#bounds.bytesMax));
    else if (this.#incoming.endsConnection) this.fail(refuseTinyChunks(request));
    else if (this.#incoming.heldBytes.take(this.#buffer.memoryFor(piece.length))) this.#buffer.push(piece);
    else {
      this.fail(noRoomForBody());
      giveBack(piece);
    }
  }

  readonly #onClose = (): void => {
    if (!this.#isFinished) this.#finish(new ClientGone('the connection closed before the body was complete'));
  };

  #finish(outcome: Uint8Array | Error): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.#buffer = undefined;
    this.#sharing.readings.delete(this);
    if (outcome instanceof Uint8Array) this.#outcome.resolve(outcome);
    else this.#outcome.reject(outcome);
  }
}

const tooLarge = (bytesMax: number): Refusal => new Refusal('payload_too_large', `the body exceeds ${bytesMax} bytes`);

export type BodyMediaType = 'application/json' | 'application/x-www-form-urlencoded';

const charsetParameter = /;[\t ]*charset[\t ]*=[\t ]*"?([^\t ";]*)/i;

/**
 * Refuses `unsupported_media_type` for another type, charset or coding. Parameters other than the charset are ignored. With `mayBeUntyped`,
 * a body without a type is accepted.
 *
 * @see RFC 9110 §8.3 and §8.4, RFC 8259 §11
 */
export function requireMediaType(headers: IncomingMessage['headers'], expected: BodyMediaType, mayBeUntyped = false): void {
  const type = headers['content-type'];
  if (type !== expected && !(mayBeUntyped && type === undefined)) {
    const isExpected = type?.split(';', 1)[0]?.trim().toLowerCase() === expected;
    const charset = type === undefined ? undefined : charsetParameter.exec(type)?.[1];
    if (!isExpected || (charset !== undefined && charset.toLowerCase() !== 'utf-8')) {
      throw new Refusal('unsupported_media_type', `the body must be ${expected} in UTF-8`);
    }
  }
  const coding = headers['content-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'identity') {
    throw new Refusal('unsupported_media_type', 'the body must not be encoded; Content-Encoding is not supported');
  }
}

/** Bytes of a refused body that are read and discarded before the connection is cut. */
export const discardBytesMax = 16 * 1024 * 1024;
const discardMillisecondsMax = 3_000;

/**
 * Reads and discards the rest of a refused body, so that the response reaches a client that is still sending: closing with unread bytes
 * would reset the connection first. Cuts the connection if the rest is too large or too slow.
 *
 * @see RFC 9112 §9.6
 */
export function discardBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let bytes = 0;
  let pieces = 0;
  const deadline = setTimeout(() => request.socket.destroy(), discardMillisecondsMax);
  deadline.unref();
  request.on('data', (piece: Buffer) => {
    bytes += piece.length;
    noteRead();
    giveBack(piece);
    if (bytes <= discardBytesMax && !isTinyChunked(++pieces, bytes)) return;
    stopBodies(request.socket);
    request.socket.destroy();
  });
  request.once('close', () => clearTimeout(deadline));
  request.resume();
}

/** A request whose body has not been read yet. */
export interface Incoming extends BodyRequest {
  readonly response: ServerResponse;
  /** Whether the client waits for `100 Continue`; false once it is sent. */
  awaitsContinue: boolean;
}

/** Settings for reading all bodies. */
export interface Reading {
  readonly bodies: BodyReader;
  readonly parseScheduler: ParseScheduler;
  /** The largest body of a state write, in bytes. */
  readonly requestBytesMax: number;
}

/** Returns the JSON value of a record. Refuses `validation_error` for anything but JSON in UTF-8, and otherwise like `BodyReader`. */
export async function readJson(incoming: Incoming, reading: Reading, owner: () => Owner): Promise<unknown> {
  const bytes = await collect(incoming, reading, { bytesMax: Math.min(reading.requestBytesMax, recordBytesMax), owner });
  return reading.parseScheduler.run(owner, () => parseBody(bodyText(bytes)));
}

/**
 * Returns the parameters of a form. Refuses other media types, anything but UTF-8 and too many parameters, and otherwise like `BodyReader`.
 */
export async function readForm(incoming: Incoming, reading: Reading, owner: () => Owner): Promise<URLSearchParams> {
  requireMediaType(incoming.request.headers, 'application/x-www-form-urlencoded');
  const bytes = await collect(incoming, reading, { bytesMax: formBytesMax, owner });
  return reading.parseScheduler.run(owner, () => parseFormText(bodyText(bytes)));
}

/**
 * Returns the bytes of a state write, or of another body that its operation takes unparsed, up to `asSent` bytes. Refuses like
 * `BodyReader`.
 */
export function readBytes(
  incoming: Incoming,
  reading: Reading,
  { owner, asSent = reading.requestBytesMax }: { readonly owner: () => Owner; readonly asSent?: number | undefined },
): Promise<Uint8Array> {
  return collect(incoming, reading, { bytesMax: Math.min(reading.requestBytesMax, asSent), owner });
}

function collect(incoming: Incoming, { bodies }: Reading, bounds: BodyBounds): Promise<Uint8Array> {
  if (incoming.awaitsContinue) {
    const declared = Number(incoming.request.headers['content-length'] ?? 0);
    if (declared <= bounds.bytesMax) {
      incoming.response.writeContinue();
      incoming.awaitsContinue = false;
    }
  }
  return bodies.read(incoming, bounds);
}
