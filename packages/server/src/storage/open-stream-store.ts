/** The part of the storage contract by which the nodes of an installation tell each other how many change streams they have open. */
import type { Awaitable } from '../common/awaitable.ts';

/** Streams, and long polls that wait, of a project. */
export interface OpenStreams {
  readonly accountId: string;
  readonly slug: string;
  readonly publicStreams: number;
  readonly userStreams: number;
}

export interface OpenStreamStore {
  /**
   * Tells other processes what this one has open in some projects, in place of what it said of them before. It holds until `expiresAt`.
   * An engine that serves one server process has nobody to tell. An engine may forget it when its database server crashes.
   */
  tellOpenStreams(open: readonly OpenStreams[], expiresAt: number): Promise<void>;
  /** What the other processes have open in the projects of an account at the time `now`: one entry for each project with any. */
  readOpenStreams(accountId: string, now: number): Awaitable<readonly OpenStreams[]>;
}
