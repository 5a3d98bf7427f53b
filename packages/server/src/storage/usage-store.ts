/**
 * The part of the storage contract that keeps what each account uses and may use. Usage changes in the same step as the write that
 * changes it, so a limit holds whatever happens at the same time.
 *
 * A store is opened with the limits of accounts that have none of their own.
 */
import type { Awaitable } from '../common/awaitable.ts';
import type { ChangedBy } from './audit-store.ts';

/** A value for each thing that is limited. */
export interface Quotas<Value> {
  /** In one calendar month (UTC). */
  readonly apiRequests: Value;
  readonly projects: Value;
  /** Players with state. Each counts once in a project, in however many environments there is state. */
  readonly endUsers: Value;
  /** UTF-8 bytes of every version of public state with its comment, and of the current states of players. */
  readonly storageBytes: Value;
}
export type QuotaName = keyof Quotas<unknown>;

/** What an account may use at most; 0 is unlimited. */
export type QuotaLimits = Quotas<number>;

/** The limits of a store that is opened without any. */
export const unlimited: QuotaLimits = { apiRequests: 0, projects: 0, endUsers: 0, storageBytes: 0 };

/** The limits that an account has of its own; null is that of the store. */
export interface OwnLimits extends Quotas<number | null> {
  /** Of all its credentials together; 0 and null are any number. */
  readonly requestsPerMinute: number | null;
}

export interface AccountUsage {
  readonly used: Quotas<number>;
  /** The limits that apply: its own, otherwise those of the store. */
  readonly limits: QuotaLimits;
  readonly ownLimits: OwnLimits;
  /** Of the API requests of the month, those with credentials that are public. */
  readonly publicApiRequests: number;
}

/** A write that was not carried out because the account would use more than it may. */
export interface QuotaReached {
  readonly kind: 'quota';
  readonly quota: Exclude<QuotaName, 'apiRequests'>;
  readonly limit: number;
  /** What the account used at that moment, without the write. */
  readonly used: number;
  /** Whether it is the part of guests that is used up: `limit` is that part, and `used` what guests use of it. */
  readonly isOfGuests?: true;
}

/** API requests of one account that are to be counted. */
export interface RequestCount {
  readonly accountId: string;
  readonly requests: number;
  /** Those of them with credentials that are public. */
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
  /** Those of them with credentials that are public; undefined if none of these were added. */
  readonly publicTotal?: number | undefined;
  readonly limit: number;
}

export interface UsageStore {
  /**
   * What an account uses, exact as of every write that was acknowledged before, deletions included; and its limits.
   * `monthStartsAt` selects the month of the API requests. Undefined: no such account.
   */
  readUsage(accountId: string, monthStartsAt: number): Awaitable<AccountUsage | undefined>;
  /**
   * Adds requests to the counts of the month, each account at most once in `counts`. Returns the totals in the same order,
   * undefined where there is no such account. Each month has its own count; so has each day (UTC) whose start is given. Not an
   * access change.
   */
  addApiRequests(
    monthStartsAt: number,
    counts: readonly RequestCount[],
    dayStartsAt?: number,
  ): Promise<readonly (CountedRequests | undefined)[]>;
  /**
   * Removes the counts of months and days that began before, of some accounts: the first ones, or those after the one that the call before
   * has returned. Null: no account is left.
   */
  sweepApiRequests(after: string | null, before: number): Promise<string | null>;
  /** The counts of the days that began at `since` or later, oldest first. Days without requests have none. */
  readDailyRequests(accountId: string, since: number): Awaitable<readonly DailyRequests[]>;
  /** Replaces some of the limits that an account has of its own. An access change. */
  writeOwnLimits(by: ChangedBy, accountId: string, changes: Partial<OwnLimits>): Promise<'written' | 'no_account'>;
}
