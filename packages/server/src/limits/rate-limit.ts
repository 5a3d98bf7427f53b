/**
 * Limits on requests per minute for each subject or client address, over all processes of the store; and the windows that the
 * processes share, which other limits use too.
 */

import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Refusal } from '../common/refusal.ts';
import { whenHere } from '../storage/awaitable.ts';
import type { RateWindow, RateWindowStore, WindowShare } from '../storage/rate-window-store.ts';
import type { Awaitable } from '../storage/store.ts';

const windowSeconds = 60;
/** Names that are counted at once, about 250 bytes each. Beyond this, the names used longest ago are forgotten. */
const namesMax = 100_000;
/** A name of this many characters counts as two, and so on: a user id may have 512. */
const nameCharacters = 128;
const sizeOf = (_: unknown, name: string) => 1 + Math.floor(name.length / nameCharacters);
/** A process takes this part of a limit at a time: little enough to leave unused, and few requests ask the store. */
const sharesOfLimit = 50;

/** What is left of a limit after a request was counted. */
export interface Allowance {
  readonly limit: number;
  /** Requests that may follow in this window, as far as this process knows. Below 0, the request was one too many. */
  readonly remaining: number;
  /** Seconds until the window ends and the whole limit is available again. */
  readonly resetSeconds: number;
}

/** Receives what is left. What it throws, the call that counted throws. */
export type OnCounted = (allowance: Allowance) => void;

export interface RateLimitOptions {
  readonly store: Pick<RateWindowStore, 'takeFromWindow'>;
  /** Keeps the names of this limit apart from those of other limits. */
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
  // Bounded by size: with `max`, the cache would allocate room for all names at once, about 3 MB.
  readonly #windows = new LRUCache<string, SharedWindow>({ maxSize: namesMax, sizeCalculation: sizeOf });

  constructor({ store, name, requestsPerMinute, now }: RateLimitOptions) {
    this.#limit = requestsPerMinute;
    this.#now = now;
    const limit = { name, countMax: requestsPerMinute, windowSeconds };
    this.#source = windowsOf(store, limit, Math.ceil(requestsPerMinute / sharesOfLimit));
  }

