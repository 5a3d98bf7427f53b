/**
 * A response that is an event stream. It hands over each event when the client has taken the previous one. A client that does not read
 * takes the memory of one event, or one document slice, and a slot.
 */

import type { ServerResponse } from 'node:http';
import { createTurnBound } from '../../common/turns/turn-bound.ts';
import type { ChangeEvent, Whole } from '../../state/changes/events.ts';
import type { Sink } from '../../state/changes/fan-out.ts';
import { chunkSocket } from '../node/node-internals.ts';
import { streamingHeaders } from '../replies/caching.ts';
import type { AsText, Reply } from '../replies/reply.ts';
import { sliceCharacters, type Unread } from '../replies/unread-responses.ts';
import { outgoingTurn } from '../turns/outgoing-turns.ts';
import {
  documentSlice,
  eventFrame,
  eventHead,
  type Frame,
  type Goodbye,
  goodbyeFrame,
  heartbeat,
  retryFrame,
  wholeHead,
} from './event-frames.ts';
import type { Opened } from './streams.ts';

interface EventStreamParts {
  readonly response: ServerResponse;
  /** The browser's reconnection delay in milliseconds. */
  readonly retryMilliseconds: number;
  /** Counts sent events and bytes. */
  readonly count: (events: number, bytes: number) => void;
  /** Watches the response while its client does not read. It holds `bytes` in memory. */
  readonly watch: (bytes: number) => Unread;
}

/** The most that a stream holds in memory while its client does not read: an event, or a document slice. */
const heldBytesMax = 98_304;
/** The bytes that a slice counts as in a turn of the event loop. */
const sliceBytes = 2 * sliceCharacters;

/** A document that is sent in slices. */
interface Large {
  /** Weak, since nothing is kept for a client that does not read. Caches keep the event while they have room. */
  readonly event: WeakRef<Whole>;
  /** Where the next slice begins; -1 before the first. */
  offset: number;
}

class EventStream implements Sink {
  readonly #parts: EventStreamParts;
  #large: Large | undefined;
  /** Whether the reconnection delay was sent. */
  #hasRetry = false;
  #isBlocked = false;
  /** Whether a slice is waiting for a turn. */
  #hasTurnToCome = false;
  #isEnding = false;
  #unread: Unread | undefined;
  /** Called when the client has taken everything. */
  onReady: (() => void) | undefined;

  constructor(parts: EventStreamParts) {
    this.#parts = parts;
  }

