/** Times in the reader's language: of day, and in UTC. */
import { languageNow } from '../texts/language.ts';

/** The time of day, without the date. */
export const formatClock = (time: string | number): string =>
  new Intl.DateTimeFormat(languageNow(), { timeStyle: 'short' }).format(new Date(time));

const inUtc = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
/** Date and time in UTC, with its name. */
export const formatUtc = (time: string | number): string =>
  `${new Intl.DateTimeFormat(languageNow(), inUtc).format(new Date(time))} UTC`;
