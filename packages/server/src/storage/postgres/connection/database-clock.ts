/** The difference between this machine's clock and the database's, which all nodes share. */

import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, machineTime } from '../../../common/time/clock.ts';
import type { BackgroundObserver, OnClockOffset } from '../../contract/store-observer.ts';
import { BackgroundWork } from '../../sql/upkeep/background-work.ts';
import type { Query } from './query.ts';

/** How far the database's clock is ahead of the machine's, in milliseconds, with the uncertainty. */
export interface ClockOffset {
  readonly offset: number;
  readonly uncertainty: number;
}

/** A clock within this tolerance counts as right: the machine's time is in whole milliseconds, and its own clocks differ a little. */
const toleratedMilliseconds = 10;
/** Attempts of one measurement. The fastest one is the most accurate. */
const tries = 3;

/** Measures the offset of the database. Rejects as the query does. */
export async function measureOffset(query: Query): Promise<ClockOffset> {
  const once = async (): Promise<ClockOffset> => {
    const [sentAt, begun] = [machineTime(), performance.now()];
    // One row, always. Not the start time of the transaction.
    const [row] = await query('SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS double precision) AS at');
    const uncertainty = (performance.now() - begun) / 2;
    return { offset: Number(row?.at) - (sentAt + uncertainty), uncertainty };
  };
  const measured = [];
  for (let count = 0; count < tries; count++) measured.push(await once());
  return measured.reduce((best, next) => (next.uncertainty < best.uncertainty ? next : best));
}

/** Makes the clock follow the database. A difference within the uncertainty counts as none. */
export function follow(clock: Clock, { offset, uncertainty }: ClockOffset): void {
  clock.correct(Math.abs(offset) > uncertainty + toleratedMilliseconds ? Math.round(offset) : 0);
}

const intervalMilliseconds = 10_000;
/** A measurement with more uncertainty is ignored: the database or this process is busy. */
const uncertaintyMax = 500;
/** The pauses after a failed measurement. */
const backoff = { firstMilliseconds: intervalMilliseconds, maxMilliseconds: 60_000 };

/** Regularly makes the clock follow the database. Returns a function that stops this. */
export function watchOffset(
  query: Query,
  clock: Clock,
  { background, onClockOffset }: { readonly background: BackgroundObserver; readonly onClockOffset: OnClockOffset },
): () => Promise<void> {
  const work = new BackgroundWork('clock', background, backoff);
  const stopped = new AbortController();

  async function measure(): Promise<number> {
    try {
      const measured = await measureOffset(query);
      if (measured.uncertainty <= uncertaintyMax) {
        follow(clock, measured);
        onClockOffset(measured.offset);
      }
      work.succeed();
      return intervalMilliseconds;
    } catch (error) {
      return stopped.signal.aborted ? 0 : work.fail(error);
    }
  }
  async function watch(): Promise<void> {
    for (let rest = intervalMilliseconds; !stopped.signal.aborted; ) {
      await delay(rest, undefined, { signal: stopped.signal, ref: false }).catch(() => undefined);
      if (!stopped.signal.aborted) rest = await measure();
    }
  }
  const watching = watch();
  return async () => {
    stopped.abort();
    await watching;
  };
}
