/**
 * Records of each account's usage and limits, of what processes share about limits and open streams, and of request counts. Usage is updated
 * in the same step as the write that causes it, so limits hold under any concurrency.
 *
 * A store is opened with default limits, for accounts that have no limits of their own.
 */

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

/** Open streams and waiting long polls of a project. */
export interface OpenStreams {
  readonly accountId: string;
  readonly slug: string;
  readonly publicStreams: number;
  readonly userStreams: number;
}

/**
 * A period of time in which at most `limit` may be let in. A process takes an allotment of it, lets in that many requests without asking
 * again, and then takes the next. The limit therefore holds for all processes of a store together, and few requests wait for the store.
 */
export interface RateWindow {
  /** SHA-256 of the name of what is counted. */
  readonly windowHash: Uint8Array;
  readonly limit: number;
  /** When the window ends if it begins now. */
  readonly endsAt: number;
}

export interface WindowDemand {
  /** The number of requests that the process asks for; at least 1. */
  readonly wanted: number;
  /** How much of the window is used by all processes, as far as this process knows. At least this much counts as granted. */
  readonly used: number;
  readonly now: number;
}

export interface Allotment {
  readonly granted: number;
  /** How many can still be granted afterwards, to any process. */
  readonly left: number;
  readonly endsAt: number;
}

/** Callers that are counted together. API keys and service accounts are counted individually, by id. */
export const commonCallers = {
  /** Members of the account, and the operator. */
  developer: 'developer',
  player: 'end_user',
  /** Callers over the daily bound. */
  other: 'other',
} as const;

/** One caller's requests on one day with the same outcome. */
export interface RequestFigure {
  readonly accountId: string;
  /** The start of the day (UTC). */
  readonly dayStartsAt: number;
  /** The requested project; empty if the request named none. */
  readonly slug: string;
  /** The id of an API key or service account, or a common caller. */
  readonly caller: string;
  /** The error code; empty if there was no error. */
  readonly code: string;
  readonly requests: number;
}

/** Identifies a figure of an account, and defines the order of figures. */
export type FigurePosition = Pick<RequestFigure, 'dayStartsAt' | 'slug' | 'caller' | 'code'>;
