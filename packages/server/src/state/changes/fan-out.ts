/**
 * Sends events to many readers without holding the event loop: for a few milliseconds in each turn. Documents take turns as well, so
 * one with many readers does not delay the others.
 */

const turnMilliseconds = 4;
/** Readers of one document that are served before the next document. */
const readersPerTurn = 32;

export interface Told {
  /** Serves so many readers. Returns whether any is left. */
  tellSome(readers: number): boolean;
}

export class FanOut {
  readonly #nextTurn: (work: () => void) => void;
  readonly #waiting = new Set<Told>();
  #isScheduled = false;

  /** `nextTurn` runs work in one of the next turns of the loop. */
  constructor(nextTurn: (work: () => void) => void) {
    this.#nextTurn = nextTurn;
  }

  /** Queues a document whose readers are to be served. */
  add(document: Told): void {
    this.#waiting.add(document);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#nextTurn(() => this.#turn());
  }

  #turn(): void {
    const endsAt = performance.now() + turnMilliseconds;
    for (const document of this.#waiting) {
      this.#waiting.delete(document);
      if (document.tellSome(readersPerTurn)) this.#waiting.add(document); // comes last
      if (performance.now() >= endsAt) break;
    }
    this.#isScheduled = this.#waiting.size > 0;
    if (this.#isScheduled) setImmediate(() => this.#turn());
  }
}
