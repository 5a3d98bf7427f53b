/** Opens the counters of requests: for the monthly quota, and for the daily figures. */
import { createRequestFigures, type RequestFigures } from '../limits/request-figures.ts';
import { createRequestMeter, type RequestMeter } from '../limits/request-quota.ts';
import type { Observation } from '../observe/observation.ts';
import type { Releases } from './releases.ts';
import type { Wiring } from './wiring.ts';

export interface CountsWiring extends Pick<Wiring, 'store' | 'now'> {
  readonly observation: Observation;
  readonly releases: Releases;
}

/** Returns the meter and the figures. Their counts are stored before the store is closed. */
export function openCounts({ store, now, observation, releases }: CountsWiring): {
  readonly meter: RequestMeter;
  readonly figures: RequestFigures;
} {
  const onFault = (error: unknown) => observation.background.onBackgroundFailure('request_counts', error);
  const meter = createRequestMeter({ store, now, onFault });
  releases.add('the counts of API requests', () => meter.close());
  const figures = createRequestFigures({ store, now, onFault });
  releases.add('the figures of requests', () => figures.close());
  return { meter, figures };
}
