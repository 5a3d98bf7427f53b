/** Observers of an engine: of its commits and failures, and of its work in the background. */
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
 * `sweep`: clearing away what deletions have left. `changes`: looking for what other processes have changed. `checkpoint`:
 * copying the write-ahead log into the database. `writer`: the thread that writes. `clock`: asking the database for its time. `heartbeat`:
 * the mark by which it shows that the store went back.
 */
export type BackgroundTask = 'sweep' | 'changes' | 'checkpoint' | 'writer' | 'clock' | 'heartbeat';

/** Receives failures that no request reports. */
export interface BackgroundObserver {
  /** The task has failed. It is tried again later. */
  onBackgroundFailure(task: BackgroundTask, error: unknown): void;
  /** The task has succeeded after failures. */
  onBackgroundRecovery(task: BackgroundTask): void;
}

/** The schema of a store that was brought up to date while it was opened. */
export interface Upgrade {
  /** The newest migration that it had, and has now. */
  readonly from: number;
  readonly to: number;
  /** The file that the earlier database was copied to, if it was. */
  readonly copy: string | null;
  readonly milliseconds: number;
}
export type OnUpgrade = (upgrade: Upgrade) => void;

/**
 * Called before a schema is made or changed, with the signing keys that are stored; none in a new database. What it rejects with is thrown,
 * and the database stays as it is.
 */
export type BeforeChange = (signingKeys: readonly SigningKeyRecord[]) => Promise<void>;

/** Told how many milliseconds the clock of the database is ahead of the machine's, whenever that was measured. */
export type OnClockOffset = (milliseconds: number) => void;

/** Called when this process has seen that the store went back, with the floor that versions have now; undefined: it could not be raised. */
export type OnWentBack = (versionFloor: number | undefined) => void;

/** For a store without an observer. */
export const unobserved: BackgroundObserver = {
  onBackgroundFailure: () => undefined,
  onBackgroundRecovery: () => undefined,
};

/** How long to wait after the first failure in a row, and at most. Each failure doubles the wait. */
export interface Rests {
  readonly firstMilliseconds: number;
  readonly maxMilliseconds: number;
}

/** Counts the failures in a row of one task. */
export class BackgroundWork {
  readonly #task: BackgroundTask;
  readonly #observer: BackgroundObserver;
  readonly #rests: Rests;
  #failures = 0;

  constructor(task: BackgroundTask, observer: BackgroundObserver, rests: Rests) {
    this.#task = task;
    this.#observer = observer;
    this.#rests = rests;
  }

  /** Reports a failure. Returns the milliseconds until the next try. */
  fail(error: unknown): number {
    const { firstMilliseconds, maxMilliseconds } = this.#rests;
    const restMilliseconds = Math.min(maxMilliseconds, firstMilliseconds * 2 ** this.#failures);
    this.#failures++;
    this.#observer.onBackgroundFailure(this.#task, error);
    return restMilliseconds;
  }

  /** Ends a row of failures, if there is one. */
  succeed(): void {
    if (this.#failures === 0) return;
    this.#failures = 0;
    this.#observer.onBackgroundRecovery(this.#task);
  }
}
