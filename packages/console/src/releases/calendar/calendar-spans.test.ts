import { expect, it } from 'vitest';
import type { ProposalItem } from '../../api/proposals.ts';
import { dayOf, dayText } from '../../ui/local-day.ts';
import { type CalendarEntry, entryOf, isIn, periodOf, shareOf, spansOf, stepped, whereIs } from './calendar-spans.ts';

const day = (text: string) => dayOf(text) as Date;
const at = (text: string, hour = 0) => day(text).getTime() + hour * 3_600_000;
const december = periodOf(day('2026-12-02'), 'month', 1);
const entry = (start: number, end: number | null) => ({ env: 'staging', phase: 'scheduled', start, end }) as CalendarEntry;

it('a period begins with a week, and steps by weeks and months', () => {
  expect(dayText(new Date(december.days[0] ?? 0))).toBe('2026-11-30');
  expect([december.days.length, dayText(new Date(december.end))]).toEqual([35, '2027-01-04']);
  expect(dayText(new Date(periodOf(day('2026-11-29'), 'week', 7).days[0] ?? 0))).toBe('2026-11-29');
  expect(dayText(new Date(periodOf(day('2026-11-29'), 'week', 1).days[0] ?? 0))).toBe('2026-11-23');
  expect(dayText(stepped(day('2026-01-31'), 'month', 1))).toBe('2026-02-28');
  expect(dayText(stepped(day('2026-03-31'), 'month', -1))).toBe('2026-02-28');
  expect(dayText(stepped(day('2026-12-29'), 'week', 1))).toBe('2027-01-05');
});

it.each(['', '2026-02-30', '2026-2-3', undefined])('%o is no day', (text) => expect(dayOf(text)).toBeUndefined());

it('a time has its share of the width, and lies before, inside or after', () => {
  expect(shareOf(december, at('2026-11-30'))).toBe(0);
  expect(shareOf(december, at('2026-12-07', 12))).toBeCloseTo(7.5 / 35);
  expect(whereIs(december, entry(at('2026-11-01'), at('2026-11-29')))).toBe('before');
  expect(whereIs(december, entry(at('2026-11-01'), at('2027-02-01')))).toBe('inside');
  expect(whereIs(december, entry(at('2026-11-29'), null))).toBe('before');
  expect(whereIs(december, entry(december.end, null))).toBe('after');
});

it('changes that overlap are stacked, and a row is used again', () => {
  const spans = spansOf(december, [
    entry(at('2026-12-01'), at('2026-12-12')),
    entry(at('2026-12-10'), at('2026-12-11')),
    entry(at('2026-12-20'), null),
    entry(at('2027-01-03'), at('2027-03-01')),
  ]);
  expect(spans.map(({ row }) => row)).toEqual([1, 2, 1, 2]);
  const [first, second, third, last] = spans;
  expect((first?.left ?? 0) + (first?.width ?? 0)).toBe(third?.left);
  expect(first?.barWidth).toBeCloseTo(11 / 35);
  expect(second?.width).toBeGreaterThan(second?.barWidth ?? 0);
  expect((last?.left ?? 0) + (last?.width ?? 0)).toBe(1);
  expect((last?.barLeft ?? 0) + (last?.barWidth ?? 0)).toBeCloseTo(1);
  expect(spans.map(({ goesOn }) => goesOn)).toEqual([false, false, false, true]);
  expect(spansOf(december, [entry(at('2026-11-01'), december.end)])).toMatchObject([{ isBegun: true, goesOn: false }]);
});

it('a proposal is an entry from its start to its change back, if a time is set', () => {
  const [start, end] = ['2026-12-01T10:00:00.000Z', '2026-12-03T10:00:00.000Z'];
  const none = {
    approvals: [],
    requiredApprovals: 0,
    applyAt: null,
    revertAt: null,
    appliedAt: null,
    revertedAt: null,
    failure: null,
  };
  const of = (fields: object) => entryOf('staging', { ...none, ...fields } as unknown as ProposalItem);
  expect(of({ state: 'open' })).toBeUndefined();
  expect(of({ state: 'withdrawn', applyAt: start })).toBeUndefined();
  expect(of({ state: 'open', applyAt: start })).toMatchObject({ phase: 'scheduled', start: Date.parse(start), end: null });
  expect(of({ state: 'open', revertAt: end })).toMatchObject({ phase: 'scheduled', start: Date.parse(end), end: null });
  const applied = { state: 'applied', appliedAt: start, revertAt: end };
  expect(of(applied)).toMatchObject({ phase: 'active', end: Date.parse(end) });
  expect(of({ ...applied, revertedAt: end })).toMatchObject({ phase: 'ended' });
  expect(of({ ...applied, failure: 'merge_conflict' })).toMatchObject({ phase: 'failed' });
  expect(of({ ...applied, revertAt: null, applyAt: start })).toMatchObject({ phase: 'ended' });
  expect(of({ state: 'open', applyAt: start, requiredApprovals: 1 })).toMatchObject({ phase: 'unapproved' });
});

it('a change that misses approvals is scheduled, for the filter', () => {
  expect([isIn('scheduled', 'unapproved'), isIn('scheduled', 'scheduled'), isIn('active', 'unapproved')]).toEqual([
    true,
    true,
    false,
  ]);
});
