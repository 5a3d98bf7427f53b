import { isHoldfastError, isRefusal } from '../errors.ts';

/** If the service refuses with one of these, nothing more will arrive. */
const finalStatuses = [400, 401, 403, 404];
/** The longest pause, in seconds, that a proxy may request. */
const foreignPauseMax = 300;

/** Whether the service has refused for good. */
export const isFinal = (failure: unknown): boolean =>
  isHoldfastError(failure) &&
  (failure.code === 'signed_out' || (isRefusal(failure) && finalStatuses.includes(failure.status)));

/** How long to wait after a failure: as long as it says, and a random time, so that clients do not return together. */
export function pauseMs(failure: unknown, backoffMs: number): number {
  const seconds = (isHoldfastError(failure) && failure.retryAfter) || 0;
  return (isRefusal(failure) ? seconds : Math.min(seconds, foreignPauseMax)) * 1_000 + backoffMs;
}
