import { expect, it } from 'vitest';
import { localFilterOf, matches } from './audit-filter.ts';

const now = new Date(2026, 10, 29, 15);
const record = (target: string, ...time: [number, number, number, number]) => ({
  target,
  at: new Date(...time).toISOString(),
});

it('a filter of days ends with today', () => {
  const week = localFilterOf({ last: '7d' }, now);
  expect(matches(record('account', 2026, 10, 23, 0), week)).toBe(true);
  expect(matches(record('account', 2026, 10, 22, 23), week)).toBe(false);
  expect(matches(record('account', 2026, 10, 29, 0), localFilterOf({ last: '1d' }, now))).toBe(true);
  expect(matches(record('account', 2026, 10, 28, 23), localFilterOf({ last: '1d' }, now))).toBe(false);
});

it('the first and the last day are whole days', () => {
  const filter = localFilterOf({ from: '2026-11-02', to: '2026-11-03' }, now);
  expect([2, 3].map((day) => matches(record('account', 2026, 10, day, day === 2 ? 0 : 23), filter))).toEqual([true, true]);
  expect(matches(record('account', 2026, 10, 1, 23), filter)).toBe(false);
  expect(matches(record('account', 2026, 10, 4, 0), filter)).toBe(false);
});

it('a project has the records of its parts, and not those of another or of the account', () => {
  const filter = localFilterOf({ project: 'sea' }, now);
  const targets = ['projects/sea', 'projects/sea/api-keys/key_1', 'projects/sea-of-glass', 'members/sea', 'account'];
  expect(targets.filter((target) => matches(record(target, 2026, 10, 1, 0), filter))).toEqual(targets.slice(0, 2));
});
