/** The latest time at which a service ran, and whether a clock ahead of it is believed. */
import { type ClockMark, clockLeadMilliseconds, clockTrialMilliseconds } from '../../contract/installation.ts';
import { integerAt } from '../../rows/columns.ts';
import type { SharedTable } from '../schema/declaration.ts';
import { all, first, type Steps } from '../steps.ts';
import { type Setting, smallRead, write } from '../verb.ts';

/** One row, with the id 1. `waited_ms` was counted up to `counted_at`, by the clock that is not believed. */
export const clockMark = {
  title: 'marks of the clock',
  placement: 'local',
  since: 18,
  columns: { mark_id: 'integer', served_at: 'integer', waited_ms: 'integer', counted_at: 'integer' },
  key: ['mark_id'],
} as const satisfies SharedTable;

/** Returns the mark; undefined if no mark exists yet. */
export function* readClockMark(): Steps<ClockMark | undefined> {
  // No row: no service with a mark has run yet.
  const row = yield* first('SELECT served_at, waited_ms FROM clock_mark WHERE mark_id = 1');
  return row && { servedAt: integerAt(row, 'served_at'), waitedMilliseconds: integerAt(row, 'waited_ms') };
}

function* note(
  _: Setting,
  now: number,
  ranMilliseconds: number,
): Steps<{ readonly isTrusted: boolean; readonly mark: ClockMark }> {
  // No row: as above. A concurrent call waits.
  const row = yield* first('SELECT served_at, waited_ms, counted_at FROM clock_mark WHERE mark_id = 1 FOR UPDATE');
  const servedAt = row === undefined ? yield* firstMark(now) : integerAt(row, 'served_at');
  const waited = row === undefined ? 0 : integerAt(row, 'waited_ms');
  // Another node may have counted part of this time.
  const sinceCounted = row === undefined ? ranMilliseconds : Math.max(0, now - integerAt(row, 'counted_at'));
  const isAhead = now - servedAt > clockLeadMilliseconds;
  const waitedMilliseconds = isAhead ? waited + Math.min(ranMilliseconds, sinceCounted) : 0;
  const isTrusted = !isAhead || waitedMilliseconds >= clockTrialMilliseconds;
  const mark = isTrusted ? { servedAt: Math.max(now, servedAt), waitedMilliseconds: 0 } : { servedAt, waitedMilliseconds };
  yield* put(mark, now);
  return { isTrusted, mark };
}

/** The first mark: a new database has no data that a wrong clock could delete. */
function* firstMark(now: number): Steps<number> {
  // No row: there is no account.
  const found = yield* first('SELECT 1 AS found FROM accounts LIMIT 1');
  return found === undefined ? now : 0;
}

function* accept(_: Setting, now: number): Steps<void> {
  yield* put({ servedAt: now, waitedMilliseconds: 0 }, now);
}

function* put({ servedAt, waitedMilliseconds }: ClockMark, countedAt: number): Steps<void> {
  // One row, always.
  yield* all(
    `INSERT INTO clock_mark (mark_id, served_at, waited_ms, counted_at) VALUES (1, $1, $2, $3)
     ON CONFLICT (mark_id) DO UPDATE
     SET served_at = excluded.served_at, waited_ms = excluded.waited_ms, counted_at = excluded.counted_at`,
    [servedAt, waitedMilliseconds, countedAt],
  );
}

export const clockMarkVerbs = {
  /** The mark; undefined until the service has run for a while on a new database. */
  readClockMark: smallRead(readClockMark),
  /**
   * Records that the service serves at `now`, and has run for `ranMilliseconds` since the last call. Returns whether the clock is believed:
   * it is at most a day ahead of the mark, or has been ahead for a whole day of running. The mark then moves to `now`, unless the mark is
   * already later. Time during which several nodes run in parallel counts once. The clock of a database without accounts is believed.
   */
  noteTime: write(note),
  /** Accepts `now` as the time, even if the mark is later. */
  acceptTime: write(accept),
};

/** A change of whether the clock is believed. */
export interface ClockTrust {
  readonly isTrusted: boolean;
  /** The newest time at which a service has run; null if none is known. */
  readonly servedAt: Date | null;
  /** How long the service must still run for the clock to be believed. */
  readonly hoursLeft: number;
}

export interface ClockTrialParts {
  readonly store: {
    noteTime(now: number, ranMilliseconds: number): Promise<{ readonly isTrusted: boolean; readonly mark: ClockMark }>;
  };
  readonly onChecked: (isTrusted: boolean) => void;
  readonly onChanged: (trust: ClockTrust) => void;
}

/**
 * Returns a function that says whether the clock is believed. It is not if it is more than a day ahead of the newest time at which the
 * service has served, until the service has run for a day like that: a wrong clock would delete what nobody can restore.
 */
export function createClockTrial({ store, onChecked, onChanged }: ClockTrialParts): (now: number) => Promise<boolean> {
  let notedAt = performance.now();
  let wasTrusted = true;
  return async (now) => {
    const ran = performance.now() - notedAt;
    const { isTrusted, mark } = await store.noteTime(now, Math.round(ran));
    notedAt += ran;
    onChecked(isTrusted);
    if (isTrusted !== wasTrusted) {
      const hoursLeft = Math.ceil((clockTrialMilliseconds - mark.waitedMilliseconds) / hourMilliseconds);
      onChanged({ isTrusted, servedAt: mark.servedAt === 0 ? null : new Date(mark.servedAt), hoursLeft });
    }
    wasTrusted = isTrusted;
    return isTrusted;
  };
}

const hourMilliseconds = 3_600_000;
