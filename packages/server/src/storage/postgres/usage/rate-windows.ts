/** Allotments of limits for all nodes. */
import type { WindowVerbs } from '../../contract/engine-verbs.ts';
import type { Database } from '../connection/database.ts';
import type { Dependencies } from '../dependencies.ts';

/** After beginning this many windows, the process deletes ended ones: more than it has begun. */
const begunPerSweep = 200;
const sweptMax = 1_000;
/** Windows are kept this long after their end, for nodes whose clocks are behind. */
const keptMilliseconds = 60_000;

/** Whether the existing window continues: it has not ended, and its end was not set by a wrong clock. */
const goesOn = 'rate_windows.ends_at > $8::bigint AND rate_windows.ends_at <= $9::bigint';
/** The number that counts as granted before this allotment, and after it. */
const before = 'greatest(rate_windows.granted, $5::bigint)';
const after = `greatest(${before}, least(${before} + $6::bigint, $7::bigint))`;

/**
 * One row, always. A concurrent statement waits for the row, and then uses its new values. A statement can only return the row as it leaves
 * it, so the row holds the last grant.
 */
const take = `INSERT INTO rate_windows (window_hash, ends_at, granted, last_granted) VALUES ($1, $2, $3, $4)
  ON CONFLICT (window_hash) DO UPDATE SET
    ends_at = CASE WHEN ${goesOn} THEN rate_windows.ends_at ELSE excluded.ends_at END,
    granted = CASE WHEN ${goesOn} THEN ${after} ELSE excluded.granted END,
    last_granted = CASE WHEN ${goesOn} THEN ${after} - ${before} ELSE excluded.last_granted END
  RETURNING ends_at, granted, last_granted`;

/** Returns the store methods that grant allotments of limits. */
export function createRateWindows({ database, background }: Pick<Dependencies, 'database' | 'background'>): WindowVerbs {
  let begun = 0;

  /** Deletes a few windows in the background. Failures are left for the next time. */
  function countBegun(now: number): void {
    begun += 1;
    if (begun % begunPerSweep !== 0) return;
    sweepWindows(database, now - keptMilliseconds).catch((error) => background.onBackgroundFailure('sweep', error));
  }

  return {
    async takeFromWindow({ windowHash, limit, endsAt }, { wanted, used, now }) {
      const first = Math.max(0, Math.min(wanted, limit - used));
      const latest = now + 2 * (endsAt - now);
      const values = [windowHash, endsAt, used + first, first, used, wanted, limit, now, latest];
      const [row] = await database.query(take, values);
      const allotment = row as { readonly ends_at: number; readonly granted: number; readonly last_granted: number };
      if (allotment.ends_at === endsAt && allotment.granted === used + first) countBegun(now);
      return { granted: allotment.last_granted, left: Math.max(0, limit - allotment.granted), endsAt: allotment.ends_at };
    },

    async returnToWindow(windowHash, endsAt, count) {
      // No row: the window is over.
      const rows = await database.query(
        `UPDATE rate_windows SET granted = greatest(0, granted - $3) WHERE window_hash = $1 AND ends_at = $2 RETURNING ends_at`,
        [windowHash, endsAt, count],
      );
      return rows.length > 0 ? 'returned' : 'forgotten';
    },
  };
}

/** Removes some of the windows that ended before a time. */
async function sweepWindows(database: Database, endedBefore: number): Promise<void> {
  // Any number of rows. The end is compared twice, because another node may begin a window again while this statement waits for its row.
  await database.query(
    `DELETE FROM rate_windows WHERE ends_at < $1 AND window_hash IN
       (SELECT window_hash FROM rate_windows WHERE ends_at < $1 ORDER BY ends_at LIMIT ${sweptMax})`,
    [endedBefore],
  );
}
