/** Starts the observation of a service. */
import { processClock } from '../common/clock.ts';
import type { Config } from '../config/config.ts';
import { type LogOutput, openLogOutput } from '../observe/log-output.ts';
import { type Observation, startObservation } from '../observe/observation.ts';
import type { Releases } from './releases.ts';

interface ObservationSources {
  readonly now?: () => number;
  readonly traces?: boolean;
  readonly logOutput?: LogOutput;
}

/** Opens the log, and starts the metrics and traces that the settings enable. */
export async function openObservation(
  config: Config,
  options: ObservationSources,
  releases: Releases,
): Promise<Observation> {
  const output = options.logOutput ?? (await openLogOutput(config.logFormat));
  releases.add('the log', () => output.close());
  const observation = await startObservation({
    level: config.logLevel,
    output,
    requests: config.logRequests,
    metrics: config.metricsPort !== undefined,
    traces: options.traces ?? false,
    now: options.now ?? processClock.now,
  });
  releases.add('the observation', () => observation.close());
  return observation;
}

/** Serves metrics if the settings enable them. Returns their address. */
export async function listenForMetrics(
  { metricsHost, metricsPort }: Config,
  { metrics }: Observation,
  releases: Releases,
): Promise<string | undefined> {
  if (metrics === undefined || metricsPort === undefined) return undefined;
  const { listenForMetrics: listenOn } = await import('../http/metrics-listener.ts');
  const { url, stop } = await listenOn(metricsHost, metricsPort, metrics);
  releases.add('the listener of the metrics', stop);
  return url;
}