  take(event: ChangeEvent): boolean {
    if (this.#isEnding || this.#parts.response.destroyed) return false;
    const frame = eventFrame(event);
    this.#parts.count(1, 0);
    this.#sendRetry();
    if (frame !== undefined) this.send(frame);
    else if (event.type !== 'change') this.#takeLarge(event);
    return this.#isFree();
  }

  #sendRetry(): void {
    if (this.#hasRetry) return;
    this.#hasRetry = true;
    this.send(retryFrame(this.#parts.retryMilliseconds));
  }

  /** Sends a comment if no event was due, so that the client knows that the stream works. */
  greet(): void {
    if (!this.#hasRetry) this.beat();
  }

  /** Begins to send a large document. */
  #takeLarge(event: Whole): void {
    this.#large = { event: new WeakRef(event), offset: -1 };
    this.#sendSlices();
  }

  /** Sends a heartbeat, unless an event is waiting to be sent. */
  beat(): void {
    if (this.#isFree()) this.send(heartbeat);
  }

  /** Sends a last frame and ends the response. In the middle of a document, it only ends the response. */
  end(goodbye: Goodbye): void {
    const { response } = this.#parts;
    if (this.#isEnding || response.destroyed) return;
    if (this.#large === undefined) {
      this.#sendRetry();
      this.send(goodbyeFrame(goodbye));
    }
    this.#isEnding = true;
    this.#large = undefined;
    const { socket } = response;
    if (goodbye.reason === 'shutdown') response.end(() => socket?.end());
    else response.end();
  }

  send(frame: Frame): void {
    const { response, count } = this.#parts;
    count(0, frame.plain.length);
    const socket = chunkSocket(response);
    if (socket === undefined) response.write(frame.plain, this.#onTaken);
    else socket.write(frame.chunk, this.#onTaken);
    this.#noteBlocked();
  }

  #isFree(): boolean {
    return !this.#isBlocked && !this.#isEnding && this.#large === undefined && !this.#parts.response.destroyed;
  }

  /** Sends slices as the client takes them, each in a turn of the event loop with room for it. */
  #sendSlices(): void {
    while (this.#large !== undefined && !this.#isBlocked && !this.#hasTurnToCome) {
      const turn = outgoingTurn(this.#parts.response, sliceBytes);
      if (turn === undefined) {
        this.#sendSlice(this.#large);
        continue;
      }
      this.#hasTurnToCome = true;
      void turn.then(() => {
        this.#hasTurnToCome = false;
        if (this.#large !== undefined && !this.#parts.response.destroyed) this.#sendSlice(this.#large);
        this.#resume();
      });
    }
  }

  #sendSlice(large: Large): void {
    const { response, count } = this.#parts;
    const bytes = this.#nextPiece(large);
    if (bytes === undefined) {
      this.#large = undefined;
      response.destroy(); // the client reconnects and gets the latest version
      return;
    }
    count(0, bytes.length);
    response.write(bytes, this.#onTaken);
    this.#noteBlocked();
  }

  /** The next piece of a large document; undefined if the document is no longer in memory. */
  #nextPiece(large: Large): Buffer | undefined {
    const event = large.event.deref();
    if (event === undefined) return undefined;
    const { stateText } = event;
    if (large.offset < 0) {
      large.offset = 0;
      return Buffer.from(eventHead(event) + wholeHead(event));
    }
    if (stateText !== null && large.offset < stateText.length) {
      const { bytes, characters } = documentSlice(event, stateText, large.offset);
      large.offset += characters;
      return bytes;
    }
    this.#large = undefined;
    return Buffer.from('}\n\n');
  }

  #noteBlocked(): void {
    const { response, watch } = this.#parts;
    if (this.#isBlocked || response.writableLength === 0) return;
    this.#isBlocked = true;
    if (this.#unread === undefined) this.#unread = watch(heldBytesMax);
    else this.#unread.moved();
  }

  /** Called for every piece that the operating system has taken, and when the connection has closed. */
  readonly #onTaken = (): void => {
    const { response } = this.#parts;
    if (!this.#isBlocked || response.destroyed) return;
    this.#unread?.moved();
    if (response.writableLength > 0) return;
    this.#isBlocked = false;
    this.#unread?.rest();
    this.#resume();
  };

  #resume(): void {
    if (this.#parts.response.destroyed || this.#isEnding) return;
    this.#sendSlices();
    if (this.#isFree()) this.onReady?.();
  }
}

/** The range of reconnection delays for browsers, drawn at random for each stream. */
const retryMilliseconds = { min: 1_000, max: 5_000 };
/** How long a resumed stream waits for an event that is due before it sends a comment. */
const greetingMilliseconds = 1_000;

/** Closed streams handled in one turn: all clients of a network may hang up at one moment. */
const closedInTurn = 32;
const closingInTurn = createTurnBound(closedInTurn);

/** Returns a reply that is an event stream. `random` draws a number from 0 to below 1. */
export function streamReply<Key>(opened: Opened<Key>, random: () => number): Reply<200, AsText> {
  return {
    status: 200,
    headers: [...streamingHeaders, 'Content-Type', 'text/event-stream'],
    body: { begin: (response) => begin(opened, random, response), cancel: () => opened.stream.close() },
    isLoggedAtEnd: true,
  };
}

function begin<Key>(opened: Opened<Key>, random: () => number, response: ServerResponse): void {
  const { stream, document, since, caller, release } = opened;
  const { min, max } = retryMilliseconds;
  const events = new EventStream({
    response,
    retryMilliseconds: min + Math.floor(random() * (max - min)),
    count: (count, bytes) => stream.count(count, bytes),
    watch: caller.watch,
  });
  response.flushHeaders();
  const greeting = since === undefined ? undefined : setTimeout(() => events.greet(), greetingMilliseconds).unref();
  const reader = document.open(since, events);
  events.onReady = () => document.ready(reader);
  stream.onBeat = () => events.beat();
  stream.onEnd = (goodbye) => events.end(goodbye);
  stream.catchUp = async () => {
    await document.poll();
    document.send(reader);
  };
  response.once('close', () =>
    closingInTurn(() => {
      clearTimeout(greeting);
      document.close(reader);
      release();
      stream.close();
    }),
  );
  if (stream.goodbye !== undefined) events.end(stream.goodbye);
}
