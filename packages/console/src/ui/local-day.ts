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
