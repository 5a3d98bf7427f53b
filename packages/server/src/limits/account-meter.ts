/** The API requests of one account in one month, as far as one process has counted them. */
import type { RateWindowStore } from '../storage/rate-window-store.ts';
import type { Awaitable } from '../storage/store.ts';
import { SharedWindow, windowHash } from './shared-window.ts';

/** A calendar month (UTC), in milliseconds since the epoch. */
export interface Month {
  readonly startsAt: number;
  readonly endsAt: number;
}

/**
 * A process takes this part of a limit at a time, and at most `shareMax` requests. Other processes cannot use what it holds,
 * and what it holds when it is killed is lost.
 */
const sharesOfLimit = 200;
const shareMax = 1_000;

/** When nothing is left, the store is asked at most this often whether another process has given something back. */
const askAgainMilliseconds = 1_000;

export class Meter {
  readonly accountId: string;
  readonly month: Month;
  /** Requests that are in the store. */
  stored: number;
  /** Requests that are being sent, and requests that wait to be sent. */
  sent = 0;
  unsent = 0;
  /** The epoch in which the limit was read. */
  epoch = 0;
  /** Whether there is no limit: nothing has to be taken then. */
  isUnlimited = true;
  /** Whether no request was let in since this was last set. */
  isAtRest = false;
  readonly #store: RateWindowStore;
  #limit = 0;
  #window: SharedWindow | undefined;
  #askAgainAt = Number.NEGATIVE_INFINITY;

  constructor(store: RateWindowStore, accountId: string, month: Month, stored: number) {
    this.#store = store;
    this.accountId = accountId;
    this.month = month;
    this.stored = stored;
  }

  get used(): number {
    return this.stored + this.sent + this.unsent;
  }

  /** 0 is unlimited. */
  get limit(): number {
    return this.#limit;
  }

  /** Counts against another limit from now on. What was granted under the one before goes back to the store. */
  changeLimit(limit: number): void {
    if (limit === this.#limit) return;
    void this.giveBack();
    this.#limit = limit;
    this.isUnlimited = limit === 0;
    this.#window = limit === 0 ? undefined : this.#newWindow(limit);
  }

  /** Whether this process holds anything that another one could use. */
  get isHolding(): boolean {
    return this.#window?.isHolding ?? false;
  }

  /** Returns whether one more request may be let in. Rejects with `StoreUnavailable` when no share can be had. */
  take(now: number): Awaitable<boolean> {
    const window = this.#window;
    if (window === undefined) return true;
    if (this.used >= this.#limit) return false;
    if (window.isSpent(now)) {
      if (now < this.#askAgainAt) return false;
      this.#askAgainAt = now + askAgainMilliseconds;
      window.askAgain();
    }
    return window.take(now);
  }

  /** Gives back what was granted and not used. Never rejects: what the store does not take back stays granted. */
  async giveBack(): Promise<void> {
    const window = this.#window;
    if (window === undefined) return;
    const { endsAt, count } = await window.release();
    if (count === 0) return;
    await this.#store.returnToWindow(this.#windowHash(), endsAt, count).catch(() => undefined);
  }

  #newWindow(limit: number): SharedWindow {
    const share = Math.min(shareMax, Math.ceil(limit / sharesOfLimit));
    const ask = (_: string, wanted: number, now: number) =>
      this.#store.takeFromWindow(
        { windowHash: this.#windowHash(), limit, endsAt: this.month.endsAt },
        { wanted, used: this.used, now },
      );
    return new SharedWindow({ share, ask }, this.accountId);
  }

  #windowHash(): Uint8Array {
    return windowHash('api-requests', `${this.accountId} ${this.month.startsAt}`);
  }
}
