/**
 * The API requests of accounts in a calendar month. A request is counted in memory, which takes almost no time. Counts are sent to the
 * store about once a second, and the store returns what all processes have counted together.
 *
 * If there is a limit, the store gives each process a part of it, and a request is admitted only from such an allotment. The limit is
 * therefore exact for any number of processes. A process returns unused allotments. Requests with public credentials may use only a part of
 * the limit together: they are counted a second time, in the same way.
 */
import { mapAwaitable } from '../common/awaitable.ts';
import { type AccessChange, RecentChanges } from '../storage/caches/access-changes.ts';
import type { WindowVerbs } from '../storage/contract/engine-verbs.ts';
import type { RequestCount } from '../storage/contract/usage.ts';
import type { Awaitable, Store } from '../storage/store.ts';
import { Meter, returnAllotments } from './account-meter.ts';
import { dayOf, type Month, type MonthCount, monthOf } from './month-count.ts';
import { QuotaRefusal } from './quota-refusal.ts';
import { type Allowance, OwnRateLimits, refuseBeyond } from './rate-windows.ts';

/** Counts are sent to the store within this time. A crash loses only those not yet sent. */
const gatherMilliseconds = 800;
/** Accounts in one command to the store. Each takes a few microseconds. */
const countsMax = 1_000;
/** Accounts in memory, about 700 bytes each. Over this, accounts with nothing left to send are forgotten. */
const defaultAccountsMax = 50_000;

/** An allotment that was not needed for this long, or up to twice as long, is returned. */
const returnMilliseconds = 30_000;

/** The epoch of a limit that must be read again. */
const outdated = -1;

export interface RequestMeterOptions {
  readonly store: Pick<Store, 'readUsage' | 'addApiRequests' | 'onAccessChange'> & WindowVerbs;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called if the store did not take counts. They are sent again. */
  readonly onFault: (error: unknown) => void;
  readonly accountsMax?: number;
}

/** A counted request. It keeps the limit with the least left. */
export interface CountedRequest {
  allowance: Allowance | undefined;
}

export interface RequestMeter {
  /**
   * Counts a request of an account; synchronously, unless a remote store must be asked about an account that was not seen lately, or for an
   * allotment. `isPublic` says that its credential is public. Throws (or rejects with) `rate_limited` if the requests of the minute are
   * used up, and a `QuotaRefusal` if those of the month are, or the part of them for public credentials; the refused request is not counted
   * in the month.
   */
  count(accountId: string, isPublic: boolean, request?: CountedRequest): Awaitable<void>;
  /** The current month. */
  month(): Month;
  /** The start of the current day. */
  day(): number;
  /** The account's requests in this month, including those that this process has not sent yet. */
  used(accountId: string): Promise<number>;
  /** Sends the counts, and returns unused allotments. Call it before the store is closed. */
  close(): Promise<void>;
}

/** Returns a meter for the requests of this process. */
export function createRequestMeter(options: RequestMeterOptions): RequestMeter {
  return new StoredRequestMeter(options);
}

class StoredRequestMeter implements RequestMeter {
  readonly #store: RequestMeterOptions['store'];
  readonly #now: () => number;
  readonly #onFault: (error: unknown) => void;
  readonly #accountsMax: number;
  readonly #meters = new Map<string, Meter>();
  readonly #minutes: OwnRateLimits;
  readonly #recent = new RecentChanges();
  /** Meters with counts to send. */
  #waiting: Meter[] = [];
  #month: Month;
  /** Incremented each month, and whenever any limit may have changed. */
  #epoch = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #returnTimer: NodeJS.Timeout;
  #sending: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor({ store, now, onFault, accountsMax = defaultAccountsMax }: RequestMeterOptions) {
    this.#store = store;
    this.#now = now;
    this.#onFault = onFault;
    this.#accountsMax = accountsMax;
    this.#minutes = new OwnRateLimits({ store, name: 'requests-of-account', now });
    this.#month = monthOf(now());
    store.onAccessChange((change) => this.#forgetLimits(change));
    this.#returnTimer = setInterval(() => this.#returnUnused(), returnMilliseconds).unref();
  }

