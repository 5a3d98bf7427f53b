/**
 * The clock of the process. No other file of the service asks the machine for the date (`npm run check` finds one that does), so everything
 * that is stored or checked uses the same time.
 */

/** The machine's own time, in milliseconds since the epoch: for log lines, and for times that are never compared. */
export const machineTime = (): number => Date.now();

/** A clock that can follow another one. */
export interface Clock {
  /** Milliseconds since the epoch. Goes back only for a correction of more than `stillMilliseconds`; for a smaller one it stands still. */
  readonly now: () => number;
  /**
   * Corrects the machine's time by this many milliseconds from now on. Until the next correction, leaps of the machine's time, which the
   * monotonic clock reveals, are left out too.
   */
  correct(offsetMilliseconds: number): void;
}

/** The clock stands still for a smaller correction backwards. Standing still for longer would also stop limits by the minute. */
const stillMilliseconds = 5_000;
/** The two clocks of a machine may drift by this much between two corrections. */
const leapMilliseconds = 1_000;

/** What a clock reads, in milliseconds. */
interface ClockSources {
  readonly machine: () => number;
  /** A clock that is never set. */
  readonly monotonic: () => number;
}

/** Returns a clock that is the machine's own until it is corrected. */
export function createClock({
  machine = machineTime,
  monotonic = () => performance.now(),
}: Partial<ClockSources> = {}): Clock {
  let isCorrected = false;
  let offset = 0;
  /** How far the machine's time was ahead of the monotonic one at the last correction. */
  let lead = 0;
  let last = Number.NEGATIVE_INFINITY;

  const read = (): number => {
    const time = machine();
    if (!isCorrected) return time;
    const leap = time - monotonic() - lead;
    return Math.round(time + offset - (Math.abs(leap) > leapMilliseconds ? leap : 0));
  };
  const now = (): number => {
    const time = read();
    if (time > last || !isCorrected) last = time;
    return last;
  };
  return {
    now,
    correct(offsetMilliseconds) {
      offset = offsetMilliseconds;
      lead = machine() - monotonic();
      isCorrected = true;
      const time = read();
      if (last - time > stillMilliseconds) last = time;
    },
  };
}

/** The clock of this process: the machine's, or the database's once a store over PostgreSQL is open. */
export const processClock: Clock = createClock();

/** The time of `processClock`. */
export const now: () => number = processClock.now;
