import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** How many `nice` steps the thread is placed behind the request threads. */
const stepsBehind = 5;

/**
 * Gives the threads that serve requests priority over the calling thread if both need the same core. Without it, a group that becomes
 * durable interrupts running responses for as long as a scheduler tick. Compared with other processes, the thread gets a third of its
 * former share. Only on Linux does a thread have its own priority; elsewhere this does nothing.
 */
export function yieldToRequests(): void {
  try {
    const [processId, , threadId] = readlinkSync('/proc/thread-self').split('/');
    if (Number(processId) !== process.pid) return; // the ids are of another namespace
    setPriority(Number(threadId), Math.min(getPriority() + stepsBehind, constants.priority.PRIORITY_LOW));
  } catch {
    // Not Linux, or a system that hides its processes: everything works, only less evenly.
  }
}
