/** Observers of an engine: of its commits and failures, and of its background work. */
import type { SigningKeyRecord } from './sign-in-store.ts';

/** Measures the work of an engine. Without an observer nothing is measured. */
export interface StoreObserver {
  /** Called once, when the store is open. `writesWaiting` returns how many writes wait for their outcome. */
  onOpen(writesWaiting: () => number): void;
  /** Writes became durable together in one transaction, which took this long. */
  onCommit(writes: number, milliseconds: number): void;
  /** Writes failed together. */
  onFailure(writes: number): void;
}

/**
 * `sweep`: removing what deletions leave behind. `changes`: looking for changes by other processes. `checkpoint`: copying the write-ahead
 * log into the database. `writer`: the thread that writes. `clock`: asking the database for its time. `heartbeat`: the mark that shows
 * whether the store went back.
 */
export type BackgroundTask = 'sweep' | 'changes' | 'checkpoint' | 'writer' | 'clock' | 'heartbeat';

/** Receives failures that no request reports. */
export interface BackgroundObserver {
  /** The task has failed. It is tried again later. */
  onBackgroundFailure(task: BackgroundTask, error: unknown): void;
  /** The task has succeeded after failures. */
  onBackgroundRecovery(task: BackgroundTask): void;
}

/** An upgrade of the schema while the store was opened. */
export interface Upgrade {
  /** The newest migration before and after. */
  readonly from: number;
  readonly to: number;
  /** The file with a copy of the earlier database, if one was made. */
  readonly copy: string | null;
  readonly milliseconds: number;
}
export type OnUpgrade = (upgrade: Upgrade) => void;

/**
 * Called before a schema is created or changed, with the stored signing keys; none for a new database. If it rejects, its error is thrown,
 * and the database stays unchanged.
 */
export type BeforeChange = (signingKeys: readonly SigningKeyRecord[]) => Promise<void>;

/** Receives, at each measurement, how many milliseconds the clock of the database is ahead of the machine's. */
export type OnClockOffset = (milliseconds: number) => void;

/** Called when this process has found that the store went back, with the new version floor; undefined: it could not be raised. */
export type OnRollback = (versionFloor: number | undefined) => void;

/** For a store without an observer. */
export const unobserved: BackgroundObserver = {
  onBackgroundFailure: () => undefined,
  onBackgroundRecovery: () => undefined,
};

/** How long to wait after the first failure in a row, and at most. Each failure doubles the wait. */
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
