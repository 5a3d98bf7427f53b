/**
 * The part of the storage contract that hands out allotments of a limit. A process takes an allotment, lets in as many requests as it
 * was granted without asking again, and then takes the next allotment. So a limit holds for all processes of a store together,
 * and few requests wait for the store.
 */
import type { Awaitable } from '../common/awaitable.ts';

/** A period of time in which at most `limit` may be let in. */
export interface RateWindow {
  /** SHA-256 of the name of what is counted. */
  readonly windowHash: Uint8Array;
  readonly limit: number;
  /** When the window ends if it begins now. */
  readonly endsAt: number;
}

export interface WindowDemand {
  /** How many the process asks for; at least 1. */
  readonly wanted: number;
  /** How many of the window are used as far as the process knows, by any process: at least that many count as granted. */
  readonly used: number;
  readonly now: number;
}

export interface Allotment {
  readonly granted: number;
  /** How many can still be granted after that, to any process. */
  readonly left: number;
  readonly endsAt: number;
}

export interface RateWindowStore {
  /**
   * Begins the window when there is none or it has ended, and grants what is wanted, or as much as is left. All processes together are
   * never granted more than the limit minus what was used before the first of them asked. A window that ends later than two of its
   * lengths from now was begun by a wrong clock and counts as ended.
   *
   * An engine that serves one server process remembers nothing: it grants that process everything except what is already used, and
   * grants nothing to a command beside it. Therefore a process that found nothing left asks again only with what it has used since, and
   * does not ask twice at the same time. An engine may forget windows when its database server crashes.
   */
  takeFromWindow(window: RateWindow, demand: WindowDemand): Awaitable<Allotment>;
  /**
   * Gives back what was granted in the window that ends at `endsAt` and not used. `forgotten`, with nothing changed, when the window is over, or
   * when the engine leaves counting to the process.
   */
  returnToWindow(windowHash: Uint8Array, endsAt: number, count: number): Promise<'returned' | 'forgotten'>;
}
