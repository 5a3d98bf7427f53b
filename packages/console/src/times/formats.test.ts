import { expect, it, vi } from 'vitest';
import { formatDayTime, formatDayTimes } from './formats.ts';

vi.mock('../texts/language.ts', () => ({
  languageNow: () => 'en',
  formatted: (time: number, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en', options).format(time),
}));

const [start, end] = [Date.UTC(2026, 11, 30, 9, 21), Date.UTC(2027, 0, 3, 9, 21)];

it('a time with its day has no place to break, and two have theirs beside the dash', () => {
  expect(formatDayTime(start).split(' ')).toHaveLength(1);
  expect(formatDayTimes(start, end).split(' ')).toHaveLength(3);
});
