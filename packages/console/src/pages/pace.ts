/** How much of something a month will have seen at its end, if it goes on as it did. */

/** A few minutes of trying, or the first day, say nothing about a month. */
const observedMsMin = 3 * 24 * 60 * 60 * 1000;

export interface Observed {
  readonly used: number;
  /** When the month began, or the account if that was later. */
  readonly since: number;
  readonly end: number;
  readonly now: number;
}

/** Returns the forecast; undefined until three days of use were seen. */
export function paceOf({ used, since, end, now }: Observed): number | undefined {
  const observed = now - since;
  if (observed < observedMsMin) return undefined;
  return Math.round(used + (used / observed) * Math.max(end - now, 0));
}
