/** Observers of an engine: of its commits and failures, and of its background work. */
import type { SigningKeyRecord } from './sign-ins.ts';

/** Measures the work of an engine. Without an observer nothing is measured. */
export interface StoreObserver {
  /** Called once, when the store is open. `writesWaiting` returns how many writes wait for their outcome. */
  onOpen(writesWaiting: () => number): void;
  /** Called when writes have become durable in one transaction, which took this long. */
  onCommit(writes: number, milliseconds: number): void;
  /** Called when writes have failed together. */
  onFailure(writes: number): void;
}

/**
 * `sweep`: removing data that deletions leave behind. `changes`: looking for changes by other processes. `checkpoint`: copying the
 * write-ahead log into the database. `writer`: the thread that writes. `clock`: asking the database for its time. `heartbeat`: the mark
 * that shows whether the store went back.
 */
export type BackgroundTask = 'sweep' | 'changes' | 'checkpoint' | 'writer' | 'clock' | 'heartbeat';

/** Receives failures that no request reports. */
export interface BackgroundObserver {
  /** Called when the task has failed. It will be retried. */
  onBackgroundFailure(task: BackgroundTask, error: unknown): void;
  /** Called when the task has succeeded after failures. */
  onBackgroundRecovery(task: BackgroundTask): void;
}

/** A schema upgrade made while the store was opened. */
interface Upgrade {
  /** The newest migration before and after. */
  readonly from: number;
  readonly to: number;
  /** The file with a copy of the earlier database, if one was made. */
  readonly copy: string | null;
  readonly milliseconds: number;
}
export type OnUpgrade = (upgrade: Upgrade) => void;

/**
 * Called before a schema is created or changed, with the stored signing keys; a new database has none. If it rejects, the error is thrown
 * and the database stays unchanged.
 */
export type BeforeChange = (signingKeys: readonly SigningKeyRecord[]) => Promise<void>;

/** Receives each measurement of how far the database clock is ahead of the machine's, in milliseconds. */
export type OnClockOffset = (milliseconds: number) => void;

/** Called when this process finds that the store went back, with the new version floor; undefined if it could not be raised. */
export type OnRollback = (versionFloor: number | undefined) => void;

/** For a store without an observer. */
export const unobserved: BackgroundObserver = {
  onBackgroundFailure: () => undefined,
  onBackgroundRecovery: () => undefined,
};
