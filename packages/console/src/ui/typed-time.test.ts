import { expect, it } from 'vitest';
import { clockInWords, dayInWords, readClock, readDay } from './typed-time.ts';

const now = new Date(2026, 10, 30);

it('a day is read as it is written, in each language', () => {
  for (const language of ['en', 'de'] as const) {
    for (const day of ['2026-12-02', '2027-03-31', '2028-02-29']) {
      expect(readDay(dayInWords(day, language), language, now)).toBe(day);
    }
  }
  expect(dayInWords('2026-12-02', 'en')).toBe('Dec 2, 2026');
  expect(dayInWords('2026-12-02', 'de')).toBe('02.12.2026');
});

it('a day may be typed in other ways', () => {
  for (const text of ['december 2 2026', '2 Dec 26', '12/2/2026', '12/2', '2.12.2026', ' 2026-12-02 ']) {
    expect(readDay(text, 'en', now), text).toBe('2026-12-02');
  }
  for (const text of ['2.12.26', '2. Dezember', '2.12.', '02/12/2026', '2 dez 2026']) {
    expect(readDay(text, 'de', now), text).toBe('2026-12-02');
  }
  expect(readDay('1. März 2027', 'de', now)).toBe('2027-03-01');
});

it('what is no day is not read', () => {
  for (const text of ['', '2', 'de 2', '30 Feb 2026', '13/40/2026', '1 2 3 4', 'Monday Dec 2', '2026-13-01']) {
    expect(readDay(text, 'en', now), text).toBeUndefined();
  }
});

it('a time is read as it is written, and in other ways', () => {
  expect(clockInWords('01:08', 'en')).toBe('1:08 AM');
  expect(clockInWords('13:08', 'de')).toBe('13:08');
  for (const text of ['1:08 PM', '13:08', '1308', '1.08pm', '13.08 Uhr', '1:08 p.m.'])
    expect(readClock(text), text).toBe('13:08');
  expect(['12 am', '12:30 PM', '7', '0:05'].map(readClock)).toEqual(['00:00', '12:30', '07:00', '00:05']);
  for (const text of ['', '24:00', '1:60', '13 pm', '0 am', 'noon', '1:8']) expect(readClock(text), text).toBeUndefined();
});
