/** Common parts of the watching programs: orders from the parent, and the time for which a thread had no processor. */
import { readFileSync } from 'node:fs';
import { clock } from './case.ts';
import type { WatchOrder } from './watch.ts';

export const order = JSON.parse(process.argv[2] as string) as WatchOrder;

/**
 * Follows the parent's orders: `begin` starts `watch`, which runs while `isWatching` is true, and `end` sends its result. Watches once in
 * advance, so that all is compiled and connected.
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
 * Starts a measurement. The returned function says how many milliseconds have passed, excluding those for which the server's main thread
 * was ready to run without a processor and, unless `isBusy`, those for which this one was: a sleeping thread that waits for the response is
 * delayed only once the server no longer is, so nothing is subtracted twice.
 */
export function stopwatch(isBusy = false): () => number {
  const stolen = () => processorWait(order.pid) + (isBusy ? 0 : processorWait('self'));
  const [startedAt, stolenBefore] = [clock(), stolen()];
  return () => {
    const elapsed = clock() - startedAt;
    return Math.max(0, elapsed - (stolen() - stolenBefore));
  };
}

/** How long the main thread of a process has been ready to run without a processor, in milliseconds; 0 if unknown. */
function processorWait(of: number | 'self'): number {
  try {
    const [, nanoseconds] = readFileSync(`/proc/${of}/schedstat`, 'latin1').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return 0;
  }
}
