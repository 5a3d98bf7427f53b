/**
 * Requests by route, counted in arrays and formatted when the page is read. Measured: a counter and a histogram with labels of prom-client
 * take 1.8 us a request, this takes 0.1 us.
 */
import { Counter, type Metric, type Registry } from 'prom-client';
import { type CompletedRequest, methodLabel, type Outcome } from './completed-request.ts';

/** Upper bounds in seconds; a read takes some 100 us, a write as long as the disk takes to sync. */
const boundsSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/** The label of every path without a route. */
const noRoute = { path: '(none)' };

interface Tally {
  readonly method: string;
  readonly path: string;
  readonly statuses: Map<number, number>;
  /** How many requests took up to each bound and longer than the previous one; last, those over all bounds. */
  readonly buckets: Float64Array;
  sumSeconds: number;
}

/** Counts requests into `registry`. Returns the function to call for each request. */
export function registerRouteMetrics(
  registry: Registry,
): (completed: CompletedRequest, outcome: Outcome, seconds: number) => void {
  const byOperation = new Map<object, Map<string, Tally>>();
  const tallies = (): Tally[] => [...byOperation.values()].flatMap((byMethod) => [...byMethod.values()]);
  registerRequests(registry, tallies);
  registry.registerMetric(durations(tallies) as unknown as Metric);

  function begin(operation: { readonly path: string }, method: string): Tally {
    const tally = newTally(method, operation.path);
    const byMethod = byOperation.get(operation) ?? new Map<string, Tally>();
    byOperation.set(operation, byMethod.set(method, tally));
    return tally;
  }

  return (completed, { status }, seconds) => {
    const operation = completed.route?.operation ?? noRoute;
    const method = methodLabel(completed);
    const tally = byOperation.get(operation)?.get(method) ?? begin(operation, method);
    tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
    let bucket = 0;
    while (bucket < boundsSeconds.length && seconds > (boundsSeconds[bucket] as number)) bucket++;
    tally.buckets[bucket] = (tally.buckets[bucket] as number) + 1;
    tally.sumSeconds += seconds;
  };
}

function newTally(method: string, path: string): Tally {
  return { method, path, statuses: new Map(), buckets: new Float64Array(boundsSeconds.length + 1), sumSeconds: 0 };
}

function registerRequests(registry: Registry, tallies: () => readonly Tally[]): void {
  new Counter({
    name: 'holdfast_http_requests_total',
    help: 'Requests that were answered, by route and status; 499 where the client went away before.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { method, path, statuses } of tallies()) {
        for (const [status, requests] of statuses) this.inc({ method, route: path, status }, requests);
      }
    },
  });
}

/** A histogram in the form that a registry writes; prom-client's own class must be fed one request at a time. */
function durations(tallies: () => readonly Tally[]) {
  const name = 'holdfast_http_request_duration_seconds';
  const get = async () => ({
    name,
    help: 'From the arrival of the request line and headers to the answer being handed to the connection.',
    type: 'histogram',
    aggregator: 'sum',
    values: tallies().flatMap(({ method, path, buckets, sumSeconds }) => {
      const labels = { method, route: path };
      let count = 0;
      const counts = Array.from(buckets, (requests, bucket) => {
        count += requests;
        return { metricName: `${name}_bucket`, labels: { ...labels, le: boundsSeconds[bucket] ?? '+Inf' }, value: count };
      });
      return [
        ...counts,
        { metricName: `${name}_sum`, labels, value: sumSeconds },
        { metricName: `${name}_count`, labels, value: count },
      ];
    }),
  });
  return { name, get };
}
