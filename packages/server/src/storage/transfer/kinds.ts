/**
 * The kinds of records that are copied between engines, each in a form that both engines read and write, without an engine's internal
 * numbers and ids. Accounts are named by their ids, projects by account and slug.
 *
 * Fields have the names of columns, which are the same in every engine, and hold the columns' values: texts chosen by people as JSON
 * strings (`rows.ts`), environments as their numbers. Rows of shared tables are records as they are.
 */

import { integerAt, optionalTextAt, wordAt } from '../rows/columns.ts';
import type { Row } from '../rows/rows.ts';
import { columnsOf, forSharedTables, type SharedTableName, sharedTable, sharedTableNames } from '../sql/tables.ts';
import { reasonOf, StoreUnavailable } from '../store.ts';

export type TransferValue = string | number | null | Uint8Array;
export type TransferRecord = Readonly<Record<string, TransferValue>>;

interface Kind {
  /** The name of its records in messages. */
  readonly title: string;
  readonly fields: readonly string[];
  /** Fields that group records with their own order. They are read in that order, one group after the other. */
  readonly orderedWithin?: readonly string[];
}

/**
 * The kinds that each engine stores in its own form. They come after the kinds of shared tables, to which they refer.
 *
 * Two kinds of data are left out. Allotments of limits per minute expire before a copy ends. Version floors of players are in buckets by a
 * hash over the engine's own project id, so their bucket in the target engine is unknown; the highest floor is copied as the floor of the
 * whole environment (`user_version_floor`).
 */
const engineKinds = {
  installation: { title: 'secrets of the installation', fields: ['bucket_secret'] },
  /** Three for each project, written to or not. While `is_present` is 0, `version` is a floor. */
  environments: {
    title: 'environments',
    fields: ['account_id', 'slug', 'environment', 'version', 'is_present', 'user_version_floor', 'user_version_ceiling'],
  },
  /** The versions of an environment come in ascending order. The stored text is the same in every engine. */
  public_state_versions: {
    title: 'versions of public state',
    fields: [
      'account_id',
      'slug',
      'environment',
      'version',
      'written_at',
      'state_bytes',
      'depth',
      'checksum',
      'author',
      'comment',
      'state',
    ],
  },
  user_states: {
    title: 'states of end users',
    fields: [
      'account_id',
      'slug',
      'environment',
      'end_user_id',
      'updated_at',
      'created_at',
      'version',
      'history_version',
      'history_bytes',
      'author',
      'comment',
      'state_bytes',
      'state',
      'is_linked',
    ],
    orderedWithin: ['account_id', 'slug', 'environment'],
  },
  /** Versions before the current one. The stored text is the same in every engine. */
  user_state_versions: {
    title: 'versions of states of end users',
    fields: [
      'account_id',
      'slug',
      'environment',
      'end_user_id',
      'version',
      'written_at',
      'replaced_at',
      'form',
      'checksum',
      'author',
      'comment',
      'state_bytes',
      'state',
    ],
  },
  /**
   * Authorization codes, with the refresh-token family that each was spent for. `slug` and `environment` are null for developers; the
   * fields after `family_id` are null until the code is spent, and `secret_hash` is null once the family is revoked.
   */
  sign_ins: {
    title: 'authorization codes and refresh-token families',
    fields: [
      'code_hash',
      'account_id',
      'slug',
      'environment',
      'client_id',
      'subject',
      'scope',
      'code_expires_at',
      'redirect_uri',
      'code_challenge',
      'email',
      'name',
      'family_id',
      'created_at',
      'idle_expires_at',
      'absolute_expires_at',
      'secret_hash',
      'previous_secret_hash',
      'replaced_at',
      'exchange_marks',
      'amr',
      'place',
      'player_epoch',
    ],
  },
  write_repeats: {
    title: 'writes that can be repeated',
    fields: ['account_id', 'scope', 'slot', 'repeat_key', 'request', 'version', 'written_at'],
  },
} as const satisfies Readonly<Record<string, Kind>>;

/** A record of a shared table is its row, as it is. */
const sharedTableKinds = forSharedTables((name): Kind => ({ title: sharedTable(name).title, fields: columnsOf(name) }));

