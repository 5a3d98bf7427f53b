/** This node's change streams: owners, ends and metrics. */

import type { Principal } from '../../access/principal.ts';
import { Refusal } from '../../common/requests/refusal.ts';
import { nextTurn } from '../../common/turns/turns.ts';
import type { Log } from '../../observe/log.ts';
import type { StreamCounts, StreamKind } from '../../observe/stream-counts.ts';
import type { WatchedDocument } from '../../state/changes/watched-document.ts';
import type { PublicStateKey } from '../../storage/contract/public-states.ts';
import type { Caller } from '../replies/caller.ts';
import { StreamClock, type Timed } from './clock.ts';
import type { Goodbye, GoodbyeReason } from './event-frames.ts';
import { type Holder, type Occupant, Slots } from './slots.ts';

/** A stream's request, with which its access is checked again. */
export interface StreamRequest {
  readonly kind: StreamKind;
  readonly operation: string;
  readonly requestId: string;
  readonly principal: Principal;
  readonly authorization: string;
  readonly key: PublicStateKey;
  readonly holder: Holder;
}

export interface StreamsOptions {
  readonly streamsMax: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Draws a number from 0 to below 1. */
  readonly random: () => number;
  readonly log: Log;
  /** Whether the end of each stream is logged. */
  readonly isLogged: boolean;
  readonly counts: StreamCounts;
}

const minute = 60_000;
/** Streams end after 30 minutes ± 20 %, so that streams that began together do not end together. */
const ageMax = { milliseconds: 30 * minute, spread: 0.2 };

/** Why a client must reconnect. A stream closed to make room gets `max_age` and a longer delay. */
type RetryCause = Exclude<GoodbyeReason, 'shutdown'> | 'displaced';

/** The reconnection delay for each cause: the minimum, and the range over which clients are spread. */
const retries: Readonly<Record<RetryCause, readonly [number, number]>> = {
  max_age: [0, 2_000],
  expired: [0, 2_000],
  revoked: [30_000, 30_000],
  displaced: [5_000, 25_000],
};
/** After a shutdown, reconnections are spread over a millisecond per stream, within limits. */
const shutdownRetry = { firstMilliseconds: 1_000, spreadMin: 5_000, spreadMax: 30_000 };

/** One stream, or one waiting long poll. */
export class Stream implements Occupant, Timed {
  readonly request: StreamRequest;
  readonly endsAtMs: number;
  readonly openedAt = performance.now();
  events = 0;
  bytes = 0;
  /** Whether its slot has been freed. */
  isClosed = false;
  /** Why it ends; set when it does. */
  goodbye: Goodbye | undefined;
  /** Sends a heartbeat. */
  onBeat: (() => void) | undefined;
  /** Sends the client a last frame. */
  onEnd: ((goodbye: Goodbye) => void) | undefined;
  /** Sends the client all events so far. */
  catchUp: (() => Promise<void>) | undefined;
  readonly #streams: Streams;

  constructor(streams: Streams, request: StreamRequest, endsAtMs: number) {
    this.#streams = streams;
    this.request = request;
    this.endsAtMs = endsAtMs;
  }

  get holder(): Holder {
    return this.request.holder;
  }

  beat(): void {
    this.onBeat?.();
  }

  expire(): void {
    this.end(this.endsAtMs >= this.request.principal.expiresAtMs ? 'expired' : 'max_age');
  }

  /** Ends the stream because its credential is no longer valid. */
  revoke(): void {
    this.end(this.#streams.now() >= this.request.principal.expiresAtMs ? 'expired' : 'revoked');
  }

  evict(): void {
    this.end('max_age', 'displaced');
  }

  end(reason: GoodbyeReason, cause: GoodbyeReason | 'displaced' = reason): void {
    if (this.goodbye !== undefined) return;
    this.goodbye = { reason, retryAfterMs: this.#streams.retryAfter(cause) };
    this.onEnd?.(this.goodbye);
  }

  /** Counts the events sent to the client. */
  count(events: number, bytes: number): void {
    this.events += events;
    this.bytes += bytes;
    this.#streams.counts.sent(events, bytes);
  }

  /** Frees its slot. Called once its connection is closed, or its long poll is answered. */
  close(): void {
    this.#streams.close(this);
  }
}

/** A stream or long poll that has its slot and its source. */
export interface Opened<Key> {
  readonly stream: Stream;
  readonly document: WatchedDocument<Key>;
  /** The client's version; undefined if it has none. */
  readonly since: number | undefined;
  readonly caller: Caller;
  /** Call this once the reader has left the document. */
  release(): void;
}

/** Streams ended in one turn of the event loop. */
const endedInTurn = 100;

export class Streams {
  readonly #options: StreamsOptions;
  readonly #slots: Slots<Stream>;
  readonly #clock: StreamClock;
  #isStopping = false;
  /** Called with each stream that gets a slot. */
  onOpened: ((stream: Stream) => void) | undefined;

  constructor(options: StreamsOptions) {
    this.#options = options;
    this.#slots = new Slots(options);
    this.#clock = new StreamClock(options.now);
  }

  now(): number {
    return this.#options.now();
  }

  get counts(): StreamCounts {
    return this.#options.counts;
  }

  /** Takes a slot. Refuses `rate_limited` or `service_unavailable`, including while the service stops. */
  open(request: StreamRequest): Stream {
    if (this.#isStopping) {
      throw new Refusal('service_unavailable', 'this node is stopping; repeat the request unchanged', {
        retryAfterSeconds: 1,
      });
    }
    this.#slots.check(request.holder);
    const { now, random, counts } = this.#options;
    const age = ageMax.milliseconds * (1 + ageMax.spread * (2 * random() - 1));
    const stream = new Stream(this, request, Math.min(now() + age, request.principal.expiresAtMs));
    this.#slots.add(stream);
    this.#clock.add(stream);
    counts.opened(request.kind);
    this.onOpened?.(stream);
    return stream;
  }

  close(stream: Stream): void {
    const { kind, operation, requestId, key, principal } = stream.request;
    stream.isClosed = true;
    this.#slots.delete(stream);
    this.#clock.delete(stream);
    const { events, bytes } = stream;
    const reason = stream.goodbye?.reason ?? 'closed';
    const { log, counts, isLogged } = this.#options;
    counts.closed(kind, reason);
    if (!isLogged || kind.endsWith('poll')) return;
    const durationMilliseconds = Math.round(performance.now() - stream.openedAt);
    const holder = { account: principal.accountId, project: key.slug };
    log.info({ requestId, operation, reason, events, bytes, durationMilliseconds, ...holder }, 'stream ended');
  }

  /** Draws the reconnection delay of an ending stream's client, in milliseconds. */
  retryAfter(cause: GoodbyeReason | 'displaced'): number {
    const { firstMilliseconds, spreadMin, spreadMax } = shutdownRetry;
    const [first, spread] =
      cause === 'shutdown'
        ? [firstMilliseconds, Math.min(Math.max(this.#slots.size, spreadMin), spreadMax)]
        : retries[cause];
    return first + Math.floor(this.#options.random() * spread);
  }

  ofAccount(account: string): Iterable<Stream> {
    return this.#slots.ofAccount(account);
  }

  all(): Iterable<Stream> {
    return this.#slots.all();
  }

  /** Ends all streams, some in each turn of the event loop. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    let ended = 0;
    for (const stream of [...this.all()]) {
      stream.end('shutdown');
      if (++ended % endedInTurn === 0) await new Promise<void>(nextTurn);
    }
    this.#clock.close();
  }
}
