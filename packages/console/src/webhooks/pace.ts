/** Forecasts use at the end of the month, if it continues at the same pace. */

/** A few minutes of trying, or the first day, allow no forecast. */
const observedMsMin = 3 * 24 * 60 * 60 * 1000;

export interface Observed {
  readonly used: number;
  /** The start of the month, or of the account if later. */
  readonly since: number;
  readonly end: number;
  readonly now: number;
}

/** Returns the forecast; undefined before three days of use. */
export function paceOf({ used, since, end, now }: Observed): number | undefined {
  const observed = now - since;
  if (observed < observedMsMin) return undefined;
  return Math.round(used + (used / observed) * Math.max(end - now, 0));
}
