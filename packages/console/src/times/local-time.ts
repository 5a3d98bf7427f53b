/** Wall clock times of a time zone: the instants that they stand for. With daylight saving, some stand for none, and some for two. */

const dayMs = 86_400_000;

/** Returns the milliseconds that the wall clock of a zone is ahead of UTC at an instant. */
function offsetAt(instant: number, zone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const [year = 0, month = 1, day, hour, minute, second] = (
    ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
  ).map((name) => parts.get(name));
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1_000) * 1_000;
}

/**
 * Returns the instants at which a clock in the zone shows this time, such as `2026-10-25T02:30`, earliest first: usually one, none if the
 * clock skips it, two if it shows it twice. Undefined for a text that is no time.
 */
export function instantsOf(wall: string, zone: string): readonly number[] | undefined {
  const asUtc = Date.parse(`${wall}Z`);
  if (Number.isNaN(asUtc)) return undefined;
  const offsets = new Set([offsetAt(asUtc - dayMs, zone), offsetAt(asUtc + dayMs, zone)]);
  return [...offsets]
    .map((offset) => asUtc - offset)
    .filter((instant) => instant + offsetAt(instant, zone) === asUtc)
    .sort((one, other) => one - other);
}

/** Returns what a clock in the zone shows, to the minute, as `instantsOf` reads it. */
export const wallTime = (instant: number, zone: string): string =>
  new Date(instant + offsetAt(instant, zone)).toISOString().slice(0, 16);

/** The zone of this browser. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
