/** The headings of days. */
import { formatted, languageNow } from '../texts/language.ts';
import { daysAfter, dayText } from '../ui/local-day.ts';

/** Returns `Today` or `Yesterday`, otherwise the date with its weekday, in the language of the page and the zone of the browser. */
export function dayName(time: string, now: Date): string {
  const day = dayText(new Date(time));
  const recent = [0, -1].find((days) => dayText(daysAfter(now, days)) === day);
  if (recent === undefined) return formatted(time, { dateStyle: 'full' });
  const name = new Intl.RelativeTimeFormat(languageNow(), { numeric: 'auto' }).format(recent, 'day');
  return `${name.charAt(0).toLocaleUpperCase(languageNow())}${name.slice(1)}`;
}
