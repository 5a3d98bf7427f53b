/**
 * The API requests of accounts in a calendar month. A request is counted in memory and so costs next to nothing; what was
 * counted goes to the store about once a second, which answers what all processes have counted together. In one process a
 * limit is kept to the request; of several each learns of the others' requests within that second.
 */
import type { Awaitable } from '../storage/store.ts';
import type { RequestCount, UsageStore } from '../storage/usage-store.ts';
import { whenHere } from './awaitable.ts';
import { QuotaRefusal } from './quota-refusal.ts';

/** What is counted travels to the store at the latest after this; a crash loses no more. */
const gatherMilliseconds = 800;
/** Accounts in one command to the store, of which each takes it a few microseconds. */
const countsMax = 1_000;
/** Accounts in memory; about 150 bytes each. Beyond, those that have nothing left to send are looked up again. */
const defaultAccountsMax = 50_000;

/** A calendar month (UTC), in milliseconds since the epoch. */
export interface Month {
  readonly startsAt: number;
  readonly endsAt: number;
}

export interface RequestMeterOptions {
  readonly store: Pick<UsageStore, 'readUsage' | 'addApiRequests'> & { onAccessChange(listener: () => void): void };
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Told when the store did not take what was counted; it is sent again. */
  readonly onFault: (error: unknown) => void;
  readonly accountsMax?: number;
}

export interface RequestMeter {
  /**
   * Counts a request of an account; at once, unless a remote store has to be asked for an account that was not seen lately.
   * Throws (or rejects with) a `QuotaRefusal` when the requests of the month are used up; that one is not counted.
   */
  count(accountId: string): Awaitable<void>;
  month(): Month;
  /** The requests of the account in this month, those included that the store does not know yet. */
  used(accountId: string): Awaitable<number>;
  /** Sends what was counted; call it before the store is closed. */
  close(): Promise<void>;
}

/** What is known of one account in one month. */
interface Meter {
  readonly accountId: string;
  readonly month: Month;
  /** Requests that are in the store. */
  stored: number;
  /** Requests that are on their way there, and such as wait to be sent. */
  sent: number;
  unsent: number;
  /** 0 is unlimited. */
  limit: number;
  /** The epoch in which the limit was read. */
  epoch: number;
}

const usedOf = ({ stored, sent, unsent }: Meter): number => stored + sent + unsent;

/** Returns a meter that counts in this process and adds that up in the store. */
export function createRequestMeter(options: RequestMeterOptions): RequestMeter {
  return new StoredRequestMeter(options);
}