  /**
   * Counts one request, and calls `counted` with what is left; at once, unless a remote store has to be asked for a share. Requests
   * beyond the limit are not counted, so they do not make the wait longer. Rejects with `StoreUnavailable` when no share can be had.
   */
  take(name: string, counted: OnCounted): Awaitable<void> {
    const now = this.#now();
    const window = this.#window(name);
    const taken = window.take(now);
    if (typeof taken !== 'boolean') return this.#takeLater(window, now, taken, counted);
    counted(this.#allowance(window, now, taken));
  }

  /** What is left, without counting a request or asking the store; undefined when nothing was counted yet. */
  peek(name: string): Allowance | undefined {
    if (this.#windows.size === 0) return undefined;
    const now = this.#now();
    const window = this.#windows.get(name);
    return window === undefined || window.hasEnded(now) ? undefined : this.#allowance(window, now, true);
  }

  async #takeLater(window: SharedWindow, now: number, taken: Promise<boolean>, counted: OnCounted): Promise<void> {
    counted(this.#allowance(window, now, await taken));
  }

  #allowance(window: SharedWindow, now: number, isTaken: boolean): Allowance {
    // The clock of the process that began the window may be ahead of this one.
    const resetSeconds = Math.min(windowSeconds, Math.max(1, Math.ceil((window.endsAt - now) / 1000)));
    return { limit: this.#limit, remaining: isTaken ? window.remaining : -1, resetSeconds };
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
 * The headers that tell of a limit on every response that it counted.
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

/** Where shares of windows come from. */
export interface WindowSource {
  /** How many are asked for at a time, unless more are waited for. */
  readonly share: number;
  ask(name: string, wanted: number, now: number): Awaitable<WindowShare>;
}

/** Returns the hash under which the store knows a window. */
export const windowHash = (kind: string, name: string): RateWindow['windowHash'] =>
  hash('sha256', `${kind}\n${name}`, 'buffer');

/** What is counted, up to which number, in windows of what length. */
export interface Limit {
  readonly name: string;
  readonly countMax: number;
  readonly windowSeconds: number;
}

/** Returns the source of the windows of a limit, each of which begins with the first thing that it counts. */
export function windowsOf(store: Pick<RateWindowStore, 'takeFromWindow'>, limit: Limit, share: number): WindowSource {
  const { name: kind, countMax, windowSeconds } = limit;
  return {
    share,
    ask: (name, wanted, now) =>
      store.takeFromWindow(
        { windowHash: windowHash(kind, name), limit: countMax, endsAt: now + windowSeconds * 1000 },
        { wanted, used: 0, now },
      ),
  };
}

/**
 * Returns a function that opens the windows of a limit by their names. Shares are of one, so that no process holds anything
 * that another one could need.
 */
export const windowOpener =
  (store: Pick<RateWindowStore, 'takeFromWindow'>) =>
  (limit: Limit): ((name: string) => SharedWindow) => {
    const source = windowsOf(store, limit, 1);
    return (name) => new SharedWindow(source, name);
  };

/**
 * One process's view of a window of a limit that all processes of the store share. A granted share is used up here without
 * asking the store, and the next share is asked for before it is needed.
 *
 * Times are in milliseconds; `now` is that of the request.
 */
export class SharedWindow {
  readonly #source: WindowSource;
  readonly #name: string;
  #endsAt = Number.NEGATIVE_INFINITY;
  /** What this process was granted and has not used yet. */
  #held = 0;
  /** What the store could still grant when it was last asked. */
  #left = 0;
  /** Requests that wait for a share. */
  #waiting = 0;
  /** Resolves when the share that was asked for is here. The store is asked for one at a time. */
  #asked: Promise<void> | undefined = undefined;

  constructor(source: WindowSource, name: string) {
    this.#source = source;
    this.#name = name;
  }

  /** Meaningful as long as the window lasts. */
  get endsAt(): number {
    return this.#endsAt;
  }

  /** What is left in all, as far as this process knows. */
  get remaining(): number {
    return this.#held + this.#left;
  }

  /** Whether this process holds anything that another one could use. */
  get isHolding(): boolean {
    return this.#held > 0;
  }

  hasEnded(now: number): boolean {
    return this.#endsAt <= now;
  }

  /** Whether nothing is left until the window ends. The store is not asked then. */
  isSpent(now: number): boolean {
    return this.#held === 0 && this.#left === 0 && this.#endsAt > now;
  }

  /** Takes one, and returns whether there was one to take. Rejects with `StoreUnavailable` when no share can be had. */
  take(now: number): Awaitable<boolean> {
    if (this.#takeHeld(now)) return true;
    if (this.isSpent(now)) return false;
    if (this.#asked === undefined && this.#ask(now) === undefined) return this.#takeHeld(now);
    return this.#takeLater(now);
  }

  /** Puts back one that was taken and not used. */
  putBack(now: number): void {
    if (this.#endsAt > now) this.#held += 1;
  }

  /** Returns what this process holds, for the store to have back, once a share that was asked for is here. Keeps nothing. */
  async release(): Promise<{ readonly endsAt: number; readonly count: number }> {
    await this.#asked?.catch(() => undefined);
    const count = this.#held;
    this.#held = 0;
    this.#left += count;
    return { endsAt: this.#endsAt, count };
  }

  /** Makes the next request ask the store again, although nothing was left: another process may have given something back. */
  askAgain(): void {
    this.#left = Math.max(this.#left, 1);
  }

  #takeHeld(now: number): boolean {
    if (this.#held === 0 || this.#endsAt <= now) return false;
    this.#held -= 1;
    // Half of a share lasts until the next one comes. Shares of one are not asked for ahead.
    if (this.#left > 0 && this.#held < this.#source.share >> 1 && this.#asked === undefined) {
      // If this fails, the request that needs the share asks again and gets the error.
      this.#ask(now)?.catch(() => undefined);
    }
    return true;
  }

  async #takeLater(now: number): Promise<boolean> {
    this.#waiting += 1;
    try {
      for (;;) {
        await (this.#asked ?? this.#ask(now));
        if (this.#takeHeld(now)) return true;
        if (this.isSpent(now)) return false;
      }
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Asks for a share, and for enough for all that wait. Returns undefined when the store answers at once. */
  #ask(now: number): Promise<void> | undefined {
    const share = this.#source.ask(this.#name, Math.max(this.#source.share, this.#waiting), now);
    const accepted = whenHere(share, (granted) => this.#accept(granted));
    this.#asked = accepted?.finally(() => {
      this.#asked = undefined;
    });
    return this.#asked;
  }

  #accept({ granted, left, endsAt }: WindowShare): void {
    if (endsAt !== this.#endsAt) this.#held = 0;
    this.#endsAt = endsAt;
    this.#held += granted;
    this.#left = left;
  }
}
