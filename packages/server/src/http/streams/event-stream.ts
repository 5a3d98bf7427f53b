/**
 * A response that is a stream of events. It hands over one event after the other, each when the client has taken the one before. So a
 * client that does not read costs one event, or one slice of a document, and its place.
 */
import type { ServerResponse } from 'node:http';
import type { ChangeEvent, Whole } from '../../state/changes/events.ts';
import type { Sink } from '../../state/changes/watch.ts';
import { outgoingTurn, sliceAt, type Unread } from '../unread-responses.ts';
import { eventFrame, eventHead, type Frame, type Goodbye, goodbyeFrame, heartbeat, wholeHead } from './frames.ts';

export interface EventStreamParts {
  readonly response: ServerResponse;
  /** Counts what goes out. */
  readonly count: (events: number, bytes: number) => void;
  /** Watches the response while its client takes nothing; it keeps so many bytes in memory. */
  readonly watch: (bytes: number) => Unread;
}

/** What a stream keeps in memory while its client takes nothing: an event, or a slice of a document. */
const heldBytesMax = 98_304;

/** A document that goes out in slices. */
interface Large {
  /** Others keep it as long as they have room: nothing is kept for a client that does not read. */
  readonly event: WeakRef<Whole>;
  /** Where the next slice begins; -1 before the first. */
  offset: number;
}

export class EventStream implements Sink {
  readonly #parts: EventStreamParts;
  #large: Large | undefined;
  #isBlocked = false;
  #isEnding = false;
  #unread: Unread | undefined;
  /** Called when the client has taken everything. */
  onReady: (() => void) | undefined;

  constructor(parts: EventStreamParts) {
    this.#parts = parts;
  }

  take(event: ChangeEvent): boolean {
    if (this.#isEnding) return false;
    const frame = eventFrame(event);
    this.#parts.count(1, 0);
    if (frame !== undefined) this.send(frame);
    else if (event.type !== 'change') this.#takeLarge(event);
    return this.#isFree();
  }

  /** Hands over a large document, in a turn of the event loop that has room for it. */
  #takeLarge(event: Whole): void {
    this.#large = { event: new WeakRef(event), offset: -1 };
    const turn = outgoingTurn(2 * (event.stateText?.length ?? 0));
    if (turn === undefined) this.#sendSlices();
    else void turn.then(() => this.#goOn());
  }

  /** Sends a heartbeat, unless an event waits to be taken. */
  beat(): void {
    if (this.#isFree()) this.send(heartbeat);
  }

  /** Sends a last frame and ends the response. In the middle of a document, it only ends the response. */
  end(goodbye: Goodbye): void {
    const { response } = this.#parts;
    if (this.#isEnding || response.destroyed) return;
    if (this.#large === undefined) this.send(goodbyeFrame(goodbye));
    this.#isEnding = true;
    this.#large = undefined;
    const { socket } = response;
    if (goodbye.reason === 'shutdown') response.end(() => socket?.end());
    else response.end();
  }

  send(frame: Frame): void {
    const { response, count } = this.#parts;
    const { socket } = response;
    count(0, frame.plain.length);
    // Frames are made in chunks once for all streams; the runtime would write each in four pieces.
    const isFree = response.chunkedEncoding && socket !== null && response.writableLength === socket.writableLength;
    if (isFree) socket.write(frame.chunk, this.#onTaken);
    else response.write(frame.plain, this.#onTaken);
    this.#noteBlocked();
  }

  #isFree(): boolean {
    return !this.#isBlocked && !this.#isEnding && this.#large === undefined;
  }

  #sendSlices(): void {
    const { response, count } = this.#parts;
    while (this.#large !== undefined && !this.#isBlocked) {
      const piece = this.#nextPiece(this.#large);
      if (piece === undefined) {
        response.destroy(); // the client connects again, and is told the newest version
        return;
      }
      const bytes = Buffer.from(piece); // a slice as text would keep the whole document
      count(0, bytes.length);
      response.write(bytes, this.#onTaken);
      this.#noteBlocked();
    }
  }

  /** The next piece of a large document; undefined when nobody has it any more. */
  #nextPiece(large: Large): string | undefined {
    const event = large.event.deref();
    if (event === undefined) return undefined;
    const { stateText } = event;
    if (large.offset < 0) {
      large.offset = 0;
      return eventHead(event) + wholeHead(event);
    }
    if (stateText !== null && large.offset < stateText.length) {
      const slice = sliceAt(stateText, large.offset);
      large.offset += slice.length;
      return slice;
    }
    this.#large = undefined;
    return '}\n\n';
  }

  #noteBlocked(): void {
    const { response, watch } = this.#parts;
    if (this.#isBlocked || response.writableLength === 0) return;
    this.#isBlocked = true;
    if (this.#unread === undefined) this.#unread = watch(heldBytesMax);
    else this.#unread.moved();
  }

  /** Called for every piece that the operating system has taken, and when the connection is gone. */
  readonly #onTaken = (): void => {
    const { response } = this.#parts;
    if (!this.#isBlocked || response.destroyed) return;
    this.#unread?.moved();
    if (response.writableLength > 0) return;
    this.#isBlocked = false;
    this.#unread?.rest();
    this.#goOn();
  };

  #goOn(): void {
    if (this.#parts.response.destroyed || this.#isEnding) return;
    this.#sendSlices();
    if (this.#isFree()) this.onReady?.();
  }
}
