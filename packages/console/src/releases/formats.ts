/** Times in the reader's language: of day, and in UTC. */
import { languageNow } from '../texts/language.ts';

/** The time of day, without the date. */
export const formatClock = (time: string | number): string =>
  new Intl.DateTimeFormat(languageNow(), { timeStyle: 'short' }).format(new Date(time));

/** Date and time. */
export const formatMoment = (time: string | number): string =>
  new Intl.DateTimeFormat(languageNow(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time));

/** The day in short, without the year if it is this one. */
export function formatShortDay(time: string | number, now: number = Date.now()): string {
  const date = new Date(time);
  const isOtherYear = date.getFullYear() !== new Date(now).getFullYear();
  const format: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' };
  if (isOtherYear) format.year = 'numeric';
  return new Intl.DateTimeFormat(languageNow(), format).format(date);
}

/** Day and time in short. */
export const formatDayTime = (time: string | number): string => `${formatShortDay(time)}, ${formatClock(time)}`;

/** The day in full, with its name. */
export const formatFullDay = (time: string | number): string =>
  new Intl.DateTimeFormat(languageNow(), { dateStyle: 'full' }).format(new Date(time));

const inUtc = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
/** Date and time in UTC, with its name. */
export const formatUtc = (time: string | number): string =>
  `${new Intl.DateTimeFormat(languageNow(), inUtc).format(new Date(time))} UTC`;

/** Day, time and zone in full, however the browser's date field writes them; in UTC too, if that is another. */
export function formatInWords(time: string | number, zone: string): string {
  const format = { dateStyle: 'full', timeStyle: 'short' } as const;
  const here = `${new Intl.DateTimeFormat(languageNow(), { ...format, timeZone: zone }).format(new Date(time))} ${zone}`;
  return zone === 'UTC' ? here : `${here} (${formatUtc(time)})`;
}

/** Whether clocks here show another time than UTC then. */
export const isOtherThanUtc = (time: string | number): boolean => new Date(time).getTimezoneOffset() !== 0;

/** The first and the last day of a period. */
export const formatDays = (first: number, last: number): string =>
  new Intl.DateTimeFormat(languageNow(), { day: 'numeric', month: 'long', year: 'numeric' }).formatRange(first, last);
