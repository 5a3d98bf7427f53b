/** Limits on requests per minute, for each subject or client address, whichever process of the store it comes to. */
import { LRUCache } from 'lru-cache';
import { Refusal } from '../common/refusal.ts';
import type { RateWindowStore } from '../storage/rate-window-store.ts';
import type { Awaitable } from '../storage/store.ts';
import { SharedWindow, type WindowSource, windowsOf } from './shared-window.ts';

const windowSeconds = 60;
/** Names that are counted at once, about 250 bytes each. Beyond, this process forgets those that asked longest ago. */
const namesMax = 100_000;
/** A name of this many characters counts as two, and so on: a user id may have 512. */
const nameCharacters = 128;
const sizeOf = (_: unknown, name: string) => 1 + Math.floor(name.length / nameCharacters);
/** A process takes this part of a limit at a time: little enough to be left over, and few requests ask the store. */
const sharesOfLimit = 50;

/** What is left of a limit after a request was counted. */
export interface Allowance {
  readonly limit: number;
  /** Requests that may follow in this window, as far as this process knows; below 0 the request was one too many. */
  readonly remaining: number;
  /** Seconds until the window ends and the whole limit is there again. */
  readonly resetSeconds: number;
}

export interface RateLimitOptions {
  readonly store: Pick<RateWindowStore, 'takeFromWindow'>;
  /** Tells the names of this limit from those of others. */
  readonly name: string;
  readonly requestsPerMinute: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A fixed window for each name: it begins with a request and lasts a minute. */
export class RateLimit {
  readonly #limit: number;
  readonly #now: () => number;
  readonly #source: WindowSource;
  // Counted by size: with `max` the cache would take the room of all names at once, some 3 MB.
  readonly #windows = new LRUCache<string, SharedWindow>({ maxSize: namesMax, sizeCalculation: sizeOf });

  constructor({ store, name, requestsPerMinute, now }: RateLimitOptions) {
    this.#limit = requestsPerMinute;
    this.#now = now;
    const limit = { name, countMax: requestsPerMinute, windowSeconds };
    this.#source = windowsOf(store, limit, Math.ceil(requestsPerMinute / sharesOfLimit));
  }

  /**
   * Counts one request; at once, unless a remote store has to be asked for a share. What exceeds the limit is not counted on,
   * so that it never takes longer to be let in again. Rejects with `StoreUnavailable` when a share cannot be had.
   */
  take(name: string): Awaitable<Allowance> {
    const now = this.#now();
    const window = this.#window(name);
    const taken = window.take(now);
    return taken instanceof Promise
      ? taken.then((isTaken) => this.#allowance(window, now, isTaken ? window.remaining : -1))
      : this.#allowance(window, now, taken ? window.remaining : -1);
  }

  /** What is left, counting nothing and asking nobody; undefined when nothing was counted yet. */
  peek(name: string): Allowance | undefined {
    if (this.#windows.size === 0) return undefined;
    const now = this.#now();
    const window = this.#windows.get(name);
    return window === undefined || window.hasEnded(now) ? undefined : this.#allowance(window, now, window.remaining);
  }

  #allowance(window: SharedWindow, now: number, remaining: number): Allowance {
    // The clock of the process that began the window may go before this one.
    const resetSeconds = Math.min(windowSeconds, Math.max(1, Math.ceil((window.endsAt - now) / 1000)));
    return { limit: this.#limit, remaining, resetSeconds };
  }

  #window(name: string): SharedWindow {
    const known = this.#windows.get(name);
    if (known !== undefined) return known;
    const window = new SharedWindow(this.#source, name);
    this.#windows.set(name, window);
    return window;
  }
}

/** Throws `rate_limited` when the request that was counted is one too many. */
export function refuseBeyond(allowance: Allowance | undefined): void {
  if (allowance === undefined || allowance.remaining >= 0) return;
  const { limit, resetSeconds } = allowance;
  throw new Refusal('rate_limited', `more than ${limit} requests within a minute; wait ${resetSeconds} s`, {
    retryAfterSeconds: resetSeconds,
  });
}

/**
 * What a limit says of itself on every answer that it counted.
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
