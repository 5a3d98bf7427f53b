/** Windows of a minute that all processes of the store share, for limits on requests. @see docs/contract.md §10.1 */
import { LRUCache } from 'lru-cache';
import type { Awaitable } from '../common/async/awaitable.ts';
import { Refusal } from '../common/requests/refusal.ts';
import type { WindowVerbs } from '../storage/contract/engine-verbs.ts';
import { SharedWindow, type WindowSource, windowsOf } from './shared-window.ts';

const windowSeconds = 60;
/** Names of about 250 bytes each. */
const defaultNamesMax = 100_000;
/** The same for names that each have their own limit: accounts, and API keys. */
export const ownNamesMax = 20_000;
/** A name of this many characters counts as two, one of twice as many as three, and so on: a user id may have 512. */
const nameCharacters = 128;
const sizeOf = (_: unknown, name: string) => 1 + Math.floor(name.length / nameCharacters);
/** The part of a limit that a process takes at a time: small, as it may stay unused, but large enough that few requests ask the store. */
const allotmentsOfLimit = 50;

/** The remainder of a limit after a request. */
export interface Allowance {
  readonly limit: number;
  /** Requests left in this window, as far as this process knows. Below 0, the request was one too many. */
  readonly remaining: number;
  /** Seconds until the window ends and the whole limit is available again. */
  readonly resetSeconds: number;
}

/** Receives the remainder. The counting call throws any error that it throws. */
export type OnCounted = (allowance: Allowance) => void;

export interface RateLimitOptions {
  readonly store: WindowVerbs;
  /** Separates the names of this limit from those of other limits. */
  readonly name: string;
  /** Most names counted at one time. Over this, the least recently used are forgotten. */
  readonly namesMax?: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A fixed window for each name: it begins with a request and lasts a minute. */
export class RateLimit {
  readonly #store: WindowVerbs;
  readonly #name: string;
  readonly #now: () => number;
  // Bounded by size: with `max`, the cache would allocate room for all names from the start, about 3 MB.
  readonly #windows: LRUCache<string, SharedWindow>;
  /** The source of the newest window. */
  #source: WindowSource | undefined;

  constructor({ store, name, namesMax = defaultNamesMax, now }: RateLimitOptions) {
    this.#store = store;
    this.#name = name;
    this.#now = now;
    this.#windows = new LRUCache<string, SharedWindow>({ maxSize: namesMax, sizeCalculation: sizeOf });
  }

  /**
   * Counts one request of a name that may send this many per minute, and calls `counted` with the remainder; synchronously, unless a remote
   * store must be asked for an allotment. Requests over the limit are not counted, so they do not prolong the wait. Rejects with
   * `StoreUnavailable` if no allotment can be had.
   */
  take(name: string, requestsPerMinute: number, counted: OnCounted): Awaitable<void> {
    const now = this.#now();
    const window = this.#window(name, requestsPerMinute);
    const taken = window.take(now);
    if (typeof taken !== 'boolean') return this.#takeLater(window, now, taken, counted);
    counted(allowanceOf(window, now, taken));
  }

  /** The remainder, without counting a request or asking the store; undefined if nothing was counted yet. */
  peek(name: string): Allowance | undefined {
    if (this.#windows.size === 0) return undefined;
    const now = this.#now();
    const window = this.#windows.get(name);
    return window === undefined || window.hasEnded(now) ? undefined : allowanceOf(window, now, true);
  }

  async #takeLater(window: SharedWindow, now: number, taken: Promise<boolean>, counted: OnCounted): Promise<void> {
    counted(allowanceOf(window, now, await taken));
  }

  /** The window of a name. A changed limit starts a new window here; the counts in the store stay. */
  #window(name: string, requestsPerMinute: number): SharedWindow {
    const known = this.#windows.get(name);
    if (known?.limit === requestsPerMinute) return known;
    const window = new SharedWindow(this.#sourceOf(requestsPerMinute), name);
    this.#windows.set(name, window);
    return window;
  }

  #sourceOf(requestsPerMinute: number): WindowSource {
    if (this.#source?.limit === requestsPerMinute) return this.#source;
    const limit = { name: this.#name, countMax: requestsPerMinute, windowSeconds };
    this.#source = windowsOf(this.#store, limit, Math.ceil(requestsPerMinute / allotmentsOfLimit));
    return this.#source;
  }
}

function allowanceOf(window: SharedWindow, now: number, isTaken: boolean): Allowance {
  // The clock of the process that began the window may be ahead of this one.
  const resetSeconds = Math.min(windowSeconds, Math.max(1, Math.ceil((window.endsAt - now) / 1000)));
  return { limit: window.limit, remaining: isTaken ? window.remaining : -1, resetSeconds };
}

/** Throws `rate_limited` if the counted request is one too many. */
export function refuseBeyond(allowance: Allowance | undefined): void {
  if (allowance === undefined || allowance.remaining >= 0) return;
  const { limit, resetSeconds } = allowance;
  throw new Refusal('rate_limited', `more than ${limit} requests within a minute; wait ${resetSeconds} s`, {
    retryAfterSeconds: resetSeconds,
  });
}

/**
 * The headers that describe a limit, for every response that it counted.
 *
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
export function allowanceHeaders({ limit, remaining, resetSeconds }: Allowance): readonly string[] {
  return [
    'RateLimit-Policy',
    `"minute";q=${limit};w=${windowSeconds}`,
    'RateLimit',
    `"minute";r=${Math.max(remaining, 0)};t=${resetSeconds}`,
  ];
}
