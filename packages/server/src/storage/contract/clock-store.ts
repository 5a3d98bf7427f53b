/** The mark of the clock: the newest time at which the service has served, whatever its clock says now. */
import type { Awaitable } from '../../common/awaitable.ts';

/** A clock further ahead of the mark is not believed. */
export const clockLeadMilliseconds = 24 * 60 * 60 * 1000;
/** How long the service must run before such a clock is believed after all. */
export const clockTrialMilliseconds = 24 * 60 * 60 * 1000;

/**
 * A database clock that differs from the machine's by more causes a warning: the service follows it, and other programs on the machine do
 * not.
 */
export const clockOffsetMilliseconds = 5_000;

export interface ClockMark {
  /** Milliseconds since the epoch; 0 in a database older than the mark. */
  readonly servedAt: number;
  /** How long the service has run while its clock was not believed, across restarts and all nodes. */
  readonly waitedMilliseconds: number;
}

export interface ClockStore {
  /** The mark; undefined until the service has run for a while on a new database. */
  readClockMark(): Awaitable<ClockMark | undefined>;
  /**
   * Records that the service serves at `now`, and has run for `ranMilliseconds` since the last call. Returns whether the clock is believed:
   * it is at most a day ahead of the mark, or has been ahead for a whole day of running. The mark then moves to `now`, unless it is newer.
   * Time that several nodes run in parallel counts once. The clock of a database without accounts is believed.
   */
  noteTime(now: number, ranMilliseconds: number): Promise<{ readonly isBelieved: boolean; readonly mark: ClockMark }>;
  /** Believes the clock that says `now`, even if the mark is newer. */
  acceptTime(now: number): Promise<void>;
}
