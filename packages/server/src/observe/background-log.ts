/** Logs failures of background work: the first one immediately, then once a minute while it keeps failing. */
import { onceAMinute } from '../common/time/once-a-minute.ts';
import type { BackgroundObserver, BackgroundTask } from '../storage/contract/store-observer.ts';
import type { Log } from './log.ts';

const storeTasks = ['sweep', 'changes', 'checkpoint', 'writer', 'clock', 'heartbeat'] as const satisfies BackgroundTask[];

/** Each removes those that have expired or exceeded their retention; `player_words` adds missing ones. */
const expiryTasks = [
  'sign_ins',
  'identities',
  'players',
  'revoked_tokens',
  'idempotency_keys',
  'webhook_deliveries',
  'user_state_versions',
  'public_state_versions',
  'closed_proposals',
  'audit_records',
  'request_figures',
  'old_request_counts',
  'signing_keys',
  'id_token_keys',
  'player_words',
] as const;

/**
 * `clock_check` compares the clock before anything is removed, `request_counts` sends the counts of API requests, `change_streams` looks for
 * changes of watched documents, `webhooks` sends events, and `proposals` are applied and reverted at their times.
 */
const otherTasks = ['clock_check', 'request_counts', 'change_streams', 'webhooks', 'proposals'] as const;

export type ExpiryTask = (typeof expiryTasks)[number];
export type ObservedTask = BackgroundTask | ExpiryTask | (typeof otherTasks)[number];

/** All tasks, for counters that start at 0. */
export const observedTasks: readonly ObservedTask[] = [...storeTasks, ...expiryTasks, ...otherTasks];

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
  readonly failuresToLog: () => number | undefined;
  /** Whether the last line about the task reported a failure. */
  isLoggedAsFailing: boolean;
}

/** Returns the log and counter of background failures. */
export function createBackgroundLog({ log, count, now }: BackgroundLogOptions): BackgroundLog {
  const states = new Map<ObservedTask, TaskState>();
  return {
    onBackgroundFailure(task, error) {
      count?.(task);
      const state = states.get(task) ?? { failuresToLog: onceAMinute(now), isLoggedAsFailing: false };
      states.set(task, state);
      const failures = state.failuresToLog();
      if (failures === undefined) return;
      log.error({ task, failures, error }, 'background work failed; it is tried again');
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
