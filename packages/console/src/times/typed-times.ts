/** Reads a day and a time of day that are typed for a proposal. */
import { instantsOf, wallTime } from './local-time.ts';

export interface Typed {
  /** Empty for none, undefined for a text that is no day or time. */
  readonly day: string | undefined;
  readonly clock: string | undefined;
  /** Of two instants with this time, the later. */
  readonly isSecond: boolean;
  /** Whether neither was ever set. */
  readonly isBlank: boolean;
}

export const yearMs = 365 * 24 * 3_600_000;

/** The time of a first day: it is rarely midnight. */
export const firstClock = '09:00';

/** What is typed for an instant, including which of two. */
export function typedOf(time: string | number | null | undefined, zone: string): Typed {
  if (time == null) return { day: '', clock: '', isSecond: false, isBlank: true };
  const at = new Date(time).getTime();
  const wall = wallTime(at, zone);
  const [day, clock] = wall.split('T');
  const isSecond = (instantsOf(wall, zone)?.findIndex((instant) => instant > at - 60_000) ?? 0) > 0;
  return { day, clock, isSecond, isBlank: false };
}

/** Changes the day and keeps the time; only the first day comes with one. */
export function withDay({ clock, isBlank }: Typed, day: string | undefined): Typed {
  const isFirst = isBlank && day !== '';
  return { day, clock: isFirst ? firstClock : clock, isSecond: false, isBlank: isBlank && !isFirst };
}

export const withClock = ({ day }: Typed, clock: string | undefined): Typed => ({
  day,
  clock,
  isSecond: false,
  isBlank: false,
});

export type TimeFault = 'needsDay' | 'needsClock' | 'noDay' | 'noClock' | 'gap' | 'past' | 'far' | 'order';

export interface ReadTime {
  readonly typed: Typed;
  readonly at: number | undefined;
  /** If the clock shows this time twice, both instants. */
  readonly both: readonly [number, number] | undefined;
  readonly fault: TimeFault | undefined;
}

export function readTime(typed: Typed, zone: string): ReadTime {
  const [first, second] = instantsOf(`${typed.day}T${typed.clock}`, zone) ?? [];
  const at = typed.isSecond ? (second ?? first) : first;
  const both = first === undefined || second === undefined ? undefined : ([first, second] as const);
  return { typed, at, both, fault: faultOf(typed, at) };
}

function faultOf({ day, clock }: Typed, at: number | undefined): TimeFault | undefined {
  if (day === '' && clock === '') return undefined;
  if (day === undefined) return 'noDay';
  if (day === '') return 'needsDay';
  if (clock === undefined) return 'noClock';
  if (clock === '') return 'needsClock';
  if (at === undefined) return 'gap';
  const now = Date.now();
  return at <= now ? 'past' : at > now + yearMs ? 'far' : undefined;
}
