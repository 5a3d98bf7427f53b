/** Days and times of day as people type them, in the language of the console. As values they are `2026-12-02` and `01:08`. */
import type { Language } from '../texts/language.ts';
import { dayOf, dayText } from './local-day.ts';

/** `Dec 2, 2026`, `02.12.2026`; empty for a text that is no day. */
export function dayInWords(day: string, language: Language): string {
  const date = dayOf(day);
  return date === undefined ? '' : new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(date);
}

/** `1:08 AM`, `01:08`; empty for a text that is no time. */
export function clockInWords(clock: string, language: Language): string {
  if (readClock(clock) === undefined) return '';
  const format = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone: 'UTC' });
  return format.format(Date.parse(`2000-01-01T${clock}Z`)).replace(/\s/g, ' ');
}

/**
 * Reads a day that is typed with the name of its month, in numbers in the order of the language, or as a value; without a year, it is in
 * this one. Returns undefined for anything else.
 */
export function readDay(text: string, language: Language, now: Date = new Date()): string | undefined {
  const given = dayOf(text.trim());
  if (given !== undefined) return dayText(given);
  const parts = text.toLowerCase().match(/\p{L}+|\d+/gu) ?? [];
  const names = parts.filter((part) => /\D/.test(part));
  const numbers = parts.filter((part) => /^\d+$/.test(part)).map(Number);
  const month = names.length === 1 ? monthOf(names[0] ?? '', language) : undefined;
  if (names.length > 0 && month === undefined) return undefined;
  const isMonthFirst = month === undefined && startsWithMonth(language) && !text.includes('.');
  const ordered = isMonthFirst ? [numbers[1], numbers[0], ...numbers.slice(2)] : numbers;
  const [day, ofYear, year = now.getFullYear(), ...more] =
    month === undefined ? ordered : [ordered[0], month, ...ordered.slice(1)];
  if (day === undefined || ofYear === undefined || more.length > 0) return undefined;
  const fullYear = year < 100 ? 2000 + year : year;
  const value = [String(fullYear).padStart(4, '0'), ...[ofYear, day].map((part) => String(part).padStart(2, '0'))].join(
    '-',
  );
  return dayOf(value) && value;
}

/** Whether a language writes `12/2` for the second of December. */
function startsWithMonth(language: Language): boolean {
  const parts = new Intl.DateTimeFormat(language).formatToParts(0);
  return parts.find(({ type }) => type === 'month' || type === 'day')?.type === 'month';
}

/** The month, from 1, whose name begins with these three or more letters. */
function monthOf(name: string, language: Language): number | undefined {
  const format = new Intl.DateTimeFormat(language, { month: 'long' });
  const index = Array.from({ length: 12 }, (_, month) => format.format(new Date(2000, month, 1)).toLowerCase()).findIndex(
    (month) => month.startsWith(name),
  );
  return name.length < 3 || index < 0 ? undefined : index + 1;
}

/** Reads `1:08 AM`, `1 pm`, `13:08`, `1308` or `13.08 Uhr`. Returns undefined for anything else. */
export function readClock(text: string): string | undefined {
  const parts = /^(\d{1,2})(?:[:.]?(\d\d))?\s*(?:([ap])\.?m\.?|uhr)?$/.exec(text.trim().toLowerCase());
  if (parts === null) return undefined;
  const [, hours, minutes = '00', half] = parts;
  const typed = Number(hours);
  if (half !== undefined && (typed < 1 || typed > 12)) return undefined;
  const hour = half === undefined ? typed : (typed % 12) + (half === 'p' ? 12 : 0);
  if (hour > 23 || Number(minutes) > 59) return undefined;
  return `${String(hour).padStart(2, '0')}:${minutes}`;
}
