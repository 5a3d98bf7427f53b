/** The API requests of one account in one month, as counted by one process. */
import { type Awaitable, mapAwaitable } from '../common/async/awaitable.ts';
import type { WindowVerbs } from '../storage/contract/engine-verbs.ts';
import { type Month, MonthCount } from './month-count.ts';
import type { SharedWindow } from './shared-window.ts';

/** The share of a limit for all requests with public credentials. The rest is reserved for the owner. */
const publicPartOf = (limit: number): number => Math.floor(limit / 2);

/** The store's counts for a month. */
export interface StoredRequests {
  readonly apiRequests: number;
  readonly publicApiRequests: number;
}

export class Meter {
  readonly accountId: string;
  readonly month: Month;
  /** All requests. */
  readonly all: MonthCount;
  /** Those with a public credential. */
  readonly ofPublic: MonthCount;
  /** The epoch in which the limit was read. */
  epoch = 0;
  /** Whether there is no limit, so nothing must be taken. */
  isUnlimited = true;
  /** For all credentials together; 0 means unlimited. */
  requestsPerMinute = 0;
  /** Whether no request was admitted since this was last set. */
  isIdle = false;

  constructor(store: WindowVerbs, accountId: string, month: Month, stored: StoredRequests) {
    this.accountId = accountId;
    this.month = month;
    this.all = new MonthCount({ kind: 'api-requests', accountId, month, store }, stored.apiRequests);
    this.ofPublic = new MonthCount({ kind: 'public-api-requests', accountId, month, store }, stored.publicApiRequests);
  }

  /** Switches to another limit; 0 means unlimited. Grants under the previous one are returned to the store. */
  changeLimit(limit: number): void {
    this.isUnlimited = limit === 0;
    this.all.changeLimit(this.isUnlimited ? undefined : limit);
    this.ofPublic.changeLimit(this.isUnlimited ? undefined : publicPartOf(limit));
  }

  /** Whether this process holds anything that another could use. */
  get isHolding(): boolean {
    return this.all.isHolding || this.ofPublic.isHolding;
  }

  /**
   * Takes one request, and one from the public part too if it is public. Returns the count that is used up, or undefined if the request may
   * be admitted. Rejects with `StoreUnavailable` if no allotment can be had.
   */
  take(now: number, isPublic: boolean): Awaitable<MonthCount | undefined> {
    if (isPublic) return this.#takePublic(now);
    const taken = this.all.take(now);
    if (taken === true) return undefined;
    return mapAwaitable(taken, (isTaken) => (isTaken ? undefined : this.all));
  }

  #takePublic(now: number): Awaitable<MonthCount | undefined> {
    const taken = this.ofPublic.take(now);
    const { allotments } = this.ofPublic;
    return mapAwaitable(taken, (isTaken) => (isTaken ? this.#takeOther(now, allotments) : this.ofPublic));
  }

  /** Takes one from the total after one from the public part, which is returned to its allotments if the total is used up. */
  #takeOther(now: number, allotments: SharedWindow | undefined): Awaitable<MonthCount | undefined> {
    const settle = (isTaken: boolean) => {
      if (isTaken) return undefined;
      allotments?.putBack(now);
      return this.all;
    };
    const taken = this.all.take(now);
    if (typeof taken === 'boolean') return settle(taken);
    return taken.then(settle, (error: unknown) => {
      allotments?.putBack(now);
      throw error;
    });
  }

  /** Returns unused grants. Never rejects. */
  async returnAllotments(): Promise<void> {
    await Promise.all([this.all.returnAllotments(), this.ofPublic.returnAllotments()]);
  }
}

/** Number of shares returned together. Each costs a remote store one statement. */
const returnedTogetherMax = 100;

/** Returns the allotments held for these accounts. Never rejects. */
export async function returnAllotments(meters: readonly Meter[]): Promise<void> {
  const holding = meters.filter(({ isHolding }) => isHolding);
  for (let i = 0; i < holding.length; i += returnedTogetherMax) {
    await Promise.all(holding.slice(i, i + returnedTogetherMax).map((meter) => meter.returnAllotments()));
  }
}
