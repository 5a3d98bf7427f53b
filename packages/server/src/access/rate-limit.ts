/** Limits on requests per minute, counted for each credential or client address. */
import { LRUCache } from 'lru-cache';
import { Refusal } from './refusal.ts';

const windowSeconds = 60;
/** Names that are counted at once, about 200 bytes each. Beyond, those that asked longest ago start anew. */
const namesMax = 100_000;

/** What is left of a limit after a request was counted. */
export interface Allowance {
  readonly limit: number;
  /** Requests that may follow in this window; below 0 the request itself was one too many. */
  readonly remaining: number;
  /** Seconds until the window ends and the whole limit is there again. */
  readonly resetSeconds: number;
}

interface Window {
  readonly endsAt: number;
  requests: number;
}

/** A fixed window for each name: it begins with a request and lasts a minute. */
export class RateLimit {
  readonly #limit: number;
  readonly #now: () => number;
  // Counted by size: with `max` the cache would take the room of all names at once, some 3 MB.
  readonly #windows = new LRUCache<string, Window>({ maxSize: namesMax, sizeCalculation: () => 1 });

  /** `now` gives milliseconds. */
  constructor(requestsPerMinute: number, now: () => number) {
    this.#limit = requestsPerMinute;
    this.#now = now;
  }

  /** Counts one request. What exceeds the limit is not counted on, so that it never takes longer to be let in again. */
  take(name: string): Allowance {
    const now = this.#now();
    const window = this.#window(name, now);
    if (window.requests <= this.#limit) window.requests++;
    return this.#allowance(window, now);
  }

  /** What is left, counting nothing; undefined when nothing was counted yet. */
  peek(name: string): Allowance | undefined {
    if (this.#windows.size === 0) return undefined;
    const now = this.#now();
    const window = this.#windows.get(name);
    return window === undefined || window.endsAt <= now ? undefined : this.#allowance(window, now);
  }

  #allowance(window: Window, now: number): Allowance {
    const resetSeconds = Math.max(1, Math.ceil((window.endsAt - now) / 1000));
    return { limit: this.#limit, remaining: this.#limit - window.requests, resetSeconds };
  }

  #window(name: string, now: number): Window {
    const known = this.#windows.get(name);
    if (known !== undefined && known.endsAt > now) return known;
    const window = { endsAt: now + windowSeconds * 1000, requests: 0 };
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
