import { expect, it } from 'vitest';
import { readTime, typedOf, withClock, withDay } from './typed-times.ts';

const blank = typedOf(null, 'UTC');
const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

it('only the first day comes with a time', () => {
  expect(withDay(blank, '').clock).toBe('');
  expect(withDay(withDay(blank, ''), day)).toMatchObject({ day, clock: '09:00' });
  expect(withDay(withClock(withDay(blank, day), ''), day).clock).toBe('');
  expect(withDay(withClock(blank, '07:30'), day).clock).toBe('07:30');
});

it('the time stays while the day is cleared and typed again', () => {
  const cleared = withDay(typedOf(`${day}T18:45:00.000Z`, 'UTC'), '');
  expect(cleared.clock).toBe('18:45');
  expect(readTime(withDay(withDay(cleared, undefined), day), 'UTC').at).toBe(Date.parse(`${day}T18:45:00.000Z`));
});

it.each([
  ['', '', undefined],
  ['', '09:00', 'needsDay'],
  [undefined, '09:00', 'noDay'],
  [undefined, '', 'noDay'],
  [day, '', 'needsClock'],
  [day, undefined, 'noClock'],
  ['', undefined, 'needsDay'],
  [day, '09:00', undefined],
  ['2020-01-01', '09:00', 'past'],
  ['9998-01-01', '09:00', 'far'],
])('the day %j with the time %j has the fault %s', (typedDay, clock, fault) => {
  expect(readTime(withClock({ ...blank, day: typedDay }, clock), 'UTC').fault).toBe(fault);
});
