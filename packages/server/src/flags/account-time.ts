/** Processor time recently used by accounts. Busy accounts wait in a separate queue. */
import { LRUCache } from 'lru-cache';

/** Processor time that an account may use in one burst, and in each second, before it counts as busy. */
const burstMs = 25;
const msOfSecond = 5;
const accountsMax = 10_000;

interface Taken {
  readonly milliseconds: number;
  readonly at: number;
}

export class AccountTime {
  readonly #taken = new LRUCache<string, Taken>({ max: accountsMax });

  /** Records the time of an account's work. `now` is of a clock in milliseconds. */
  add(account: string, milliseconds: number, now: number): void {
    this.#taken.set(account, { milliseconds: this.#left(account, now) + milliseconds, at: now });
  }

  /** Whether the account has used more than its share lately. */
  isBusy(account: string, now: number): boolean {
    return this.#left(account, now) > burstMs;
  }

  #left(account: string, now: number): number {
    const { milliseconds, at } = this.#taken.get(account) ?? { milliseconds: 0, at: now };
    return Math.max(milliseconds - ((now - at) * msOfSecond) / 1_000, 0);
  }
}
