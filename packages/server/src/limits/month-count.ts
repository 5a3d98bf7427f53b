/** One process's count of an account's API requests in one month, and its limit. */

import type { Awaitable } from '../common/async/awaitable.ts';
import type { WindowVerbs } from '../storage/contract/engine-verbs.ts';
import { SharedWindow, windowHash } from './shared-window.ts';

/** A calendar month (UTC), in milliseconds since the epoch. */
export interface Month {
  readonly startsAt: number;
  readonly endsAt: number;
}

/** The counted requests: all of the account, or those with a public credential. */
type CountKind = 'api-requests' | 'public-api-requests';

/** The counted account and month, and the store that grants allotments of the limit. */
export interface CountOf {
  readonly kind: CountKind;
  readonly accountId: string;
  readonly month: Month;
  readonly store: WindowVerbs;
}

/**
 * A process takes this part of a limit at a time, and at most `allotmentMax` requests. Other processes cannot use its share, and the share
 * is lost if the process is killed.
 */
const allotmentsOfLimit = 200;
const allotmentMax = 1_000;

/** When nothing is left, the store is asked at most this often for requests returned by other processes. */
const askAgainMilliseconds = 1_000;

export class MonthCount {
  /** Requests in the store. */
  stored: number;
  /** Requests being sent, and requests waiting to be sent. */
  sent = 0;
  unsent = 0;
  readonly #of: CountOf;
  /** Undefined means unlimited. */
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

  /** Requests granted to this process under the current limit. */
  get allotments(): SharedWindow | undefined {
    return this.#window;
  }

  /** Whether this process holds anything that another could use. */
  get isHolding(): boolean {
    return this.#window?.isHolding ?? false;
  }

  /** Switches to another limit. Grants under the previous one are returned to the store. */
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

  /** Returns unused grants. Never rejects: grants that the store does not take back stay granted. */
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

  /** Called when the store has taken the sent requests. `total` is its new count. */
  settle(requests: number, total: number | undefined): void {
    this.sent -= requests;
    this.stored = total ?? this.stored + requests;
  }

  /** Called when the store has not taken the sent requests: they wait again. If the store has them after all, they count twice. */
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
    return new SharedWindow({ limit, allotment, ask, returnAllotments }, accountId);
  }

  #windowHash(): Uint8Array {
    const { kind, accountId, month } = this.#of;
    return windowHash(kind, `${accountId} ${month.startsAt}`);
  }
}

/** Returns the month of a time. */
export function monthOf(time: number): Month {
  const date = new Date(time);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { startsAt: Date.UTC(year, month), endsAt: Date.UTC(year, month + 1) };
}
