/** The readers of one document, who are served in rounds, some in each turn of the event loop. */
import type { ChangeEvent } from './events.ts';
import type { FanOut, Told } from './fan-out.ts';
import type { Position, Watch } from './watch.ts';

export class Readers implements Told {
  readonly #watches = new Set<Watch>();
  readonly #fanOut: FanOut;
  readonly #next: (position: Position) => ChangeEvent | undefined;
  readonly #told: () => number;
  #round: Iterator<Watch> | undefined;
  /** Whether something has happened since the round began. */
  #isStale = false;

  /** `next` is what comes next for a reader, and `told` counts what the document has told in all. */
  constructor(fanOut: FanOut, next: (position: Position) => ChangeEvent | undefined, told: () => number) {
    this.#fanOut = fanOut;
    this.#next = next;
    this.#told = told;
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

  /** Has all of them told, some later than others. */
  wake(): void {
    this.#isStale = true;
    if (this.#watches.size > 0) this.#fanOut.add(this);
  }

  tellSome(readers: number): boolean {
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
      this.tell(value);
    }
    return true;
  }

  /** Sends a reader the events that it takes now. */
  tell(watch: Watch): void {
    while (watch.isReady) {
      const event = this.#next(watch.position);
      if (event === undefined) return;
      watch.position = event.version;
      watch.toldMark = this.#told();
      watch.isReady = watch.sink.take(event);
    }
  }
}
