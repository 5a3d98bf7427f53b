/** Times in the reader's language: of day, and in UTC. */
import { formatted, languageNow, withWholeDays } from '../texts/language.ts';

/** The time of day, without the date. */
export const formatClock = (time: string | number): string => formatted(time, { timeStyle: 'short' });

/** Date and time. */
export const formatMoment = (time: string | number): string => formatted(time, { dateStyle: 'medium', timeStyle: 'short' });

/** The day in short, without the year if it is this one. */
export function formatShortDay(time: string | number, now: number = Date.now()): string {
  const date = new Date(time);
  const isOtherYear = date.getFullYear() !== new Date(now).getFullYear();
  const format: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' };
  if (isOtherYear) format.year = 'numeric';
  return formatted(time, format);
}

/** Day and time in short. */
export const formatDayTime = (time: string | number): string => `${formatShortDay(time)}, ${formatClock(time)}`;

/** The day in full, with its name. */
export const formatFullDay = (time: string | number): string => formatted(time, { dateStyle: 'full' });

const inUtc = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
/** Date and time in UTC, with its name. */
export const formatUtc = (time: string | number): string => `${formatted(time, inUtc)} UTC`;

/** Day, time and zone in full, however the browser's date field writes them; in UTC too, if that is another. */
export function formatInWords(time: string | number, zone: string): string {
  const format = { dateStyle: 'full', timeStyle: 'short' } as const;
  const here = `${formatted(time, { ...format, timeZone: zone })} ${zone}`;
  return zone === 'UTC' ? here : `${here} (${formatUtc(time)})`;
}

/** Whether clocks here show another time than UTC then. */
export const isOtherThanUtc = (time: string | number): boolean => new Date(time).getTimezoneOffset() !== 0;

/** The first and the last day of a period. */
export const formatDays = (first: number, last: number): string =>
  withWholeDays(
    new Intl.DateTimeFormat(languageNow(), { day: 'numeric', month: 'long', year: 'numeric' }).formatRange(first, last),
  );
