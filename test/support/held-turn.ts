/** How long a turn of the event loop holds everything else up, in processor time: a busy machine makes a turn later, not longer. */
import { setTimeout } from 'node:timers/promises';

/**
 * Returns what `work` resolves with, and the processor time of this thread, in milliseconds, that passed between two timers of a
 * millisecond at most. That is what the longest turn took.
 */
export async function watchTurns<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly heldMilliseconds: number }> {
  let last = process.threadCpuUsage();
  let heldMicroseconds = 0;
  const sample = () => {
    const { user, system } = process.threadCpuUsage(last);
    last = process.threadCpuUsage();
    heldMicroseconds = Math.max(heldMicroseconds, user + system);
  };
  const timer = setInterval(sample, 1);
  try {
    const result = await work();
    await setTimeout(10); // what the work left to later turns counts too
    sample();
    return { result, heldMilliseconds: heldMicroseconds / 1_000 };
  } finally {
    clearInterval(timer);
  }
}
