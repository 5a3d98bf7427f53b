/** Observation of the service: the log, and metrics and traces if the settings enable them. */
import { clockOffsetMilliseconds } from '../storage/contract/installation.ts';
import type { StoreObserver } from '../storage/contract/store-observer.ts';
import type { Store } from '../storage/store.ts';
import { type BackgroundLog, createBackgroundLog } from './background-log.ts';
import type { OnAnswer } from './completed-request.ts';
import { createFlood } from './flood.ts';
import { createLog, type Log, type LogLevel } from './log.ts';
import type { LogOutput } from './log-output.ts';
import type { Metrics } from './metrics.ts';
import { createRequestLog, type LogRequests } from './request-log.ts';
import { passedOnTrace, type TraceOf } from './trace-context.ts';

/** A pipeline's reports about its requests. */
export interface Observers {
  /** The trace that a request belongs to. */
  readonly traceOf: TraceOf;
  /** Whether requests without a trace context begin a trace. */
  readonly beginsTraces: boolean;
  /** Undefined if nothing observes responses. */
  readonly onAnswer: OnAnswer | undefined;
  /** Whether to log a fault of this kind, which any request can cause. */
  admitsFault(kind: string): boolean;
}

export interface ObservationOptions {
  readonly level: LogLevel;
  readonly output: LogOutput;
  readonly requests: LogRequests;
  readonly metrics: boolean;
  readonly traces: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface Observation extends Observers {
  readonly log: Log;
  /** Undefined unless the settings enable metrics. */
  readonly metrics: Metrics | undefined;
  readonly storeObserver: StoreObserver | undefined;
  /** Logs and counts failures that no request waits for. */
  readonly background: BackgroundLog;
  /** Receives how far the clock of the database is ahead of the machine's, in milliseconds. */
  onClockOffset(milliseconds: number): void;
  /** Receives whether the clock is believed, so that expired records may be removed. */
  onClockChecked(isTrusted: boolean): void;
  /** Observes a store. Returns the store to use instead. */
  watch(store: Store, system: string): Store;
  /** Sends and logs everything that is left. The log output stays open. */
  close(): Promise<void>;
}

/** Starts the observation. */
export async function startObservation(options: ObservationOptions): Promise<Observation> {
  const { level, output, requests, now } = options;
  const log = createLog(level, output);
  const flood = createFlood(
    (kind, lines) => log.info({ code: kind, lines }, 'further responses with this code were not logged one by one'),
    now,
  );
  const metrics = options.metrics ? (await import('./metrics.ts')).createMetrics() : undefined;
  const tracing = options.traces
    ? (await import('./tracing.ts')).createTracing((reason) => log.warn({ reason }, 'traces could not be sent'))
    : undefined;
  const listeners: OnAnswer[] = [];
  const isInfo = log.isLevelEnabled('info');
  if (isInfo)
    listeners.push(
      createRequestLog({
        output,
        isTerminal: output.isTerminal ?? false,
        flood,
        requests,
        isDebug: log.isLevelEnabled('debug'),
      }),
    );
  if (metrics !== undefined) listeners.push(metrics.onAnswer);
  if (tracing !== undefined) listeners.push((completed, outcome) => completed.trace?.end?.(completed, outcome));
  return {
    log,
    metrics,
    storeObserver: metrics?.storeObserver,
    background: createBackgroundLog({ log, count: metrics?.countBackgroundFailure, now }),
    traceOf: tracing?.traceOf ?? passedOnTrace,
    beginsTraces: tracing !== undefined,
    onAnswer: together(listeners),
    admitsFault: (kind) => flood.admits(kind),
    onClockOffset: createOffsetWatch(log, metrics),
    onClockChecked: (isTrusted) => metrics?.clock.checked(isTrusted),
    watch(store, system) {
      metrics?.watch(store);
      return tracing?.traced(store, system) ?? store;
    },
    async close() {
      await tracing?.close().catch((error: unknown) => log.warn({ error }, 'the last traces could not be sent'));
      flood.close();
    },
  };
}

/** Logs a too large offset once, until it is smaller again or has changed by as much. */
function createOffsetWatch(log: Log, metrics: Metrics | undefined): (milliseconds: number) => void {
  let logged = 0;
  return (milliseconds) => {
    metrics?.clock.measured(milliseconds / 1000);
    const isFar = Math.abs(milliseconds) > clockOffsetMilliseconds;
    if (isFar && Math.abs(milliseconds - logged) > clockOffsetMilliseconds) {
      const seconds = Math.round(milliseconds / 100) / 10;
      log.warn({ seconds }, 'the clock of the database is ahead of that of this machine; the service follows the database');
      logged = milliseconds;
    } else if (!isFar && logged !== 0) {
      log.info('the clocks of the database and of this machine agree again');
      logged = 0;
    }
  };
}

function together([first, ...others]: readonly OnAnswer[]): OnAnswer | undefined {
  if (first === undefined || others.length === 0) return first;
  return (completed, outcome, milliseconds) => {
    first(completed, outcome, milliseconds);
    for (const other of others) other(completed, outcome, milliseconds);
  };
}
