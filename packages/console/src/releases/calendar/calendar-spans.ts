/** The period that the calendar shows, and where changes lie in it. Days are those of this browser's zone. */
import { type Environment, environments } from '@holdfast/contract';
import type { ProposalItem } from '../../api/proposals.ts';
import { type Phase, phases, standingOf } from '../../times/standing.ts';
import { dayOf, daysAfter, monthsAfter } from '../../ui/local-day.ts';

/** What the calendar can be filtered by. Changes that miss approvals are scheduled too. */
export const calendarStates = ['scheduled', 'active', 'ended', 'failed'] as const;
type CalendarState = (typeof calendarStates)[number];

/** Whether a filter leaves a change in this phase. */
export const isIn = (state: CalendarState, phase: Phase): boolean =>
  state === (phase === 'unapproved' ? 'scheduled' : phase);

/** The shown period, by default the month from this week on, and filters. */
export interface CalendarSearch {
  /** A day in the first week. */
  readonly from: Date;
  readonly by: 'week' | 'month';
  readonly env: Environment | undefined;
  readonly state: CalendarState | undefined;
}

/** What an address says. */
export const searchOf = (texts: Partial<Record<keyof CalendarSearch, string>>): CalendarSearch => ({
  from: dayOf(texts.from) ?? new Date(),
  by: texts.by === 'week' ? 'week' : 'month',
  env: environments.find((env) => env === texts.env),
  state: calendarStates.find((state) => state === texts.state),
});

/** A change with a set time. */
export interface CalendarEntry {
  readonly env: Environment;
  readonly proposal: ProposalItem;
  /** As far as the list of proposals says. */
  readonly phase: Phase;
  readonly start: number;
  /** Null if the change stays. */
  readonly end: number | null;
}

/** Returns undefined for a proposal without a set time. */
export function entryOf(env: Environment, proposal: ProposalItem): CalendarEntry | undefined {
  const { applyAt, revertAt, appliedAt, revertedAt } = proposal;
  if (proposal.state === 'withdrawn' || (applyAt === null && revertAt === null)) return undefined;
  const [start, end] = [appliedAt ?? applyAt, revertedAt ?? revertAt].map((time) =>
    time === null ? null : Date.parse(time),
  );
  const phase = phases[standingOf(proposal, undefined)];
  // One that is applied by hand has its end alone.
  return { env, proposal, phase, start: start ?? end ?? 0, end: start === null ? null : (end ?? null) };
}

/** The starts of the days of a period, and its end. */
export interface Period {
  readonly days: readonly number[];
  readonly end: number;
}

const weekDays = 7;
const monthWeeks = 5;

/** The week of a day, or the five weeks from it on. `firstDay`: 1 is Monday, 7 Sunday. */
export function periodOf(day: Date, by: 'week' | 'month', firstDay: number): Period {
  const first = daysAfter(day, -((day.getDay() - firstDay + 2 * weekDays) % weekDays));
  const count = by === 'week' ? weekDays : monthWeeks * weekDays;
  const starts = Array.from({ length: count + 1 }, (_, index) => daysAfter(first, index).getTime());
  return { days: starts.slice(0, -1), end: starts.at(-1) ?? 0 };
}

/** The same day, weeks or months earlier or later. */
export const stepped = (day: Date, by: 'week' | 'month', steps: number): Date =>
  by === 'week' ? daysAfter(day, steps * weekDays) : monthsAfter(day, steps);

/** Where a time lies in a period, in which all days are equally long: from 0 to 1, below or above outside. */
export function shareOf({ days, end }: Period, time: number): number {
  const index = days.findLastIndex((start) => start <= time);
  if (index < 0) return -1;
  const [start = 0, next = end] = [days[index], days[index + 1]];
  return time >= end ? 2 : (index + (time - start) / (next - start)) / days.length;
}

export type Where = 'before' | 'inside' | 'after';

/** Where a change lies. One that stays lies at its start. */
export function whereIs({ days, end: periodEnd }: Period, { start, end }: CalendarEntry): Where {
  if (start >= periodEnd) return 'after';
  return (end ?? start) < (days[0] ?? 0) ? 'before' : 'inside';
}

/** Where a change is drawn in its lane: shares of the width. Its text takes `left` to `left + width`. */
export interface Span {
  readonly entry: CalendarEntry;
  readonly left: number;
  readonly width: number;
  readonly barLeft: number;
  readonly barWidth: number;
  /** Whether the change begins before the period, and whether it ends after it. */
  readonly isBegun: boolean;
  readonly goesOn: boolean;
  /** Whether the text ends where the bar does, since there is no room for it from the start of the bar. */
  readonly isLate: boolean;
  /** From 1. */
  readonly row: number;
}

/** Enough for the text of a change. */
const widthMin = 0.3;
/** Room for the bar of a change that stays. */
const stayingWidth = 0.03;

/**
 * Places the changes of a lane that lie inside a period. Those that would overlap are in rows below each other; the text of each reaches to
 * the next one in its row. Earlier ones are first.
 */
export function spansOf(period: Period, entries: readonly CalendarEntry[]): readonly Span[] {
  const rows: Span[][] = [];
  for (const entry of entries.toSorted((one, other) => one.start - other.start)) {
    if (whereIs(period, entry) !== 'inside') continue;
    const barLeft = Math.max(0, shareOf(period, entry.start));
    const barEnd = entry.end === null ? barLeft : Math.min(1, shareOf(period, entry.end));
    const isLate = barLeft > 1 - widthMin;
    const textEnd = entry.end === null ? Math.min(1, barLeft + stayingWidth) : barEnd;
    const left = isLate ? textEnd - widthMin : barLeft;
    const width = Math.max(barEnd - left, widthMin);
    const free = rows.findIndex((row) => endOf(row.at(-1)) <= left);
    const row = free < 0 ? rows.push([]) : free + 1;
    const isBegun = shareOf(period, entry.start) < 0;
    const goesOn = entry.end !== null && entry.end > period.end;
    rows[row - 1]?.push({ entry, left, width, barLeft, barWidth: barEnd - barLeft, isBegun, goesOn, isLate, row });
  }
  return rows
    .flatMap((row) =>
      row.map((span, index) => (span.isLate ? span : { ...span, width: (row[index + 1]?.left ?? 1) - span.left })),
    )
    .sort((one, other) => one.entry.start - other.entry.start);
}

const endOf = (span: Span | undefined): number => (span === undefined ? 0 : span.left + span.width);
