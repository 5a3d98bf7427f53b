/** Sends what meters have counted to the store, about once a second. */

import { dayOf } from '../common/time/durations.ts';
import type { RequestCount } from '../storage/contract/usage.ts';
import type { Store } from '../storage/store.ts';
import type { Meter } from './account-meter.ts';
import type { Month } from './month-count.ts';

/** Counts are sent to the store within this time. A crash loses only those not yet sent. */
const gatherMilliseconds = 800;
/** Accounts in one command to the store. Each takes a few microseconds. */
const countsMax = 1_000;

export interface RequestCountsOptions {
  readonly store: Pick<Store, 'addApiRequests'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The current month. */
  readonly month: () => Month;
  /** Called after each sending. */
  readonly onSent: () => Promise<void>;
  /** Called if the store did not take counts. They are sent again. */
  readonly onFault: (error: unknown) => void;
}

/** Counts that are waiting or being sent. All waiting ones are of the current month: they are sent before another begins. */
export class RequestCounts {
  readonly #options: RequestCountsOptions;
  #waiting: Meter[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(options: RequestCountsOptions) {
    this.#options = options;
  }

  /** Counts an admitted request. */
  add(meter: Meter, isPublic: boolean): void {
    if (meter.all.unsent === 0) this.#wait(meter);
    meter.all.unsent += 1;
    if (isPublic) meter.ofPublic.unsent += 1;
  }

  /** Resolves when the store has answered for everything sent so far. */
  get sending(): Promise<unknown> {
    return this.#sending;
  }

  /** Sends the waiting counts. Never rejects. */
  send(): Promise<unknown> {
    const waiting = this.#waiting;
    this.#waiting = [];
    const parts: Promise<void>[] = [];
    for (let i = 0; i < waiting.length; i += countsMax) parts.push(this.#sendSome(waiting.slice(i, i + countsMax)));
    this.#sending = Promise.all([this.#sending, ...parts]).then(() => this.#options.onSent());
    return this.#sending;
  }

  /** Sends everything, and stops. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#sending;
    await this.send();
  }

  #wait(meter: Meter): void {
    this.#waiting.push(meter);
    if (this.#timer !== undefined || this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.send();
    }, gatherMilliseconds).unref();
  }

  async #sendSome(meters: readonly Meter[]): Promise<void> {
    const { store, now, month, onFault } = this.#options;
    const { startsAt, endsAt } = month();
    const sent = meters.map((meter) => {
      const { accountId, all, ofPublic } = meter;
      return { meter, count: { accountId, requests: all.send(), publicRequests: ofPublic.send() } };
    });
    try {
      // Requests counted just before midnight may be sent after it, but never in a later month.
      const day = dayOf(Math.min(now(), endsAt - 1));
      const counted = await store.addApiRequests(
        startsAt,
        sent.map(({ count }): RequestCount => count),
        day,
      );
      for (const [index, { meter, count }] of sent.entries()) {
        const { total, publicTotal, limit } = counted[index] ?? {};
        meter.all.settle(count.requests, total);
        meter.ofPublic.settle(count.publicRequests, publicTotal);
        if (limit !== undefined) meter.changeLimit(limit);
      }
    } catch (error) {
      for (const { meter, count } of sent) {
        const isWaiting = meter.all.unsent > 0;
        meter.all.keep(count.requests);
        meter.ofPublic.keep(count.publicRequests);
        // Those of a previous month are lost.
        if (!isWaiting && meter.month === month()) this.#wait(meter);
      }
      onFault(error);
    }
  }
}
