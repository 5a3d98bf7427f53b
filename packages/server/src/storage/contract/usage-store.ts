/**
 * The part of the storage contract for each account's usage and limits. Usage is updated in the same step as the write that causes it, so
 * limits hold under any concurrency.
 *
 * A store is opened with default limits, for accounts that have no limits of their own.
 */
import type { Awaitable } from '../../common/awaitable.ts';
import type { ChangedBy } from './audit-store.ts';

/** A value for each limited resource. */
export interface Quotas<Value> {
  /** In one calendar month (UTC). */
  readonly apiRequests: Value;
  readonly projects: Value;
  /** Players with state. Each counts once in a project, regardless of the number of environments with state. */
  readonly endUsers: Value;
  /** UTF-8 bytes of every version of public state with its comment, and of all current player states. */
  readonly storageBytes: Value;
}
export type QuotaName = keyof Quotas<unknown>;

/** The most that an account may use; 0 is unlimited. */
export type QuotaLimits = Quotas<number>;

/** The default of a store: no limits. */
export const unlimited: QuotaLimits = { apiRequests: 0, projects: 0, endUsers: 0, storageBytes: 0 };

/** An account's own limits; null applies the store's limit. */
export interface OwnLimits extends Quotas<number | null> {
  /** For all its credentials together; 0 and null mean unlimited. */
  readonly requestsPerMinute: number | null;
}

export interface AccountUsage {
  readonly used: Quotas<number>;
  /** The limits that apply: the account's own, otherwise the store's. */
  readonly limits: QuotaLimits;
  readonly ownLimits: OwnLimits;
  /** The API requests of the month with public credentials. */
  readonly publicApiRequests: number;
}

/** A write that was not carried out because the account would exceed a limit. */
export interface QuotaReached {
  readonly kind: 'quota';
  readonly quota: Exclude<QuotaName, 'apiRequests'>;
  readonly limit: number;
  /** The account's usage at that moment, without the write. */
  readonly used: number;
  /** Whether the guests' part is used up: `limit` is then that part, and `used` the guests' usage. */
  readonly isOfGuests?: true;
}

/** API requests of one account to be counted. */
export interface RequestCount {
  readonly accountId: string;
  readonly requests: number;
  /** How many of the requests had public credentials. */
  readonly publicRequests?: number;
}

/** API requests of one day (UTC). */
export interface DailyRequests {
  readonly dayStartsAt: number;
  readonly requests: number;
}

export interface CountedRequests {
  /** All requests of the month, by all processes. */
  readonly total: number;
  /** The requests with public credentials; undefined if none were added. */
  readonly publicTotal?: number | undefined;
  readonly limit: number;
}

export interface UsageStore {
  /**
   * An account's usage, including every write and deletion acknowledged before; and its limits. `monthStartsAt` selects the month of the
   * API requests. Undefined if the account does not exist.
   */
  readUsage(accountId: string, monthStartsAt: number): Awaitable<AccountUsage | undefined>;
  /**
   * Adds requests to the counts of the month, each account at most once in `counts`. Returns the totals in the same order, undefined for an
   * unknown account. Each month is counted separately, and so is each day (UTC) whose start is given. Not an access change.
   */
  addApiRequests(
    monthStartsAt: number,
    counts: readonly RequestCount[],
    dayStartsAt?: number,
  ): Promise<readonly (CountedRequests | undefined)[]>;
  /**
   * Removes monthly and daily counts from before a time, for some accounts: the first accounts, or the accounts after the one that the
   * previous call returned. Returns null when no account is left.
   */
  sweepApiRequests(after: string | null, before: number): Promise<string | null>;
  /** The counts of the days that began at `since` or later, oldest first. Days without requests are left out. */
  readDailyRequests(accountId: string, since: number): Awaitable<readonly DailyRequests[]>;
  /** Replaces some of an account's own limits. An access change. */
  writeOwnLimits(by: ChangedBy, accountId: string, changes: Partial<OwnLimits>): Promise<'written' | 'no_account'>;
}
