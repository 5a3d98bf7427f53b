/**
 * The API requests of accounts in a calendar month. A request is counted in memory, which takes almost no time. Counts are sent to the
 * store about once a second, and the store returns what all processes have counted together.
 *
 * If there is a limit, the store gives each process a part of it, and a request is admitted only from such an allotment. The limit is
 * therefore exact for any number of processes. A process returns unused allotments. Requests with public credentials may use only a part of
 * the limit together: they are counted a second time, in the same way.
 *
 * This file has the accounts of a process and their limits, `account-meter.ts` both counts of an account in a month, and `month-count.ts`
 * one count with its allotments. `request-counts.ts` sends what they counted. `usage/request-figures.ts` counts apart from them, by caller,
 * code and day, and limits nothing.
 */
import { type Awaitable, mapAwaitable } from '../common/async/awaitable.ts';
import { dayOf } from '../common/time/durations.ts';
import { type AccessChange, RecentChanges } from '../storage/caches/access-changes.ts';
import type { WindowVerbs } from '../storage/contract/engine-verbs.ts';
import type { Store } from '../storage/store.ts';
import { Meter, returnAllotments } from './account-meter.ts';
import { type Month, type MonthCount, monthOf } from './month-count.ts';
import { QuotaRefusal } from './quota-refusal.ts';
import { type Allowance, ownNamesMax, RateLimit, refuseBeyond } from './rate-limit.ts';
import { RequestCounts } from './request-counts.ts';

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

/** Counts the requests of this process. */
export class RequestMeter {
  readonly #store: RequestMeterOptions['store'];
  readonly #now: () => number;
  readonly #accountsMax: number;
  readonly #meters = new Map<string, Meter>();
  readonly #minutes: RateLimit;
  readonly #recent = new RecentChanges();
  readonly #counts: RequestCounts;
  #month: Month;
  /** Incremented each month, and whenever any limit may have changed. */
  #epoch = 0;
  readonly #returnTimer: NodeJS.Timeout;

  constructor({ store, now, onFault, accountsMax = defaultAccountsMax }: RequestMeterOptions) {
    this.#store = store;
    this.#now = now;
    this.#accountsMax = accountsMax;
    this.#minutes = new RateLimit({ store, name: 'requests-of-account', namesMax: ownNamesMax, now });
    this.#month = monthOf(now());
    this.#counts = new RequestCounts({
      store,
      now,
      month: () => this.#month,
      onSent: () => this.#makeRoom(),
      onFault,
    });
    store.onAccessChange((change) => this.#forgetLimits(change));
    this.#returnTimer = setInterval(() => this.#returnUnused(), returnMilliseconds).unref();
  }

  /**
   * Counts a request of an account; synchronously, unless a remote store must be asked about an account that was not seen lately, or for an
   * allotment. `isPublic` says that its credential is public. Throws (or rejects with) `rate_limited` if the requests of the minute are
   * used up, and a `QuotaRefusal` if those of the month are, or the part of them for public credentials; the refused request is not counted
   * in the month.
   */
  count(accountId: string, isPublic: boolean, request?: CountedRequest): Awaitable<void> {
    const known = this.#known(accountId, this.#now());
    if (known !== undefined) return this.#countIn(known, isPublic, request);
    return mapAwaitable(this.#lookUp(accountId), (found) => found && this.#countIn(found, isPublic, request));
  }

  /** The current month. */
  month(): Month {
    return monthOf(this.#now());
  }

  /** The start of the current day. */
  day(): number {
    return dayOf(this.#now());
  }

  /** The account's requests in this month, including those that this process has not sent yet. */
  async used(accountId: string): Promise<number> {
    // The store may or may not have counted the requests being sent.
    const isSending = (this.#known(accountId, this.#now())?.all.sent ?? 0) > 0;
    if (isSending) await this.#counts.sending;
    return (await this.#lookUp(accountId))?.all.used ?? 0;
  }

  /** Sends the counts, and returns unused allotments. Call it before the store is closed. */
  async close(): Promise<void> {
    clearInterval(this.#returnTimer);
    await this.#counts.close();
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

  /** Takes a request from the minute, if it has a limit, and then from the month. */
  #countIn(meter: Meter, isPublic: boolean, request: CountedRequest | undefined): Awaitable<void> {
    const { accountId, requestsPerMinute } = meter;
    if (requestsPerMinute === 0) return this.#countInMonth(meter, isPublic);
    const taken = this.#minutes.take(accountId, requestsPerMinute, (left) => noteAndRefuse(request, left));
    return mapAwaitable(taken, () => this.#countInMonth(meter, isPublic));
  }

  #countInMonth(meter: Meter, isPublic: boolean): Awaitable<void> {
    const usedUp = meter.isUnlimited ? undefined : meter.take(this.#now(), isPublic);
    if (!(usedUp instanceof Promise)) return this.#admit(meter, usedUp, isPublic);
    return usedUp.then((found) => {
      if (meter.month === this.#enterMonth(this.#now())) return this.#admit(meter, found, isPublic);
      // Another month has begun while the store was asked.
      return mapAwaitable(this.#lookUp(meter.accountId), (next) => next && this.#countInMonth(next, isPublic));
    });
  }

  #admit(meter: Meter, usedUp: MonthCount | undefined, isPublic: boolean): void {
    if (usedUp !== undefined) throw this.#refusal(meter, usedUp);
    this.#counts.add(meter, isPublic);
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
    void this.#counts.send();
    this.#month = monthOf(now);
    this.#epoch += 1;
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
