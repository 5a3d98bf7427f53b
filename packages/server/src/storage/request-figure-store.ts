/**
 * The part of the storage contract that keeps what the callers of an account have asked on each day, and how it was answered. Processes
 * add what they have counted.
 */
import type { Awaitable } from '../common/awaitable.ts';

/** Callers that are counted together, beside API keys and service accounts, which are counted one by one by their ids. */
export const commonCallers = {
  /** Members of the account, and the operator. */
  developer: 'developer',
  player: 'end_user',
  /** What is beyond the bound of a day. */
  other: 'other',
} as const;

/** Requests of one caller on one day that were answered in one way. */
export interface RequestFigure {
  readonly accountId: string;
  /** The start of the day (UTC). */
  readonly dayStartsAt: number;
  /** The project that was asked for; empty where there was none. */
  readonly slug: string;
  /** The id of an API key or service account, or a common caller. */
  readonly caller: string;
  /** The code of the error; empty where there was none. */
  readonly code: string;
  readonly requests: number;
}

/** What tells the figures of an account apart, in their order. */
export type FigurePosition = Pick<RequestFigure, 'dayStartsAt' | 'slug' | 'caller' | 'code'>;

export interface RequestFigureStore {
  /**
   * Adds to the figures. Those of a project that does not exist count for its account without a project; those of an account that does
   * not exist are dropped. Not an access change.
   */
  addRequestFigures(figures: readonly RequestFigure[]): Promise<void>;
  /** The next figures of an account behind a position, in their order, at most so many. */
  listRequestFigures(accountId: string, after: FigurePosition, figuresMax: number): Awaitable<readonly RequestFigure[]>;
  /** The names of API keys and service accounts of an account, by these ids; without those that do not exist. */
  nameCallers(accountId: string, ids: readonly string[]): Awaitable<ReadonlyMap<string, string>>;
  /** Deletes some of the figures of days that began before a time, and returns how many. */
  sweepRequestFigures(before: number): Promise<number>;
}