const { installation, ...otherHotKinds } = engineKinds;
const passingTables: ReadonlySet<string> = new Set(sharedTableNames.filter((name) => sharedTable(name).isPassing));

/** A kind that each engine stores in tables of its own form. */
export type EngineKind = keyof typeof engineKinds;
export type TransferKind = EngineKind | SharedTableName;
export const transferKinds: Readonly<Record<TransferKind, Kind>> = {
  installation, // first: it shows that the place has a store
  ...sharedTableKinds,
  ...otherHotKinds,
};
/** The kinds in a copy to another engine. */
export const copiedKindNames = Object.keys(transferKinds) as TransferKind[];
/** The kinds in an export. */
export const transferKindNames = copiedKindNames.filter((kind) => !passingTables.has(kind));

/** Records that are read and written together. */
export interface TransferBatch {
  readonly records: readonly TransferRecord[];
  /** The position after which the next batch begins, meaningful only to its store. */
  readonly cursor: string;
}

/** The bounds of one batch, whichever is reached first. A single record may be longer. */
export const batchRecordsMax = 2_000;
export const batchBytesMax = 4 * 1024 * 1024;

/** A store whose records can be read, kind by kind. Of deleted accounts and projects, only floors are included. */
export interface TransferReader {
  /** The approximate number of records of a kind, to show progress. */
  estimate(kind: TransferKind): Promise<number>;
  /** Reads the records of a kind after `cursor`; null: from the first. */
  read(kind: TransferKind, cursor: string | null): AsyncIterable<TransferBatch>;
}

export interface TransferSource extends TransferReader {
  /** Identifies the store for as long as it exists, even if it moves, and does not reveal anything about it. */
  readonly identity: string;
  /** Throws an `Error` if a service uses the store now, as far as that can be known. */
  requireUnused(): Promise<void>;
  close(): Promise<void>;
}

/** The progress of a copy. */
export interface CopyProgress {
  readonly kind: TransferKind;
  readonly cursor: string | null;
  /** The number of copied records of all kinds. */
  readonly records: number;
}

export const copyBegun: CopyProgress = { kind: copiedKindNames[0] as TransferKind, cursor: null, records: 0 };

/** The target store of a copy. No service opens it before `publish`. */
export interface TransferTarget extends TransferReader {
  /** The progress of an earlier run. */
  readonly begun: CopyProgress;
  /** Writes records and, in the same step, the progress of the copy. Throws an `Error` that names the kind. */
  write(batch: TransferBatch, next: CopyProgress): Promise<void>;
  /**
   * Checks the whole store for inconsistencies, then lets services open it. `onShare` is called regularly with the progress of a check, if
   * known. Throws an `Error` that describes the faults.
   */
  publish(onShare: (share?: number) => void): Promise<void>;
  close(): Promise<void>;
}

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

/** The message about a store with an incomplete copy. */
export const incompleteCopy = (name: string): string =>
  `${name} holds a copy that is not complete: run the same "holdfast migrate-store" again to continue it`;

/** The message about a target in which another copy was begun. */
export const foreignCopy = (name: string): string =>
  `${name} holds an incomplete copy of another store; --restart discards it`;

/** Returns the progress of a copy from its row: `cursor` is the cursor of its last batch. */
export const toCopyProgress = (row: Row): CopyProgress => ({
  kind: wordAt(row, 'kind', transferKindNames),
  cursor: optionalTextAt(row, 'cursor'),
  records: integerAt(row, 'records'),
});

/** Throws an `Error` that describes the faults of a finished copy, if any. */
export function requireIntactCopy(faults: readonly { readonly message: string }[]): void {
  if (faults.length > 0) throw new Error(`the copy is damaged: ${faults.map(({ message }) => message).join('; ')}`);
}

/** Returns a write's error as operators see it: `StoreUnavailable` if it may be temporary. */
export function copyFault(kind: TransferKind, error: unknown): Error {
  const fault = error instanceof Error ? error : new Error(String(error));
  const reason = `cannot copy ${transferKinds[kind].title}: ${reasonOf(fault)}`;
  return error instanceof StoreUnavailable ? new StoreUnavailable(reason) : new Error(reason, { cause: error });
}
