/**
 * The readers of documents. Each has a position and gets the events after it, in rounds: some readers in each turn of the event loop, for a
 * few milliseconds. Documents take turns too, so one with many readers does not delay the others.
 */
import type { ChangeEvent, Position } from './events.ts';

/** Receives the events of a reader. */
export interface Sink {
  /** Returns whether it can take one more now. If not, `ready` of the watch reports when it can. */
  take(event: ChangeEvent): boolean;
}

export interface Watch {
  position: Position;
  readonly sink: Sink;
  isReady: boolean;
  /** The characters of all changes of the document when the reader last took one. */
  seenCharacters: number;
}

/** The readers of one document, served in rounds. */
export class Readers implements Served {
  readonly #watches = new Set<Watch>();
  readonly #fanOut: FanOut;
  readonly #next: (position: Position) => ChangeEvent | undefined;
  readonly #changeCharacters: () => number;
  #round: Iterator<Watch> | undefined;
  /** Whether something has happened since the round began. */
  #isStale = false;

  /** `next` returns the next event for a reader; `changeCharacters` counts the characters of all changes of the document. */
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

  /** Serves all readers, some later than others. */
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

  /** Sends a reader the events that it takes now. */
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
/** Readers of one document that are served before the next document. */
const readersPerTurn = 32;

/** A document whose readers are served. */
interface Served {
  /** Serves this many readers. Returns whether any are left. */
  serveSome(readers: number): boolean;
}

export class FanOut {
  readonly #nextTurn: (work: () => void) => void;
  readonly #waiting = new Set<Served>();
  #isScheduled = false;

  /** `nextTurn` runs work in one of the next turns of the loop. */
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
      if (document.serveSome(readersPerTurn)) this.#waiting.add(document); // comes last
      if (performance.now() >= endsAt) break;
    }
    this.#isScheduled = this.#waiting.size > 0;
    if (this.#isScheduled) setImmediate(() => this.#turn());
  }
}
