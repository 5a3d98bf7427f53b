/** Durations that several folders use. */

export const daySeconds = 24 * 60 * 60;
export const dayMilliseconds = daySeconds * 1000;

/** Returns the start of the day (UTC) of a time in milliseconds since the epoch. */
export const dayOf = (time: number): number => Math.floor(time / dayMilliseconds) * dayMilliseconds;
