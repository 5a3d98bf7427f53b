/** The dependencies of the engine's methods, on the main thread. */
import type { AccessListeners } from '../caches/access-changes.ts';
import type { Marks } from '../contract/installation.ts';
import type { QuotaLimits } from '../contract/usage.ts';
import type { DirectoryLock } from './directory/lock.ts';
import type { Reader } from './reader.ts';
import type { RecordCache } from './record-cache.ts';
import type { RevokedTokenFeed } from './sign-in/revoked-tokens.ts';
import type { ChangeAccess } from './writer/changes.ts';
import type { WriteQueue } from './writer/write-queue.ts';

export interface Dependencies {
  readonly cache: RecordCache;
  readonly access: AccessListeners;
  readonly changeAccess: ChangeAccess;
  readonly ended: RevokedTokenFeed;
  readonly queue: WriteQueue;
  readonly reader: Reader;
  /** Held only by the server, not by a command that runs alongside. */
  readonly lock: DirectoryLock | undefined;
  /** Default limits, for accounts that have no limits of their own. */
  readonly quotas: QuotaLimits;
  readonly marks: () => Marks;
}
