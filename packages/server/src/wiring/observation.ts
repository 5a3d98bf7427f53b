/** Starts the observation of a service, and its counters of requests: for the monthly quota, and for the daily figures. */

import { processClock } from '../common/time/clock.ts';
import type { Config } from '../config/config.ts';
import { RequestMeter } from '../limits/request-quota.ts';
import { type LogOutput, openLogOutput } from '../observe/log-output.ts';
import { type Observation, startObservation } from '../observe/observation.ts';
import { RequestFigures } from '../usage/request-figures.ts';
import type { Disposal } from './disposal.ts';
import type { Wiring } from './wiring.ts';

interface ObservationSources {
  readonly now?: () => number;
  readonly traces?: boolean;
  readonly logOutput?: LogOutput;
}

/** Opens the log, and starts the metrics and traces that the settings enable. */
export async function openObservation(
  config: Config,
  options: ObservationSources,
  disposal: Disposal,
): Promise<Observation> {
  const output = options.logOutput ?? (await openLogOutput(config.logFormat));
  disposal.add('the log', () => output.close());
  const observation = await startObservation({
    level: config.logLevel,
    output,
    requests: config.logRequests,
    metrics: config.metricsPort !== undefined,
    traces: options.traces ?? false,
    now: options.now ?? processClock.now,
  });
  disposal.add('the observation', () => observation.close());
  return observation;
}

/** Serves metrics if the settings enable them. Returns their address. */
export async function listenForMetrics(
  { metricsHost, metricsPort }: Config,
  { metrics }: Observation,
  disposal: Disposal,
): Promise<string | undefined> {
  if (metrics === undefined || metricsPort === undefined) return undefined;
  const { listenForMetrics: listenOn } = await import('../http/connections/metrics-listener.ts');
  const { url, stop } = await listenOn(metricsHost, metricsPort, metrics);
  disposal.add('the listener of the metrics', stop);
  return url;
}

/** Returns the meter and the figures. Their counts are stored before the store is closed. */
export function openCounts({ store, now, observation, disposal }: Wiring): {
  readonly meter: RequestMeter;
  readonly figures: RequestFigures;
} {
  const onFault = (error: unknown) => observation.background.onBackgroundFailure('request_counts', error);
  const meter = new RequestMeter({ store, now, onFault });
  disposal.add('the counts of API requests', () => meter.close());
  const figures = new RequestFigures({ store, now, onFault });
  disposal.add('the figures of requests', () => figures.close());
  return { meter, figures };
}
