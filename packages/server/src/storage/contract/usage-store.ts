/**
 * The part of the storage contract that counts what each account uses and may use. Usage changes in the same step as the write that changes
 * it, so limits hold under any concurrency.
 *
 * A store is opened with the limits of accounts without their own.
 */
import type { Awaitable } from '../../common/awaitable.ts';
import type { ChangedBy } from './audit-store.ts';

/** A value for each limited resource. */
export interface Quotas<Value> {
  /** In one calendar month (UTC). */
  readonly apiRequests: Value;
  readonly projects: Value;
  /** Players with state. Each counts once in a project, whatever the number of environments with state. */
  readonly endUsers: Value;
  /** UTF-8 bytes of every version of public state with its comment, and of the players' current states. */
  readonly storageBytes: Value;
}
export type QuotaName = keyof Quotas<unknown>;

/** What an account may use at most; 0 is unlimited. */
export type QuotaLimits = Quotas<number>;

/** The default limits of a store: none. */
export const unlimited: QuotaLimits = { apiRequests: 0, projects: 0, endUsers: 0, storageBytes: 0 };

/** An account's own limits; null is the store's limit. */
export interface OwnLimits extends Quotas<number | null> {
  /** Of all its credentials together; 0 and null mean unlimited. */
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
  /** What the account used at that moment, without the write. */
  readonly used: number;
  /** Whether the guests' part is used up: `limit` is that part, and `used` what guests use of it. */
  readonly isOfGuests?: true;
}

/** API requests of one account to be counted. */
export interface RequestCount {
  readonly accountId: string;
  readonly requests: number;
  /** Those of them with public credentials. */
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
  /** Those of them with public credentials; undefined if none of these were added. */
  readonly publicTotal?: number | undefined;
  readonly limit: number;
}

export interface UsageStore {
  /**
   * An account's usage, exact as of every write acknowledged before, deletions included; and its limits. `monthStartsAt` selects the month
   * of the API requests. Undefined: no such account.
   */
  readUsage(accountId: string, monthStartsAt: number): Awaitable<AccountUsage | undefined>;
  /**
   * Adds requests to the counts of the month, each account at most once in `counts`. Returns the totals in the same order, undefined for an
   * unknown account. Each month has its own count, and so has each day (UTC) whose start is given. Not an access change.
   */
  addApiRequests(
    monthStartsAt: number,
    counts: readonly RequestCount[],
    dayStartsAt?: number,
  ): Promise<readonly (CountedRequests | undefined)[]>;
  /**
   * Removes older counts of months and days of some accounts: the first ones, or those after the account that the previous call returned.
   * Null: no account is left.
   */
  sweepApiRequests(after: string | null, before: number): Promise<string | null>;
  /** The counts of the days that began at `since` or later, oldest first. Days without requests are left out. */
  readDailyRequests(accountId: string, since: number): Awaitable<readonly DailyRequests[]>;
  /** Replaces some of an account's own limits. An access change. */
  writeOwnLimits(by: ChangedBy, accountId: string, changes: Partial<OwnLimits>): Promise<'written' | 'no_account'>;
}
