/** Common parts of the watching programs: orders from the parent, and the time for which a thread had no processor. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startUnhindered } from '../../tooling/readings.ts';
import type { WatchOrder } from './watch.ts';

export const order = JSON.parse(process.argv[2] as string) as WatchOrder;

/**
 * Follows the parent's orders: `begin` starts `watch`, which runs while `isWatching` is true, and is confirmed; `end` sends its result.
 * Watches once in advance, so that all is compiled and connected.
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
      process.send?.('begun');
    }
  });
  process.on('disconnect', () => process.exit());
  await sleep(200);
  await end();
}

/**
 * Starts a measurement. The returned function says how many milliseconds have passed, excluding those for which the server's main thread
 * was ready to run without a processor and, unless `isBusy`, those for which this one was: a sleeping thread that waits for the response is
 * delayed only once the server no longer is, so nothing is subtracted twice.
 */
export function stopwatch(isBusy = false): () => number {
  const elapsed = isBusy ? startUnhindered(order.pid) : startUnhindered(order.pid, 'self');
  return () => Math.max(0, elapsed());
}
