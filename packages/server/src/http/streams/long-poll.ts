/** A response that waits for the first events and ends with them. */
import type { ChangeEvent } from '../../state/changes/events.ts';
import type { Sink } from '../../state/changes/readers.ts';
import { eventObject, type Goodbye, goodbyeObject } from './event-frames.ts';

/** The most that one response holds. Further events come with the next one. */
const eventsMax = 50;
const charactersMax = 262_144;
/** How long to wait for events that are being made, once there is one. */
const gatheringMilliseconds = 1_000;

export class LongPoll implements Sink {
  readonly #events: string[] = [];
  readonly #done = Promise.withResolvers<void>();
  #characters = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Whether more events are being made. */
  isBehind: () => boolean = () => false;

  /** How long to wait for the first event. */
  constructor(waitMilliseconds: number) {
    this.#timer = setTimeout(() => this.finish(), waitMilliseconds);
  }

  take(event: ChangeEvent): boolean {
    const text = eventObject(event);
    this.#events.push(text);
    this.#characters += text.length;
    if (this.#events.length === 1) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.finish(), gatheringMilliseconds);
    }
    queueMicrotask(() => this.check());
    return !this.#isFull();
  }

  /** Ends the wait when there is an event and no more is being made. */
  check(): void {
    if (this.#events.length > 0 && (this.#isFull() || !this.isBehind())) this.finish();
  }

  end(goodbye: Goodbye): void {
    this.#events.push(goodbyeObject(goodbye));
    this.finish();
  }

  finish(): void {
    clearTimeout(this.#timer);
    this.#done.resolve();
  }

  /** Resolves with the events that came, each as JSON text. */
  async events(): Promise<readonly string[]> {
    await this.#done.promise;
    return this.#events;
  }

  #isFull(): boolean {
    return this.#events.length >= eventsMax || this.#characters >= charactersMax;
  }
}
