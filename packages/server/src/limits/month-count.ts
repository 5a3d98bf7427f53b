/** One process's count of an account's API requests in one month, and its limit. */
import type { RateWindowStore } from '../storage/contract/rate-window-store.ts';
import type { Awaitable } from '../storage/store.ts';
import { SharedWindow, windowHash } from './shared-window.ts';

/** A calendar month (UTC), in milliseconds since the epoch. */
export interface Month {
  readonly startsAt: number;
  readonly endsAt: number;
}

/** What is counted: all requests of the account, or those with a public credential. */
export type CountKind = 'api-requests' | 'public-api-requests';

/** Whose requests of which month are counted, and the store that gives allotments of the limit. */
export interface CountOf {
  readonly kind: CountKind;
  readonly accountId: string;
  readonly month: Month;
  readonly store: RateWindowStore;
}

/**
 * A process takes this part of a limit at a time, and at most `allotmentMax` requests. Other processes cannot use what it holds, and what
 * it holds is lost if it is killed.
 */
const allotmentsOfLimit = 200;
const allotmentMax = 1_000;

/** When nothing is left, the store is asked at most this often whether another process has returned something. */
const askAgainMilliseconds = 1_000;

export class MonthCount {
  /** Requests in the store. */
  stored: number;
  /** Requests being sent, and requests waiting to be sent. */
  sent = 0;
  unsent = 0;
  readonly #of: CountOf;
  /** Undefined is unlimited. */
  #limit: number | undefined;
  #window: SharedWindow | undefined;
  #askAgainAt = Number.NEGATIVE_INFINITY;

  constructor(of: CountOf, stored: number) {
    this.#of = of;
    this.stored = stored;
  }

  get used(): number {
    return this.stored + this.sent + this.unsent;
  }

  get limit(): number | undefined {
    return this.#limit;
  }

  /** What this process was granted under the current limit. */
  get allotments(): SharedWindow | undefined {
    return this.#window;
  }

  /** Whether this process holds anything that another could use. */
  get isHolding(): boolean {
    return this.#window?.isHolding ?? false;
  }

  /** Counts against another limit from now on. What was granted under the previous one is returned to the store. */
  changeLimit(limit: number | undefined): void {
    if (limit === this.#limit) return;
    void this.returnAllotments();
    this.#limit = limit;
    this.#window = undefined;
  }

  /** Returns whether one more request may be admitted. Rejects with `StoreUnavailable` if no allotment can be had. */
  take(now: number): Awaitable<boolean> {
    const limit = this.#limit;
    if (limit === undefined) return true;
    if (this.used >= limit) return false;
    this.#window ??= this.#newWindow(limit);
    if (this.#window.isSpent(now)) {
      if (now < this.#askAgainAt) return false;
      this.#askAgainAt = now + askAgainMilliseconds;
      this.#window.askAgain();
    }
    return this.#window.take(now);
  }

  /** Returns what was granted but not used. Never rejects: what the store does not take back stays granted. */
  async returnAllotments(): Promise<void> {
    const window = this.#window;
    if (window === undefined) return;
    const { endsAt, count } = await window.release();
    if (count === 0) return;
    await this.#of.store.returnToWindow(this.#windowHash(), endsAt, count).catch(() => undefined);
  }

  /** Marks waiting requests as being sent. Returns their number. */
  send(): number {
    const requests = this.unsent;
    this.sent += requests;
    this.unsent = 0;
    return requests;
  }

  /** The store has taken what was sent. `total` is its new count. */
  settle(requests: number, total: number | undefined): void {
    this.sent -= requests;
    this.stored = total ?? this.stored + requests;
  }

  /** The store has not taken what was sent: it waits again. If the store has it after all, it counts twice, but never too little. */
  keep(requests: number): void {
    this.sent -= requests;
    this.unsent += requests;
  }

  /** The store's count. While something is being sent, the response to that has the total. */
  found(stored: number): void {
    if (this.sent === 0) this.stored = Math.max(this.stored, stored);
  }

  #newWindow(limit: number): SharedWindow {
    const { store, month, accountId } = this.#of;
    const allotment = Math.min(allotmentMax, Math.ceil(limit / allotmentsOfLimit));
    const ask = (_: string, wanted: number, now: number) =>
      store.takeFromWindow(
        { windowHash: this.#windowHash(), limit, endsAt: month.endsAt },
        { wanted, used: this.used, now },
      );
    const returnAllotments = (_: string, endsAt: number, count: number) =>
      store.returnToWindow(this.#windowHash(), endsAt, count);
    return new SharedWindow({ allotment, ask, returnAllotments }, accountId);
  }

  #windowHash(): Uint8Array {
    const { kind, accountId, month } = this.#of;
    return windowHash(kind, `${accountId} ${month.startsAt}`);
  }
}

const dayMilliseconds = 24 * 60 * 60 * 1000;

/** Returns the start of the day (UTC) of a time. */
export const dayOf = (time: number): number => time - (((time % dayMilliseconds) + dayMilliseconds) % dayMilliseconds);

/** Returns the month of a time. */
export function monthOf(time: number): Month {
  const date = new Date(time);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { startsAt: Date.UTC(year, month), endsAt: Date.UTC(year, month + 1) };
}
