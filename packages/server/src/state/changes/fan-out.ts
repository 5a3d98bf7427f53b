/**
 * The readers of documents. Each has a position and receives the events after it, in rounds: some readers in each turn of the event loop,
 * for a few milliseconds. Documents take turns too, so one with many readers does not delay the rest.
 */
import type { ChangeEvent, Position } from './events.ts';

/** Receives a reader's events. */
export interface Sink {
  /** Returns whether it can take another event now. If not, the watch's `ready` must be called once it can. */
  take(event: ChangeEvent): boolean;
}

export interface Watch {
  position: Position;
  readonly sink: Sink;
  isReady: boolean;
  /** The document's `changeCharacters` when the reader last took an event. */
  seenCharacters: number;
}

/** One document's readers, served in rounds. */
export class Readers implements Served {
  readonly #watches = new Set<Watch>();
  readonly #fanOut: FanOut;
  readonly #next: (position: Position) => ChangeEvent | undefined;
  readonly #changeCharacters: () => number;
  #round: Iterator<Watch> | undefined;
  /** Whether anything has happened since the round began. */
  #isStale = false;

  /** `next` returns a reader's next event; `changeCharacters` returns the characters of all changes of the document. */
  constructor(fanOut: FanOut, next: (position: Position) => ChangeEvent | undefined, changeCharacters: () => number) {
    this.#fanOut = fanOut;
    this.#next = next;
    this.#changeCharacters = changeCharacters;
  }

  get size(): number {
    return this.#watches.size;
  }

  has(watch: Watch): boolean {
    return this.#watches.has(watch);
  }

  add(watch: Watch): void {
    this.#watches.add(watch);
  }

  delete(watch: Watch): void {
    this.#watches.delete(watch);
  }

  /** Serves all readers, some in later turns. */
  wake(): void {
    this.#isStale = true;
    if (this.#watches.size > 0) this.#fanOut.add(this);
  }

  serveSome(readers: number): boolean {
    if (this.#round === undefined) {
      this.#isStale = false;
      this.#round = this.#watches.values();
    }
    for (let i = 0; i < readers; i++) {
      const { value, done } = this.#round.next();
      if (done) {
        this.#round = undefined;
        return this.#isStale;
      }
      this.send(value);
    }
    return true;
  }

  /** Sends a reader as many events as it takes now. */
  send(watch: Watch): void {
    while (watch.isReady) {
      const event = this.#next(watch.position);
      if (event === undefined) return;
      watch.position = event.version;
      watch.seenCharacters = this.#changeCharacters();
      watch.isReady = watch.sink.take(event);
    }
  }
}

const turnMilliseconds = 4;
/** Readers of one document served before the next document's turn. */
const readersPerTurn = 32;

/** A document with readers to serve. */
interface Served {
  /** Serves up to this many readers. Returns whether any remain. */
  serveSome(readers: number): boolean;
}

export class FanOut {
  readonly #nextTurn: (work: () => void) => void;
  readonly #waiting = new Set<Served>();
  #isScheduled = false;

  /** `nextTurn` runs work in a later turn of the event loop. */
  constructor(nextTurn: (work: () => void) => void) {
    this.#nextTurn = nextTurn;
  }

  /** Queues a document whose readers must be served. */
  add(document: Served): void {
    this.#waiting.add(document);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#nextTurn(() => this.#turn());
  }

  #turn(): void {
    const endsAt = performance.now() + turnMilliseconds;
    for (const document of this.#waiting) {
      this.#waiting.delete(document);
      if (document.serveSome(readersPerTurn)) this.#waiting.add(document); // to the end of the queue
      if (performance.now() >= endsAt) break;
    }
    this.#isScheduled = this.#waiting.size > 0;
    if (this.#isScheduled) setImmediate(() => this.#turn());
  }
}
