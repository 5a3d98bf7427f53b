/**
 * The part of the storage contract for allotments of a limit. A process takes an allotment, lets in that many requests without asking
 * again, and then takes the next. A limit therefore holds for all processes of a store together, and few requests wait for the store.
 */
import type { Awaitable } from '../../common/awaitable.ts';

/** A period of time in which at most `limit` may be let in. */
export interface RateWindow {
  /** SHA-256 of the name of what is counted. */
  readonly windowHash: Uint8Array;
  readonly limit: number;
  /** When the window ends if it begins now. */
  readonly endsAt: number;
}

export interface WindowDemand {
  /** The number of requests that the process asks for; at least 1. */
  readonly wanted: number;
  /** How much of the window is used by all processes, as far as this process knows. At least this much counts as granted. */
  readonly used: number;
  readonly now: number;
}

export interface Allotment {
  readonly granted: number;
  /** How many can still be granted afterwards, to any process. */
  readonly left: number;
  readonly endsAt: number;
}

export interface RateWindowStore {
  /**
   * Begins the window if there is none or it has ended, and grants the wanted number, or as many as are left. All processes together never
   * get more than the limit minus the use before the first of them asked. A window that ends more than two window lengths from now was
   * begun by a wrong clock and counts as ended.
   *
   * An engine for a single server process keeps no count: it grants that process everything not yet used, and grants nothing to a command
   * that runs alongside. A process that found nothing left therefore asks again only with its use since then, and never twice at the same
   * time. An engine may lose windows when its database server crashes.
   */
  takeFromWindow(window: RateWindow, demand: WindowDemand): Awaitable<Allotment>;
  /**
   * Gives back the unused part of an allotment of the window that ends at `endsAt`. `forgotten`, with nothing changed, if the window is
   * over, or if the engine leaves counting to the process.
   */
  returnToWindow(windowHash: Uint8Array, endsAt: number, count: number): Promise<'returned' | 'forgotten'>;
}
