/** When flags must be evaluated again: after a change in the document's stream, or each minute if there is no stream. */
import { isHoldfastError } from '../errors.ts';
import { orAborted } from '../limits.ts';
import { delay } from '../runtime.ts';
import type { FlagParts } from './types.ts';

/** If the stream is refused: the time between two evaluations, give or take a fifth. */
const pollMs = 60_000;
/** The members of a document that affect flags. */
const members = ['flags', '$evaluators', 'metadata'] as const;

export interface RefreshTrigger {
  /** Waits until the document is known, so that flags are not evaluated twice, but at most `waitMs`. */
  begin(waitMs: number, signal: AbortSignal): Promise<void>;
  /** Must be called before an evaluation is sent, which covers all changes so far. */
  take(): void;
  /** Waits until the flags may have changed since, then for a random time before the next request. */
  next(sentAt: number, spreadMs: number, signal: AbortSignal): Promise<void>;
}

/** Listens to the document until the signal is aborted. */
export function listen({ feed, options }: FlagParts, listening: AbortSignal): RefreshTrigger {
  const { schema, defaults } = options;
  // A schema can hide a change, and a default can replace a removed value.
  const isAsStored = schema?.publicState === undefined && hasSameFlags({}, Object(defaults?.publicState));
  let state: Record<string, unknown> | null | undefined;
  let isDue = false;
  let isRefused = false;
  let wake = (): void => {};
  const woken = (signal: AbortSignal): Promise<void> =>
    orAborted(
      new Promise<void>((resolve) => {
        wake = resolve;
      }),
      signal,
    );
  feed.subscribe(
    (snapshot) => {
      if (snapshot.stale) return;
      isDue ||= state === undefined || !isAsStored || !hasSameFlags(state, snapshot.state);
      isRefused = false;
      state = snapshot.state;
      wake();
    },
    {
      signal: listening,
      onError: (error) => {
        // A document that does not fit the schema counts as changed too.
        if (isHoldfastError(error, 'invalid_state')) isDue = true;
        else isRefused = true;
        wake();
      },
    },
  );
  return {
    async begin(waitMs, signal) {
      if (state === undefined && !isRefused) await Promise.race([woken(signal), delay(waitMs, signal)]);
    },
    take() {
      isDue = false;
    },
    async next(sentAt, spreadMs, signal) {
      while (!isDue && !isRefused) await woken(signal);
      if (!isDue) return delay(pollMs * (0.8 + Math.random() * 0.4), signal);
      await delay(Math.max(Math.random() * spreadMs, sentAt + spreadMs - Date.now()), signal);
    },
  };
}

/** Whether two documents have the same flags. Unchanged parts are the same object in both. */
function hasSameFlags(one: Record<string, unknown> | null, other: Record<string, unknown> | null): boolean {
  return members.every((name) => {
    const [before, after] = [one?.[name], other?.[name]];
    return before === after || JSON.stringify(before) === JSON.stringify(after);
  });
}
