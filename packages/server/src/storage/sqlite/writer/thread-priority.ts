import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** How many steps of `nice` the thread goes behind them. */
const stepsBehind = 5;

/**
 * Gives the threads that serve requests priority over the calling thread where both need the same core. Without it, a group that
 * becomes durable interrupts responses under way for as long as a tick of the scheduler. Among other processes the thread gets a third
 * of its former share. Only on Linux does a thread have its own priority; elsewhere this does nothing.
 */
export function yieldToRequests(): void {
  try {
    const [processId, , threadId] = readlinkSync('/proc/thread-self').split('/');
    if (Number(processId) !== process.pid) return; // the names of another namespace
    setPriority(Number(threadId), Math.min(getPriority() + stepsBehind, constants.priority.PRIORITY_LOW));
  } catch {
    // Not Linux, or a system that hides its processes: everything works, only less evenly.
  }
}
