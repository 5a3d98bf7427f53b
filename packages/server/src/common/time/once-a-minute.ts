const minuteMilliseconds = 60_000;

/**
 * Returns a function to call for each of many like events. For the first, and then at most once a minute, it returns how many there were
 * since it last did, for a line of the log; otherwise undefined. `now` is in milliseconds.
 */
export function onceAMinute(now: () => number): () => number | undefined {
  let reportedAt = Number.NEGATIVE_INFINITY;
  let count = 0;
  return () => {
    count++;
    if (now() < reportedAt + minuteMilliseconds) return undefined;
    reportedAt = now();
    const reported = count;
    count = 0;
    return reported;
  };
}
