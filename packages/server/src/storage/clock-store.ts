/** The mark of the clock: the newest time at which the service has served, whatever its clock says now. */
import type { Awaitable } from '../common/awaitable.ts';

/** A clock that is further ahead of the mark is not believed. */
export const clockLeadMilliseconds = 24 * 60 * 60 * 1000;
/** How long the service has to run until such a clock is believed after all. */
export const clockTrialMilliseconds = 24 * 60 * 60 * 1000;

/** A clock of the database that differs from the machine's by more is worth a warning: the service follows it, and others on the machine do not. */
export const clockOffsetMilliseconds = 5_000;

export interface ClockMark {
  /** Milliseconds since the epoch; 0 in a database from before there was a mark. */
  readonly servedAt: number;
  /** How long the service has run while its clock was not believed, over restarts and all nodes. */
  readonly waitedMilliseconds: number;
}

export interface ClockStore {
  /** The mark; undefined before the service has run for a while on a new database. */
  readClockMark(): Awaitable<ClockMark | undefined>;
  /**
   * Notes that the service serves at `now`, after it has run for `ranMilliseconds` since it last noted that. Returns whether the clock is
   * believed: it is at most a day ahead of the mark, or it has been seen ahead for a whole day of running. Then the mark moves to `now`,
   * unless it is newer. What several nodes have run at the same time is counted once. The clock of a database without accounts is believed.
   */
  noteTime(now: number, ranMilliseconds: number): Promise<{ readonly isBelieved: boolean; readonly mark: ClockMark }>;
  /** Believes the clock that says `now`, even where the mark is newer. */
  acceptTime(now: number): Promise<void>;
}
