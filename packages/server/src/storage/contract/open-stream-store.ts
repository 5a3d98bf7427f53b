/** The part of the storage contract by which nodes tell each other how many change streams they have open. */
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
   * Tells other processes what this one has open in some projects, replacing what it last reported for them. Valid until `expiresAt`. An
   * engine for a single server process does nothing. An engine may lose it when its database server crashes.
   */
  publishOpenStreams(open: readonly OpenStreams[], expiresAt: number): Promise<void>;
  /** What the other processes have open in the account's projects at the time `now`: one entry for each project with any. */
  readOpenStreams(accountId: string, now: number): Awaitable<readonly OpenStreams[]>;
}
