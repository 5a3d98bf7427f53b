import { expect, it } from 'vitest';
import { formatTime, parseTime } from './time.ts';

it('a time travels in UTC with milliseconds', () => {
  expect(formatTime(0)).toBe('1970-01-01T00:00:00.000Z');
});

it.each([
  ['2030-12-31T23:59:59Z', '2030-12-31T23:59:59.000Z'],
  ['2030-12-31t23:59:59.5z', '2030-12-31T23:59:59.500Z'],
  ['2030-12-31T23:59:59.1239999Z', '2030-12-31T23:59:59.123Z'],
  ['2030-12-31T23:59:59+02:00', '2030-12-31T21:59:59.000Z'],
  ['2030-12-31T23:59:59-00:30', '2031-01-01T00:29:59.000Z'],
  ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
])('%s is %s', (text, time) => {
  expect(formatTime(parseTime('expiresAt', text))).toBe(time);
});

it.each([
  '',
  '2030',
  '2030-12-31',
  '2030-12-31T23:59Z',
  '2030-12-31T23:59:59',
  '2030-12-31 23:59:59Z',
  '2030-12-31T23:59:59.Z',
  '2030-12-31T23:59:59+0200',
  '2030-12-31T23:59:59+24:00',
  '2030-12-31T24:00:00Z',
  '2030-12-31T23:60:00Z',
  '2030-13-01T00:00:00Z',
  '2030-02-30T00:00:00Z',
  '2029-02-29T00:00:00Z',
  '2030-00-10T00:00:00Z',
  '+002030-01-01T00:00:00Z',
  '9999-12-31T23:59:59-01:00',
  'Tue, 31 Dec 2030 23:59:59 GMT',
  '1900000000000',
])('%j is no time', (text) => {
  expect(() => parseTime('expiresAt', text)).toThrow(
    expect.objectContaining({ code: 'validation_error', message: expect.stringContaining('"/expiresAt"') }),
  );
});
