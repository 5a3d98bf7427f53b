/** How far the clock of this machine is from that of the database, which all nodes share. */
import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, machineTime } from '../../../common/clock.ts';
import { type BackgroundObserver, BackgroundWork, type OnClockOffset } from '../../store-observer.ts';
import type { Query } from './query.ts';

/** What the database's clock is ahead of the machine's, in milliseconds, and how far that may be from the truth. */
export interface ClockOffset {
  readonly offset: number;
  readonly uncertainty: number;
}

/** Within this, a clock counts as right: the machine's time is in whole milliseconds, and its own clocks differ a little. */
const toleratedMilliseconds = 10;
/** Tries of one measurement. The one that took the shortest time tells most. */
const tries = 3;

/** Measures the offset of the database. Rejects as the query does. */
export async function measureOffset(query: Query): Promise<ClockOffset> {
  const once = async (): Promise<ClockOffset> => {
    const [sentAt, begun] = [machineTime(), performance.now()];
    // One row, always. Not the time at which the transaction began.
    const [row] = await query('SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS double precision) AS at');
    const uncertainty = (performance.now() - begun) / 2;
    return { offset: Number(row?.at) - (sentAt + uncertainty), uncertainty };
  };
  const measured = [];
  for (let count = 0; count < tries; count++) measured.push(await once());
  return measured.reduce((best, next) => (next.uncertainty < best.uncertainty ? next : best));
}

/** Lets the clock follow the database. What cannot be told from no difference is none. */
export function follow(clock: Clock, { offset, uncertainty }: ClockOffset): void {
  clock.correct(Math.abs(offset) > uncertainty + toleratedMilliseconds ? Math.round(offset) : 0);
}

const intervalMilliseconds = 10_000;
/** A measurement that may be wrong by more is left out: the database or this process is busy. */
const uncertaintyMax = 500;
/** After one that failed. */
const rests = { firstMilliseconds: intervalMilliseconds, maxMilliseconds: 60_000 };

/** Lets the clock follow the database from time to time. Returns a function that ends this. */
export function watchOffset(
  query: Query,
  clock: Clock,
  { background, onClockOffset }: { readonly background: BackgroundObserver; readonly onClockOffset: OnClockOffset },
): () => Promise<void> {
  const work = new BackgroundWork('clock', background, rests);
  const stopped = new AbortController();

  async function look(): Promise<number> {
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
      if (!stopped.signal.aborted) rest = await look();
    }
  }
  const watching = watch();
  return async () => {
    stopped.abort();
    await watching;
  };
}
