/** Limits on requests per minute, counted for each credential or client address. */
import { LRUCache } from 'lru-cache';
import { Refusal } from './refusal.ts';

const windowSeconds = 60;
/** Names that are counted at once, about 200 bytes each. Beyond, those that asked longest ago start anew. */
const namesMax = 100_000;

/** What is left of a limit after a request was counted. */
export interface Allowance {
  readonly limit: number;
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
  readonly #windows = new LRUCache<string, Window>({ max: namesMax });

  /** `now` gives milliseconds. */
  constructor(requestsPerMinute: number, now: () => number) {
    this.#limit = requestsPerMinute;
    this.#now = now;
  }

  /** Counts one request. Throws `rate_limited` when the limit is used up; refused requests are not counted. */
  take(name: string): Allowance {
    const now = this.#now();
    const window = this.#window(name, now);
    const resetSeconds = Math.max(1, Math.ceil((window.endsAt - now) / 1000));
    if (window.requests >= this.#limit) throw tooMany({ limit: this.#limit, remaining: 0, resetSeconds });
    window.requests++;
    return { limit: this.#limit, remaining: this.#limit - window.requests, resetSeconds };
  }

  /** Throws `rate_limited` when the limit is used up, without counting anything. */
  check(name: string): void {
    if (this.#windows.size === 0) return;
    const now = this.#now();
    const window = this.#windows.get(name);
    if (window === undefined || window.endsAt <= now || window.requests < this.#limit) return;
    throw tooMany({ limit: this.#limit, remaining: 0, resetSeconds: Math.ceil((window.endsAt - now) / 1000) });
  }

  #window(name: string, now: number): Window {
    const known = this.#windows.get(name);
    if (known !== undefined && known.endsAt > now) return known;
    const window = { endsAt: now + windowSeconds * 1000, requests: 0 };
    this.#windows.set(name, window);
    return window;
  }
}

function tooMany(allowance: Allowance): Refusal {
  const { limit, resetSeconds } = allowance;
  return new Refusal('rate_limited', `more than ${limit} requests within a minute; wait ${resetSeconds} s`, {
    retryAfterSeconds: resetSeconds,
    allowance,
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
    `"minute";r=${remaining};t=${resetSeconds}`,
  ];
}