  count(accountId: string, isPublic: boolean, request?: CountedRequest): Awaitable<void> {
    const now = this.#now();
    const meter = this.#known(accountId, now);
    if (meter !== undefined) return this.#take(meter, now, isPublic, request);
    return this.#countUnknown(accountId, isPublic, request);
  }

  month(): Month {
    return monthOf(this.#now());
  }

  day(): number {
    return dayOf(this.#now());
  }

  async #countUnknown(accountId: string, isPublic: boolean, request?: CountedRequest): Promise<void> {
    const found = await this.#lookUp(accountId);
    if (found !== undefined) await this.#take(found, this.#now(), isPublic, request);
  }

  async used(accountId: string): Promise<number> {
    // The store may or may not have counted the requests being sent.
    const isSending = (this.#known(accountId, this.#now())?.all.sent ?? 0) > 0;
    if (isSending) await this.#sending;
    return (await this.#lookUp(accountId))?.all.used ?? 0;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#returnTimer);
    await this.#sending;
    await this.#send();
    await returnAllotments([...this.#meters.values()]);
  }

  /** Begins the month of `now` unless it has begun. The counts of the previous month are then sent. */
  #enterMonth(now: number): Month {
    if (now >= this.#month.endsAt || now < this.#month.startsAt) this.#beginMonth(now);
    return this.#month;
  }

  /** Limits belong to accounts; changes within an account do not affect them. */
  #forgetLimits(change: AccessChange): void {
    if (change.kind === 'everything') this.#epoch += 1;
    if (change.kind !== 'account') return;
    this.#recent.add([change.accountId]);
    const meter = this.#meters.get(change.accountId);
    if (meter !== undefined) meter.epoch = outdated;
  }

  /** The meter of an account, if its limit and its month are current. */
  #known(accountId: string, now: number): Meter | undefined {
    this.#enterMonth(now);
    const meter = this.#meters.get(accountId);
    return meter !== undefined && meter.epoch === this.#epoch ? meter : undefined;
  }

  #take(meter: Meter, now: number, isPublic: boolean, request?: CountedRequest): Awaitable<void> {
    if (meter.requestsPerMinute === 0) return this.#takeOfMonth(meter, now, isPublic);
    const taken = this.#minutes.take(meter.accountId, meter.requestsPerMinute, (left) => noteAndRefuse(request, left));
    return mapAwaitable(taken, () => this.#takeOfMonth(meter, now, isPublic));
  }

  #takeOfMonth(meter: Meter, now: number, isPublic: boolean): Awaitable<void> {
    const usedUp = meter.isUnlimited ? undefined : meter.take(now, isPublic);
    return usedUp instanceof Promise ? this.#admitLater(meter, usedUp, isPublic) : this.#admit(meter, usedUp, isPublic);
  }

  async #admitLater(meter: Meter, taken: Promise<MonthCount | undefined>, isPublic: boolean): Promise<void> {
    const usedUp = await taken;
    // Another month may have begun in the meantime.
    if (meter.month === this.#enterMonth(this.#now())) this.#admit(meter, usedUp, isPublic);
    else
      await mapAwaitable(
        this.#lookUp(meter.accountId),
        (found) => found && this.#takeOfMonth(found, this.#now(), isPublic),
      );
  }

  #admit(meter: Meter, usedUp: MonthCount | undefined, isPublic: boolean): void {
    if (usedUp !== undefined) throw this.#refusal(meter, usedUp);
    if (meter.all.unsent === 0) this.#wait(meter);
    meter.all.unsent += 1;
    if (isPublic) meter.ofPublic.unsent += 1;
    meter.isIdle = false;
  }

  #refusal({ month, ofPublic }: Meter, usedUp: MonthCount): QuotaRefusal {
    const { limit = 0, used } = usedUp;
    const retryAfterSeconds = Math.max(1, Math.ceil((month.endsAt - this.#now()) / 1000));
    const who = usedUp === ofPublic ? 'publishable API keys and guests of the account have' : 'the account has';
    const which = usedUp === ofPublic ? `API requests that they may take of this month` : 'API requests of this month';
    return new QuotaRefusal(
      'QUOTA_API_REQUESTS',
      `${who} used the ${limit} ${which}; the next begins at ${new Date(month.endsAt).toISOString()}`,
      // Other processes may not have used all their grants.
      { limit, used: Math.max(limit, used), resetsAt: month.endsAt, retryAfterSeconds },
    );
  }

  /** Reads the limit and the use of an account. Undefined if the account no longer exists. */
  async #lookUp(accountId: string): Promise<Meter | undefined> {
    const month = this.#month;
    const epoch = this.#epoch;
    const begun = this.#recent.count;
    const usage = await this.#store.readUsage(accountId, month.startsAt);
    if (usage === undefined) return undefined;
    // While the store was asked, another month may have begun, or another request arrived.
    if (month !== this.#month) return this.#lookUp(accountId);
    const known = this.#meters.get(accountId);
    const { publicApiRequests } = usage;
    const { apiRequests } = usage.used;
    const meter =
      known?.month === month ? known : new Meter(this.#store, accountId, month, { apiRequests, publicApiRequests });
    meter.all.found(apiRequests);
    meter.ofPublic.found(publicApiRequests);
    meter.changeLimit(usage.limits.apiRequests);
    meter.requestsPerMinute = usage.ownLimits.requestsPerMinute ?? 0;
    meter.epoch = this.#recent.concernSince(begun, [accountId]) ? outdated : epoch;
    this.#meters.set(accountId, meter);
    return meter;
  }

  /** Waiting counts belong to the previous month and are sent with its date. The limits are read again. */
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

  /** Sends the waiting counts. Never rejects. */
  #send(): Promise<unknown> {
    const waiting = this.#waiting;
    this.#waiting = [];
    const parts: Promise<void>[] = [];
    for (let i = 0; i < waiting.length; i += countsMax) parts.push(this.#sendSome(waiting.slice(i, i + countsMax)));
    this.#sending = Promise.all([this.#sending, ...parts]).then(() => this.#makeRoom());
    return this.#sending;
  }

  /** Sends the counts of some meters of this month. */
  async #sendSome(meters: readonly Meter[]): Promise<void> {
    const month = this.#month;
    const counts: RequestCount[] = meters.map(({ accountId, all, ofPublic }) => {
      return { accountId, requests: all.send(), publicRequests: ofPublic.send() };
    });
    const each = (step: (meter: Meter, count: RequestCount, index: number) => void) =>
      meters.forEach((meter, index) => {
        step(meter, counts[index] as RequestCount, index);
      });
    try {
      // Requests counted just before midnight may be sent after it, but never in a later month.
      const day = dayOf(Math.min(this.#now(), month.endsAt - 1));
      const counted = await this.#store.addApiRequests(month.startsAt, counts, day);
      each((meter, { requests, publicRequests = 0 }, index) => {
        const { total, publicTotal, limit } = counted[index] ?? {};
        meter.all.settle(requests, total);
        meter.ofPublic.settle(publicRequests, publicTotal);
        if (limit !== undefined) meter.changeLimit(limit);
      });
    } catch (error) {
      each((meter, count) => this.#keep(meter, count));
      this.#onFault(error);
    }
  }

  /** Takes back counts that could not be sent. Those of a previous month are lost. */
  #keep(meter: Meter, { requests, publicRequests = 0 }: RequestCount): void {
    const isWaiting = meter.all.unsent > 0;
    meter.all.keep(requests);
    meter.ofPublic.keep(publicRequests);
    if (!isWaiting && meter.month === this.#month) this.#wait(meter);
  }

  async #makeRoom(): Promise<void> {
    if (this.#meters.size <= this.#accountsMax) return;
    const settled = [...this.#meters.values()].filter(({ all }) => all.sent + all.unsent === 0);
    for (const { accountId } of settled) this.#meters.delete(accountId);
    await returnAllotments(settled);
  }

  #returnUnused(): void {
    const meters = [...this.#meters.values()];
    void returnAllotments(meters.filter(({ isIdle }) => isIdle));
    for (const meter of meters) meter.isIdle = true;
  }
}

/** Keeps the account's remainder with its request if it is less than the credential's; refuses one too many. */
function noteAndRefuse(request: CountedRequest | undefined, left: Allowance): void {
  if (request !== undefined && left.remaining < (request.allowance?.remaining ?? Number.POSITIVE_INFINITY))
    request.allowance = left;
  refuseBeyond(left);
}
