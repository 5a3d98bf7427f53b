/** What the programs that watch have in common: orders from the parent, and the time for which somebody had no processor. */
import { readFileSync } from 'node:fs';
import { clock } from './case.ts';
import type { WatchOrder } from './watch.ts';

export const order = JSON.parse(process.argv[2] as string) as WatchOrder;

/**
 * Does what the parent orders: `begin` starts `watch`, which goes on while `isWatching` says so, and `end` has what it resolves
 * with sent. Watches once for itself, so that all is compiled and connected.
 */
export async function obey<Seen extends object>(watch: (isWatching: () => boolean) => Promise<Seen>): Promise<void> {
  let isWatching = true;
  let watching = watch(() => isWatching);
  const end = async () => {
    isWatching = false;
    process.send?.(await watching);
  };
  process.on('message', (word) => {
    if (word === 'end') void end();
    else {
      isWatching = true;
      watching = watch(() => isWatching);
    }
  });
  process.on('disconnect', () => process.exit());
  await new Promise((resolve) => setTimeout(resolve, 200));
  await end();
}

/**
 * Begins to measure; the function that it returns says how many milliseconds have passed since, without those for which the main
 * thread of the server was ready to run and had no processor, nor, unless `isBusy`, those for which this one was: a thread that
 * sleeps until the answer comes is kept waiting when the server no longer is, and so nothing is taken off twice.
 */
export function stopwatch(isBusy = false): () => number {
  const stolen = () => processorWait(order.pid) + (isBusy ? 0 : processorWait('self'));
  const [startedAt, stolenBefore] = [clock(), stolen()];
  return () => {
    const elapsed = clock() - startedAt;
    return Math.max(0, elapsed - (stolen() - stolenBefore));
  };
}

/** How long the main thread of a process has been ready to run and had no processor, in milliseconds; 0 where nobody says. */
function processorWait(of: number | 'self'): number {
  try {
    const [, nanoseconds] = readFileSync(`/proc/${of}/schedstat`, 'latin1').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return 0;
  }
}
