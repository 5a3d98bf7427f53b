/**
 * The part of the storage contract that stores the daily requests of an account's callers, and how they were answered. Processes add their
 * counts.
 */
import type { Awaitable } from '../../common/awaitable.ts';

/** Callers that are counted together. API keys and service accounts are counted one by one, by their ids. */
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
  /** The requested project; empty if there was none. */
  readonly slug: string;
  /** The id of an API key or service account, or a common caller. */
  readonly caller: string;
  /** The code of the error; empty if there was none. */
  readonly code: string;
  readonly requests: number;
}

/** What identifies a figure of an account, and orders them. */
export type FigurePosition = Pick<RequestFigure, 'dayStartsAt' | 'slug' | 'caller' | 'code'>;

export interface RequestFigureStore {
  /**
   * Adds to the figures. Figures of a project that does not exist count for its account without a project; those of an account that does
   * not exist are dropped. Not an access change.
   */
  addRequestFigures(figures: readonly RequestFigure[]): Promise<void>;
  /** The next figures of an account after a position, in their order, at most so many. */
  listRequestFigures(accountId: string, after: FigurePosition, figuresMax: number): Awaitable<readonly RequestFigure[]>;
  /** The names of an account's API keys and service accounts with these ids; unknown ids are left out. */
  nameCallers(accountId: string, ids: readonly string[]): Awaitable<ReadonlyMap<string, string>>;
  /** Deletes some of the figures of days that began before a time. Returns how many. */
  sweepRequestFigures(before: number): Promise<number>;
}
