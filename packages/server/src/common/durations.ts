/** Durations that several folders use. */

export const daySeconds = 24 * 60 * 60;
export const dayMilliseconds = daySeconds * 1000;
