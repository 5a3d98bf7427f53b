/** Logs failures of background work: at once, then at intervals as long as it keeps failing. */
import type { BackgroundObserver, BackgroundTask } from '../storage/store-observer.ts';
import type { Log } from './log.ts';

/**
 * Beside the work of the store: `sign_ins` clears away expired ones, `request_counts` sends the counts of API requests, and
 * `change_streams` looks for changes of what is watched.
 */
export type ObservedTask = BackgroundTask | 'sign_ins' | 'request_counts' | 'change_streams';

/** All of them, for counters that begin at 0. */
export const observedTasks: readonly ObservedTask[] = [
  'sweep',
  'changes',
  'checkpoint',
  'writer',
  'clock',
  'sign_ins',
  'request_counts',
  'change_streams',
];

export interface BackgroundLog extends BackgroundObserver {
  onBackgroundFailure(task: ObservedTask, error: unknown): void;
  onBackgroundRecovery(task: ObservedTask): void;
}

export interface BackgroundLogOptions {
  readonly log: Log;
  /** Called for each failure. */
  readonly count?: ((task: ObservedTask) => void) | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

interface TaskState {
  /** When a failure was last logged. */
  loggedAt: number;
  /** Failures since then. */
  failures: number;
  /** Whether the last line about the task is one of a failure. */
  isLoggedAsFailing: boolean;
}

/** Between two failures of one task that are logged. */
const intervalMilliseconds = 60_000;

/** Returns what logs and counts failures of background work. */
export function createBackgroundLog({ log, count, now }: BackgroundLogOptions): BackgroundLog {
  const states = new Map<ObservedTask, TaskState>();
  return {
    onBackgroundFailure(task, error) {
      count?.(task);
      const state = states.get(task) ?? { loggedAt: Number.NEGATIVE_INFINITY, failures: 0, isLoggedAsFailing: false };
      states.set(task, state);
      state.failures++;
      if (now() - state.loggedAt < intervalMilliseconds) return;
      log.error({ task, failures: state.failures, error }, 'background work failed; it is tried again');
      state.loggedAt = now();
      state.failures = 0;
      state.isLoggedAsFailing = true;
    },
    onBackgroundRecovery(task) {
      const state = states.get(task);
      if (!state?.isLoggedAsFailing) return;
      log.info({ task }, 'background work succeeds again');
      state.isLoggedAsFailing = false;
    },
  };
}
