import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** How far it goes behind them, as `nice` counts. */
const stepsBehind = 5;

/**
 * Lets the threads that serve requests go before the calling thread where both want the same core: without it a group that
 * becomes durable interrupts the answers under way, for as long as a tick of the scheduler lasts. Among other processes the
 * thread gets a third of what it had. On Linux alone a thread has a priority of its own; elsewhere nothing happens.
 */
export function yieldToRequests(): void {
  try {
    const [processId, , threadId] = readlinkSync('/proc/thread-self').split('/');
    if (Number(processId) !== process.pid) return; // the names of another namespace
    setPriority(Number(threadId), Math.min(getPriority() + stepsBehind, constants.priority.PRIORITY_LOW));
  } catch {
    // No Linux, or a system that hides its processes: all works as well, if less evenly.
  }
}
