/** The dependencies of the engine's methods. */

import type { Marks } from '../contract/installation.ts';
import type { BackgroundObserver } from '../contract/store-observer.ts';
import type { QuotaLimits } from '../contract/usage.ts';
import type { Database } from './connection/database.ts';
import type { AccessChanges } from './management/access-changes.ts';
import type { RevokedTokenFeed } from './sign-in/revoked-tokens.ts';
import type { GuardedWrites } from './state/guarded-writes.ts';
import type { Layout } from './state/layouts.ts';
import type { RecordQueues } from './state/record-queues.ts';

export interface Dependencies {
  readonly database: Database;
  readonly access: AccessChanges;
  readonly ended: RevokedTokenFeed;
  /** Default limits, for accounts that have no limits of their own. */
  readonly quotas: QuotaLimits;
  readonly queues: RecordQueues;
  readonly writes: GuardedWrites;
  readonly layout: Layout;
  readonly background: BackgroundObserver;
  /** The secret that sorts players into buckets. */
  readonly bucketSecret: Uint8Array;
  /** The marks of the installation, as this node knows them. */
  readonly marks: () => Marks;
}
