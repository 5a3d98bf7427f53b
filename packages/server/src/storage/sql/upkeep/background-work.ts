/** The retries of an engine's background work. */
import type { BackgroundObserver, BackgroundTask } from '../../contract/store-observer.ts';

/** The wait after the first consecutive failure, and the longest wait. Each failure doubles the wait. */
export interface Backoff {
  readonly firstMilliseconds: number;
  readonly maxMilliseconds: number;
}

/** Counts the consecutive failures of one task. */
export class BackgroundWork {
  readonly #task: BackgroundTask;
  readonly #observer: BackgroundObserver;
  readonly #rests: Backoff;
  #failures = 0;

  constructor(task: BackgroundTask, observer: BackgroundObserver, backoff: Backoff) {
    this.#task = task;
    this.#observer = observer;
    this.#rests = backoff;
  }

  /** Reports a failure. Returns the milliseconds until the next attempt. */
  fail(error: unknown): number {
    const { firstMilliseconds, maxMilliseconds } = this.#rests;
    const pauseMilliseconds = Math.min(maxMilliseconds, firstMilliseconds * 2 ** this.#failures);
    this.#failures++;
    this.#observer.onBackgroundFailure(this.#task, error);
    return pauseMilliseconds;
  }

  /** Ends a series of failures, if any. */
  succeed(): void {
    if (this.#failures === 0) return;
    this.#failures = 0;
    this.#observer.onBackgroundRecovery(this.#task);
  }
}
