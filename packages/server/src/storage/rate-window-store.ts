/**
 * The part of the storage contract that hands out shares of a limit. A process takes a share, lets in what it was granted
 * without asking for each request, and comes back for more: so a limit holds for all processes of a store together, and few
 * requests wait for the store.
 */
import type { Awaitable } from './awaitable.ts';

/** A stretch of time in which so much may be let in. */
export interface RateWindow {
  /** SHA-256 of the name of what is counted. */
  readonly windowHash: Uint8Array;
  readonly limit: number;
  /** When the window ends, should it begin now. */
  readonly endsAt: number;
}

export interface WindowDemand {
  /** How many the process wants; 1 at least. */
  readonly wanted: number;
  /** What the process knows to be used of the window, whoever was granted that: at least so much counts as granted. */
  readonly used: number;
  readonly now: number;
}

export interface WindowShare {
  readonly granted: number;
  /** What any process can still be granted after that. */
  readonly left: number;
  readonly endsAt: number;
}

export interface RateWindowStore {
  /**
   * Begins the window when there is none or it has ended, and grants what is wanted of it, or as much as is left. All
   * processes together are never granted more than the limit, less what was used before the first of them asked. A window
   * that ends later than two of its lengths from now was begun by a clock that is wrong, and counts as ended.
   *
   * An engine that serves one server process remembers nothing: it grants that process everything but what it says is used,
   * and nothing to a command beside it. Therefore a process that was told that nothing is left asks again only with what it
   * has used since, and nobody asks a second time while an answer is on its way. An engine may forget windows when its
   * database server crashes.
   */
  takeFromWindow(window: RateWindow, demand: WindowDemand): Awaitable<WindowShare>;
  /** Gives back what was granted in the window that ends at `endsAt` and not used; nothing happens when it is over. */
  returnToWindow(windowHash: Uint8Array, endsAt: number, count: number): Promise<void>;
}