class StoredRequestMeter implements RequestMeter {
  readonly #store: RequestMeterOptions['store'];
  readonly #now: () => number;
  readonly #onFault: (error: unknown) => void;
  readonly #accountsMax: number;
  readonly #meters = new Map<string, Meter>();
  /** Meters with something to send. */
  #waiting: Meter[] = [];
  #month: Month;
  /** Goes up whenever limits may have changed, and with the month. */
  #epoch = 0;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor({ store, now, onFault, accountsMax = defaultAccountsMax }: RequestMeterOptions) {
    this.#store = store;
    this.#now = now;
    this.#onFault = onFault;
    this.#accountsMax = accountsMax;
    this.#month = monthOf(now());
    store.onAccessChange(() => {
      this.#epoch += 1;
    });
  }

  count(accountId: string): Awaitable<void> {
    const meter = this.#known(accountId);
    if (meter !== undefined) return this.#take(meter);
    return whenHere(this.#lookUp(accountId), (found) => {
      if (found !== undefined) this.#take(found);
    });
  }

  month(): Month {
    const now = this.#now();
    if (now >= this.#month.endsAt || now < this.#month.startsAt) this.#beginMonth(now);
    return this.#month;
  }

  used(accountId: string): Awaitable<number> {
    const meter = this.#known(accountId) ?? this.#lookUp(accountId);
    return whenHere(meter, (found) => (found === undefined ? 0 : usedOf(found)));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#sending;
    await this.#send();
  }

  /** The meter of an account if its limit, and with it its month, is that of now. */
  #known(accountId: string): Meter | undefined {
    this.month();
    const meter = this.#meters.get(accountId);
    return meter !== undefined && meter.epoch === this.#epoch ? meter : undefined;
  }

  #take(meter: Meter): void {
    if (meter.limit > 0 && usedOf(meter) >= meter.limit) throw this.#usedUp(meter);
    if (meter.unsent === 0) this.#wait(meter);
    meter.unsent += 1;
  }

  #usedUp(meter: Meter): QuotaRefusal {
    const { limit, month } = meter;
    const retryAfterSeconds = Math.max(1, Math.ceil((month.endsAt - this.#now()) / 1000));
    const until = new Date(month.endsAt).toISOString();
    return new QuotaRefusal(
      'QUOTA_API_REQUESTS',
      `the account has used the ${limit} API requests of this month; the next begins at ${until}`,
      { limit, used: usedOf(meter), resetsAt: month.endsAt, retryAfterSeconds },
    );
  }

  /** Reads the limit of an account, and what it has used unless that is counted here already. Undefined: it is gone. */
  #lookUp(accountId: string): Awaitable<Meter | undefined> {
    const month = this.#month;
    const epoch = this.#epoch;
    return whenHere(this.#store.readUsage(accountId, month.startsAt), (usage) => {
      if (usage === undefined) return undefined;
      // While a remote store was asked, another month may have begun, and another request have come by.
      if (month !== this.#month) return this.#lookUp(accountId);
      const known = this.#meters.get(accountId);
      const { apiRequests: limit } = usage.limits;
      const meter =
        known?.month === month
          ? known
          : { accountId, month, stored: usage.used.apiRequests, sent: 0, unsent: 0, limit, epoch };
      meter.limit = limit;
      meter.epoch = epoch;
      this.#meters.set(accountId, meter);
      return meter;
    });
  }

  /** What waits belongs to the month before, and is sent with its date; what is known of it ends with it. */
  #beginMonth(now: number): void {
    void this.#send();
    this.#month = monthOf(now);
    this.#epoch += 1;
  }

  #wait(meter: Meter): void {
    this.#waiting.push(meter);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#send();
    }, gatherMilliseconds).unref();
  }

  /** Sends what waits. Never rejects. */
  #send(): Promise<unknown> {
    const waiting = this.#waiting;
    this.#waiting = [];
    const parts: Promise<void>[] = [];
    for (let i = 0; i < waiting.length; i += countsMax) parts.push(this.#sendSome(waiting.slice(i, i + countsMax)));
    this.#sending = Promise.all([this.#sending, ...parts]).then(() => this.#makeRoom());
    return this.#sending;
  }

  /** Sends what waits of meters of this month. */
  async #sendSome(meters: readonly Meter[]): Promise<void> {
    const month = this.#month;
    const counts: RequestCount[] = meters.map(({ accountId, unsent: requests }) => ({ accountId, requests }));
    for (const meter of meters) {
      meter.sent += meter.unsent;
      meter.unsent = 0;
    }
    const settle = (step: (meter: Meter, requests: number, index: number) => void) =>
      meters.forEach((meter, index) => {
        const { requests } = counts[index] as RequestCount;
        meter.sent -= requests;
        step(meter, requests, index);
      });
    try {
      const counted = await this.#store.addApiRequests(month.startsAt, counts);
      settle((meter, requests, index) => {
        meter.stored = counted[index]?.total ?? meter.stored + requests;
        meter.limit = counted[index]?.limit ?? meter.limit;
      });
    } catch (error) {
      settle((meter, requests) => this.#keep(meter, requests));
      this.#onFault(error);
    }
  }

  /** Takes back what could not be sent. Should it be in the store after all, it counts twice: never less than there were. */
  #keep(meter: Meter, requests: number): void {
    if (meter.month !== this.#month) return;
    if (meter.unsent === 0) this.#wait(meter);
    meter.unsent += requests;
  }

  #makeRoom(): void {
    if (this.#meters.size <= this.#accountsMax) return;
    for (const [accountId, { sent, unsent }] of this.#meters) {
      if (sent + unsent === 0) this.#meters.delete(accountId);
    }
  }
}

/** The month in which a moment lies. */
export function monthOf(time: number): Month {
  const date = new Date(time);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { startsAt: Date.UTC(year, month), endsAt: Date.UTC(year, month + 1) };
}
