import { beforeAll, expect, it, vi } from 'vitest';

let days: typeof import('./day-name.ts');
let language: typeof import('../texts/language.ts');
beforeAll(async () => {
  vi.resetModules();
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  vi.stubGlobal('localStorage', undefined);
  vi.stubGlobal('navigator', { language: 'en-US' });
  language = await import('../texts/language.ts');
  days = await import('./day-name.ts');
});

it('days are today, yesterday, or a date, in the zone of the browser', async () => {
  const now = new Date(2026, 2, 1, 0, 30);
  const at = (month: number, day: number, hour: number) => new Date(2026, month, day, hour, 59).toISOString();
  const names = () => [at(2, 1, 0), at(1, 28, 23), at(1, 27, 23), at(2, 2, 1)].map((time) => days.dayName(time, now));
  expect(names()).toEqual(['Today', 'Yesterday', 'Friday, February 27, 2026', 'Monday, March 2, 2026']);
  await language.setLanguage('de');
  expect(names().map((name) => name.replaceAll('\u00a0', ' '))).toEqual([
    'Heute',
    'Gestern',
    'Freitag, 27. Februar 2026',
    'Montag, 2. März 2026',
  ]);
});
