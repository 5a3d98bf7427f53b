import { isHoldfastError, isRefusal } from '../errors.ts';

/** When the service itself refuses with one of these, nothing more will come. */
const finalStatuses = [400, 401, 403, 404];
/** What stands between here and the service may ask for a pause of so many seconds. */
const foreignPauseMax = 300;

/** Whether the service has refused, so that nothing more will come. */
export const isFinal = (failure: unknown): boolean =>
  isHoldfastError(failure) &&
  (failure.code === 'signed_out' || (isRefusal(failure) && finalStatuses.includes(failure.status)));

/** How long to wait after a failure: as long as it says, and a random time, so that not all come back at once. */
export function pauseMs(failure: unknown, backoffMs: number): number {
  const seconds = (isHoldfastError(failure) && failure.retryAfter) || 0;
  return (isRefusal(failure) ? seconds : Math.min(seconds, foreignPauseMax)) * 1_000 + backoffMs;
}
