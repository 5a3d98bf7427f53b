/** Time limits for request bodies: total seconds, and bytes per second after a grace period. @see docs/contract.md §2.4 */
import { Refusal } from '../../common/requests/refusal.ts';

/** After this time, the average rate must be at least `bytesPerSecondMin`. */
const graceSeconds = 5;
const bytesPerSecondMin = 240;
const inspectionIntervalMilliseconds = 250;

/** A body that is still arriving. */
export interface ArrivingBody {
  /** Milliseconds. */
  readonly startedAt: number;
  /** Bytes received so far. */
  readonly bytes: number;
  fail(refusal: Refusal): void;
}

/**
 * Fails bodies that take longer than `timeoutSeconds` or arrive too slowly with `request_timeout`. `now` is in milliseconds. Returns a
 * function that stops the checks. One timer serves all bodies: a timer per body would cost more than receiving most bodies.
 */
export function failSlowBodies(bodies: ReadonlySet<ArrivingBody>, timeoutSeconds: number, now: () => number): () => void {
  const inspection = setInterval(() => {
    const time = now();
    for (const body of bodies) {
      const seconds = (time - body.startedAt) / 1000;
      if (seconds > timeoutSeconds) {
        body.fail(new Refusal('request_timeout', `the body did not arrive within ${timeoutSeconds} s`));
      } else if (seconds > graceSeconds && body.bytes < bytesPerSecondMin * seconds) {
        body.fail(new Refusal('request_timeout', `the body arrives at less than ${bytesPerSecondMin} bytes per second`));
      }
    }
  }, inspectionIntervalMilliseconds);
  inspection.unref();
  return () => clearInterval(inspection);
}
