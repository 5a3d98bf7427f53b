import { HoldfastError } from './errors.ts';
import { timerMsMax } from './runtime.ts';

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of the call, including waits and retries. */
  readonly timeoutMs?: number | undefined;
}

/** The bounds of a running call. */
export interface Limits {
  /** Aborted when the caller cancels or the time is over. Nothing is sent after that. */
  readonly signal: AbortSignal;
  /** The end of the time. */
  readonly deadline: number;
}

/**
 * Runs work within the bounds of a call, including waits for its turn, locks, tokens and responses. Rejects with the reason of the caller's
 * signal, or with `timeout`. The work must stop when `signal` is aborted.
 */
export async function withinLimits<Result>(
  { signal, timeoutMs = 30_000 }: CallOptions,
  work: (limits: Limits) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  const late = (): void => controller.abort(new HoldfastError('timeout', `the call took longer than ${timeoutMs} ms`));
  const timer = setTimeout(late, Math.min(timeoutMs, timerMsMax));
  try {
    return await orAborted(work({ signal: controller.signal, deadline: Date.now() + timeoutMs }), controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Waits for something that ignores signals. Rejects with the signal's reason when aborted. */
export function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
