/** Evaluates flags once, or repeatedly as they change. */
import { asHoldfastError, isHoldfastError } from '../errors.ts';
import { type CallOptions, withinLimits } from '../limits.ts';
import { tellAll } from '../listeners.ts';
import { untilActive } from '../live/activity.ts';
import { isFinal, pauseMs } from '../live/refusal.ts';
import { backoff, delay } from '../runtime.ts';
import { listen, type RefreshTrigger } from './refresh-trigger.ts';
import { type Asker, askerOf, bodyOf, type Evaluation, evaluate, keep, recall } from './request.ts';
import type { FlagContext, FlagOptions, FlagParts } from './types.ts';
import { type FlagMap, type FlagValues, valuesOf } from './values.ts';

/** How long the first evaluation waits for the stream. */
const firstTriggerMs = 500;

/** Evaluates all flags for a context, falling back to the cache if the service cannot be reached. */
export function evaluateFlags(parts: FlagParts, context: FlagContext = {}, options: CallOptions = {}): Promise<FlagValues> {
  return withinLimits({ ...options, timeoutMs: options.timeoutMs ?? parts.options.timeoutMs }, async (limits) => {
    const body = bodyOf(context);
    const asker = await askerOf(parts, limits.signal);
    const kept = await recall(parts, asker, body);
    try {
      const found = await evaluate(parts, asker, body, kept, limits, kept && 1);
      await keep(parts, asker, body, found);
      return valuesOf(found.flags, undefined, false);
    } catch (failure) {
      const isOutOfReach = isHoldfastError(failure) && (failure.status === 0 || failure.status >= 500);
      if (kept === undefined || !isOutOfReach || isFinal(failure)) throw failure;
      return valuesOf(kept.flags, undefined, true);
    }
  });
}

/** Sends a listener all flags for a context, and again after each change, until aborted. */
export function watchFlags(
  parts: FlagParts,
  watching: AbortController,
  listener: (values: FlagValues) => void,
  { context = {}, signal, onError, spreadMs = 10_000 }: FlagOptions = {},
): void {
  const end = (): void => watching.abort();
  if (signal?.aborted) end();
  if (watching.signal.aborted) return;
  signal?.addEventListener('abort', end);
  const trigger = listen(parts, watching.signal);
  let last: FlagValues | undefined;
  const watch: Watch = {
    parts,
    context,
    spreadMs,
    trigger,
    tell(flags, stale) {
      const values = valuesOf(flags, last?.flags, stale);
      if (last?.stale === stale && values.changed.length === 0) return;
      last = values;
      tellAll([listener], values);
    },
    hasValues: () => last !== undefined,
  };
  let run: AbortController | undefined;
  const begin = (): void => {
    run?.abort();
    const mine = new AbortController();
    run = mine;
    follow(watch, mine.signal).catch((failure) => {
      if (!mine.signal.aborted) tellAll([onError], asHoldfastError(failure));
    });
  };
  const forget = parts.auth.onChange(begin);
  watching.signal.addEventListener('abort', () => {
    forget();
    run?.abort();
    signal?.removeEventListener('abort', end);
  });
  begin();
}

interface Watch {
  readonly parts: FlagParts;
  readonly context: FlagContext;
  readonly spreadMs: number;
  readonly trigger: RefreshTrigger;
  /** Sends the listener changed flags only. */
  tell(flags: FlagMap, stale: boolean): void;
  hasValues(): boolean;
}

/** Evaluates for whoever is signed in now, and again after each change. Rejects if the service refuses. */
async function follow({ parts, context, spreadMs, trigger, tell, hasValues }: Watch, signal: AbortSignal): Promise<void> {
  const body = bodyOf(context);
  let asker: Asker | undefined;
  let known: Evaluation | undefined;
  for (let failures = 0; ; ) {
    await untilActive(signal);
    const sentAt = Date.now();
    try {
      if (asker === undefined) {
        asker = await askerOf(parts, signal);
        known = await recall(parts, asker, body);
        if (known !== undefined && !signal.aborted) tell(known.flags, true);
        await trigger.begin(firstTriggerMs, signal);
      }
      trigger.take();
      const found = await ask(parts, asker, body, known, signal);
      if (signal.aborted) return;
      if (found !== known) void keep(parts, asker, body, found);
      known = found;
      failures = 0;
      tell(found.flags, false);
    } catch (failure) {
      if (signal.aborted || isFinal(failure)) throw failure;
      // Flags of the previous user are no longer shown.
      if (hasValues()) tell(known?.flags ?? new Map(), true);
      await delay(pauseMs(failure, backoff(failures++, 1_000, 60_000)), signal);
      continue;
    }
    await trigger.next(sentAt, spreadMs, signal);
  }
}

const ask = (parts: FlagParts, asker: Asker, body: string, known: Evaluation | undefined, signal: AbortSignal) =>
  withinLimits({ signal, timeoutMs: parts.options.timeoutMs }, (limits) => evaluate(parts, asker, body, known, limits));
