/** Times on the wire: RFC 3339, UTC, milliseconds. */

import { quoted } from '../text/quoted.ts';
import { Refusal } from './refusal.ts';

const pattern = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})$/i;
/** RFC 3339 can write the times from the year 0 to the year 9999. */
const yearZeroMs = Date.parse('0000-01-01T00:00:00Z');
const yearTenThousandMs = Date.UTC(10_000, 0);

/** Returns a time in its wire form. */
export function formatTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

/** Returns a time in its wire form, or null. */
export function formatTimeOrNull(timeMs: number | null): string | null {
  return timeMs === null ? null : formatTime(timeMs);
}

/** Returns the milliseconds of a time in the member `name`; throws `validation_error` for anything but RFC 3339. */
export function parseTime(name: string, text: string): number {
  const timeMs = pattern.test(text) ? instantOf(text) : undefined;
  if (timeMs === undefined || timeMs < yearZeroMs || timeMs >= yearTenThousandMs) {
    throw new Refusal(
      'validation_error',
      `"/${name}" ${quoted(text)} is not a time of RFC 3339, such as 2030-12-31T23:59:59Z`,
    );
  }
  return timeMs;
}

/** Returns the milliseconds of a time; throws `validation_error` for anything but RFC 3339 after `now`. */
export function parseFutureTime(name: string, text: string, now: number): number {
  const timeMs = parseTime(name, text);
  if (timeMs <= now) throw new Refusal('validation_error', `"/${name}" must be in the future`);
  return timeMs;
}

/** `Date.parse` would take the 30th of February for the 2nd of March. */
function instantOf(text: string): number | undefined {
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return undefined;
  }
}
