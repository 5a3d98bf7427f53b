/** The part of the storage contract for the number of change streams that each node has open. */
import type { Awaitable } from '../../common/awaitable.ts';

/** Open streams and waiting long polls of a project. */
export interface OpenStreams {
  readonly accountId: string;
  readonly slug: string;
  readonly publicStreams: number;
  readonly userStreams: number;
}

export interface OpenStreamStore {
  /**
   * Reports this process's open streams in some projects to other processes, replacing its last report for these projects. Valid until
   * `expiresAt`. An engine for a single server process does nothing. An engine may lose reports when its database server crashes.
   */
  publishOpenStreams(open: readonly OpenStreams[], expiresAt: number): Promise<void>;
  /** The open streams of other processes in the account's projects at the time `now`: one entry for each project that has any. */
  readOpenStreams(accountId: string, now: number): Awaitable<readonly OpenStreams[]>;
}
