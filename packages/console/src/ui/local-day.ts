/** Days of the calendar in this browser's zone, as addresses and date fields write them: `2026-11-29`. */

export const dayText = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-');

/** Returns the start of a day; undefined if it is none. */
export function dayOf(text: string | undefined): Date | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text ?? '');
  if (parts === null) return undefined;
  const date = new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]));
  return dayText(date) === text ? date : undefined;
}

/** The start of a day so many days later, also where a day has 23 or 25 hours. */
export const daysAfter = (date: Date, days: number): Date =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);

/** The same day so many months later; the last day of a shorter month. */
export function monthsAfter(date: Date, months: number): Date {
  const lastDay = new Date(date.getFullYear(), date.getMonth() + months + 1, 0).getDate();
  return new Date(date.getFullYear(), date.getMonth() + months, Math.min(date.getDate(), lastDay));
}

/** The first day of the week where a language is spoken: 1 is Monday, 7 Sunday. */
export function firstDayOf(language: string): number {
  const locale = new Intl.Locale(navigator.language.startsWith(language) ? navigator.language : language) as Intl.Locale & {
    getWeekInfo?(): { firstDay: number };
  };
  return locale.getWeekInfo?.().firstDay ?? 1;
}
