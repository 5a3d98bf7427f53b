/** One clock for all streams: sends heartbeats, spread evenly over their interval, and ends streams whose time is over. */

const tickMilliseconds = 500;
const heartbeatMilliseconds = 15_000;
const slots = heartbeatMilliseconds / tickMilliseconds;

export interface Timed {
  /** The end time, in milliseconds since the epoch. */
  readonly endsAtMs: number;
  /** Sends a heartbeat. */
  beat(): void;
  /** Called when the time is over. */
  expire(): void;
}

interface Timing {
  readonly slot: Set<Timed>;
  readonly end: number;
}

export class StreamClock {
  readonly #now: () => number;
  readonly #slots: readonly Set<Timed>[] = Array.from({ length: slots }, () => new Set<Timed>());
  /** Streams, keyed by the tick in which they end. */
  readonly #ends = new Map<number, Set<Timed>>();
  readonly #streams = new Map<Timed, Timing>();
  #next = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `now` gives milliseconds since the epoch. */
  constructor(now: () => number) {
    this.#now = now;
  }

  add(stream: Timed): void {
    const slot = this.#slots[this.#streams.size % slots] as Set<Timed>;
    const end = Math.floor(stream.endsAtMs / tickMilliseconds);
    slot.add(stream);
    const same = this.#ends.get(end);
    if (same === undefined) this.#ends.set(end, new Set([stream]));
    else same.add(stream);
    this.#streams.set(stream, { slot, end });
    this.#timer ??= setInterval(() => this.#tick(), tickMilliseconds).unref();
  }

  delete(stream: Timed): void {
    const timing = this.#streams.get(stream);
    if (timing === undefined) return;
    const { slot, end } = timing;
    this.#streams.delete(stream);
    slot.delete(stream);
    const same = this.#ends.get(end);
    same?.delete(stream);
    if (same?.size === 0) this.#ends.delete(end);
    if (this.#streams.size === 0) this.close();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    const tick = Math.floor(this.#now() / tickMilliseconds);
    for (const [end, streams] of this.#ends) {
      if (end < tick) for (const stream of streams) stream.expire();
    }
    this.#next = (this.#next + 1) % slots;
    for (const stream of this.#slots[this.#next] ?? []) stream.beat();
  }
}
