/**
 * A response that is a stream of events. It hands over one event after the other, each when the client has taken the one before. So a
 * client that does not read costs one event, or one slice of a document, and its place.
 */
import type { ServerResponse } from 'node:http';
import type { ChangeEvent } from '../../state/changes/events.ts';
import type { Sink } from '../../state/changes/watch.ts';
import { textSlices, type Unread } from '../unread-responses.ts';
import { eventFrame, eventHead, type Frame, type Goodbye, goodbyeFrame, heartbeat, wholeHead } from './frames.ts';

export interface EventStreamParts {
  readonly response: ServerResponse;
  /** Counts what goes out. */
  readonly count: (events: number, bytes: number) => void;
  /** Watches the response while its client takes nothing; it keeps so many bytes in memory. */
  readonly watch: (bytes: number) => Unread;
}

/** The most that a stream keeps in memory while its client takes nothing: a slice as text and as bytes, or an event. */
const heldBytesMax = 131_072;

export class EventStream implements Sink {
  readonly #parts: EventStreamParts;
  /** What is left of a document that goes out in slices. */
  #slices: Iterator<string> | undefined;
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
    else if (event.type !== 'change') {
      this.#slices = slicesOf(eventHead(event) + wholeHead(event), event.stateText ?? '');
      this.#sendSlices();
    }
    return this.#isFree();
  }

  /** Sends a heartbeat, unless an event waits to be taken. */
  beat(): void {
    if (this.#isFree()) this.send(heartbeat);
  }

  /** Sends a last frame and ends the response. In the middle of a document, it only ends the response. */
  end(goodbye: Goodbye): void {
    const { response } = this.#parts;
    if (this.#isEnding || response.destroyed) return;
    if (this.#slices === undefined) this.send(goodbyeFrame(goodbye));
    this.#isEnding = true;
    this.#slices = undefined;
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
    return !this.#isBlocked && !this.#isEnding && this.#slices === undefined;
  }

  #sendSlices(): void {
    const { response, count } = this.#parts;
    while (this.#slices !== undefined && !this.#isBlocked) {
      const { value, done } = this.#slices.next();
      if (done) {
        this.#slices = undefined;
        return;
      }
      const bytes = Buffer.from(value);
      count(0, bytes.length);
      response.write(bytes, this.#onTaken);
      this.#noteBlocked();
    }
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
    this.#sendSlices();
    if (this.#isFree()) this.onReady?.();
  };
}

function* slicesOf(head: string, stateText: string): Generator<string, void, undefined> {
  yield head;
  yield* textSlices(stateText);
  yield '}\n\n';
}
