/** How long one turn blocks the event loop, in processor time: a busy machine delays a turn, but does not lengthen it. */
import { setTimeout } from 'node:timers/promises';

/**
 * Returns the result of `work`, and the longest turn: the most processor time of this thread, in milliseconds, between two ticks of a
 * timer of one millisecond.
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
    await setTimeout(10); // includes later turns that the work has scheduled
    sample();
    return { result, heldMilliseconds: heldMicroseconds / 1_000 };
  } finally {
    clearInterval(timer);
  }
}
