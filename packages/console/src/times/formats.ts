/** Times in the reader's language, with the name of their zone. */
import { formatted, languageNow, withWholeDays } from '../texts/language.ts';

/** The short name of the zone of this browser at a time, which is another one in summer. */
function zoneName(time: string | number): string {
  const format = new Intl.DateTimeFormat(languageNow(), { timeZoneName: 'short' });
  return format.formatToParts(new Date(time)).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** The time of day, without the date. */
export const formatClock = (time: string | number): string =>
  `${formatted(time, { timeStyle: 'short' })} ${zoneName(time)}`;

/** Date and time. */
export const formatMoment = (time: string | number): string =>
  `${formatted(time, { dateStyle: 'medium', timeStyle: 'short' })} ${zoneName(time)}`;

/** The day in short, without the year if it is this one. */
export function formatShortDay(time: string | number, now: number = Date.now()): string {
  const date = new Date(time);
  const isOtherYear = date.getFullYear() !== new Date(now).getFullYear();
  const format: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' };
  if (isOtherYear) format.year = 'numeric';
  return formatted(time, format);
}

/** Keeps a text in one line. */
export const inOneLine = (text: string): string => text.replaceAll(' ', '\u00a0');

/** Day and time in short, in one line. */
export const formatDayTime = (time: string | number): string => inOneLine(`${formatShortDay(time)}, ${formatClock(time)}`);

/** Two days and times in short, each in one line; the zone is named once, unless it changes. */
export function formatDayTimes(from: number, to: number): string {
  const isSameZone = zoneName(from) === zoneName(to);
  const start = isSameZone
    ? inOneLine(`${formatShortDay(from)}, ${formatted(from, { timeStyle: 'short' })}`)
    : formatDayTime(from);
  return `${start} – ${formatDayTime(to)}`;
}

/** The day in full, with its name. */
export const formatFullDay = (time: string | number): string => formatted(time, { dateStyle: 'full' });

const inUtc = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
/** Date and time in UTC, with its name. */
export const formatUtc = (time: string | number): string => `${formatted(time, inUtc)} UTC`;

/** The name of the day; and the time in UTC, if clocks here show another one. */
export function formatCheck(time: number): string {
  const day = formatted(time, { weekday: 'long' });
  return isOtherThanUtc(time) ? `${day} · ${formatUtc(time)}` : day;
}

/** Whether clocks here show another time than UTC then. */
export const isOtherThanUtc = (time: string | number): boolean => new Date(time).getTimezoneOffset() !== 0;

/** The first and the last day of a period. */
export const formatDays = (first: number, last: number): string =>
  withWholeDays(
    new Intl.DateTimeFormat(languageNow(), { day: 'numeric', month: 'long', year: 'numeric' }).formatRange(first, last),
  );
