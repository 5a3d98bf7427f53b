/** The part of the storage contract for daily request counts of an account's callers, by outcome. Processes add their counts. */
import type { Awaitable } from '../../common/awaitable.ts';

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

export interface RequestFigureStore {
  /**
   * Adds to the figures. Figures of an unknown project count for the account without a project; figures of an unknown account are dropped.
   * Not an access change.
   */
  addRequestFigures(figures: readonly RequestFigure[]): Promise<void>;
  /** The next figures of an account after a position, in order, at most `figuresMax`. */
  listRequestFigures(accountId: string, after: FigurePosition, figuresMax: number): Awaitable<readonly RequestFigure[]>;
  /** The names of an account's API keys and service accounts with these ids; unknown ids are left out. */
  nameCallers(accountId: string, ids: readonly string[]): Awaitable<ReadonlyMap<string, string>>;
  /** Deletes some of the figures of days that began before a time. Returns the number deleted. */
  sweepRequestFigures(before: number): Promise<number>;
}
