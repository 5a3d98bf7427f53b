/** The import of one account into a store in use. */
import type { TransferReader } from './copy.ts';
import type { TransferKind, TransferRecord } from './kinds.ts';

/**
 * The records that make an imported account visible: its own record and its members. They are few, and are written together at the end.
 * Data of an account without a record is never read.
 */
export const publishedKinds = ['accounts', 'developers', 'members'] as const;

export type PublishedKind = (typeof publishedKinds)[number];

/** How long an import's records are left alone after its last write. After that it counts as killed, and the sweep removes them. */
export const importLeaseMilliseconds = 600_000;

/**
 * A store in use, into which the records of one account are imported. Until they are published, the account does not exist: written records
 * look like the remains of a deleted account. A killed import therefore leaves nothing readable, and the sweep removes it.
 */
export interface AccountTarget extends TransferReader {
  /**
   * Takes over and removes the remains of a deleted account with this id, or of a killed import; `onClearing` is called if there are any.
   * `exists`, with nothing changed, if the account exists. A running import of the account fails from now on.
   */
  begin(onClearing: () => void): Promise<'begun' | 'exists'>;
  /** Writes some records, all or none, of an unpublished kind. Throws an `Error` if another import has begun. */
  write(kind: TransferKind, records: readonly TransferRecord[]): Promise<void>;
  /** Renews the lease of the import. Throws as `write` does. */
  renew(): Promise<void>;
  /** Computes the totals of the records, once all are written. */
  count(): Promise<void>;
  /**
   * Writes the records that make the account visible, in one step. Records of `developers` that a different account already has stay
   * unchanged. Throws as `write` does, and if an account with this id exists.
   */
  publish(records: Readonly<Record<PublishedKind, readonly TransferRecord[]>>): Promise<void>;
  /** Removes everything written. Throws as `write` does. */
  abandon(): Promise<void>;
  close(): Promise<void>;
}

/** The fault of an import that is no longer the newest of its account. */
export const anotherImport = (accountId: string): Error =>
  new Error(`another import of ${accountId} has begun since, and has removed what this one had written`);
