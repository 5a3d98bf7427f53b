/**
 * The kinds of records that are copied between engines, each in a form that both engines read and write, without an engine's internal
 * numbers and ids. Accounts are named by their ids, projects by account and slug.
 *
 * Fields have the names of columns, which are the same in every engine, and hold the columns' values: texts chosen by people as JSON
 * strings (`rows.ts`), environments as their numbers. Rows of shared tables are records as they are.
 */

import { integerAt, optionalTextAt, wordAt } from '../rows/columns.ts';
import type { Row } from '../rows/rows.ts';
import { columnsIn, type SharedTable } from '../sql/schema/declaration.ts';
import { type SharedTableName, sharedTables } from '../sql/schema/tables.ts';
import { reasonOf, StoreUnavailable } from '../store.ts';

export type TransferValue = string | number | null | Uint8Array;
export type TransferRecord = Readonly<Record<string, TransferValue>>;

/** What is copied, exported and checked of a kind follows from this description. A shared table's declaration is one. */
interface Described extends Pick<SharedTable, 'title' | 'columns' | 'owner' | 'isOfProject' | 'isPassing'> {
  /** Fields that identify a record in an export, in the order of its records there. */
  readonly key: readonly string[];
  /** Fields that group records with their own order. They are read in that order, one group after the other. */
  readonly orderedWithin?: readonly string[];
}

export interface Kind extends Described {
  readonly fields: readonly string[];
  readonly nullable: ReadonlySet<string>;
  /** The values of fields in records from before these fields; undefined for fields that every record has. */
  readonly defaults: Readonly<Record<string, TransferValue | undefined>>;
}

/**
 * The kinds that each engine stores in its own form. They come after the kinds of shared tables, to which they refer.
 *
 * Two kinds of data are left out. Allotments of limits per minute expire before a copy ends. Version floors of players are in buckets by a
 * hash over the engine's own project id, so their bucket in the target engine is unknown; the highest floor is copied as the floor of the
 * whole environment (`user_version_floor`).
 */
const engineKinds = {
  installation: { title: 'secrets of the installation', columns: { bucket_secret: 'bytes' }, key: [] },
  /** Three for each project, written to or not. While `is_present` is 0, `version` is a floor. */
  environments: {
    title: 'environments',
    columns: {
      account_id: 'text',
      slug: 'text',
      environment: 'integer',
      version: 'integer',
      is_present: 'integer',
      user_version_floor: 'integer',
      user_version_ceiling: 'integer',
    },
    key: ['account_id', 'slug', 'environment'],
    owner: 'account_id',
  },
  /** The versions of an environment come in ascending order. The stored text is the same in every engine. */
  public_state_versions: {
    title: 'versions of public state',
    columns: {
      account_id: 'text',
      slug: 'text',
      environment: 'integer',
      version: 'integer',
      written_at: 'integer',
      state_bytes: 'integer',
      depth: 'integer',
      checksum: 'bytes',
      author: 'text?',
      comment: 'text?',
      state: 'text',
    },
    key: ['account_id', 'slug', 'environment', 'version'],
    owner: 'account_id',
  },
  user_states: {
    title: 'states of end users',
    columns: {
      account_id: 'text',
      slug: 'text',
      environment: 'integer',
      end_user_id: 'text',
      updated_at: 'integer',
      created_at: 'integer?',
      version: 'integer',
      history_version: 'integer?',
      history_bytes: 'integer',
      author: 'text?',
      comment: 'text?',
      state_bytes: 'integer',
      state: 'text',
      is_linked: 'integer',
    },
    key: ['account_id', 'slug', 'environment'],
    owner: 'account_id',
    orderedWithin: ['account_id', 'slug', 'environment'],
  },
  /** Versions before the current one. The stored text is the same in every engine. */
  user_state_versions: {
    title: 'versions of states of end users',
    columns: {
      account_id: 'text',
      slug: 'text',
      environment: 'integer',
      end_user_id: 'text',
      version: 'integer',
      written_at: 'integer',
      replaced_at: 'integer',
      form: 'integer',
      checksum: 'bytes',
      author: 'text?',
      comment: 'text?',
      state_bytes: 'integer',
      state: 'text',
    },
    key: ['account_id', 'slug', 'environment', 'end_user_id', 'version'],
    owner: 'account_id',
  },
  /**
   * Authorization codes, with the refresh-token family that each was spent for. `slug` and `environment` are null for developers; the
   * fields after `family_id` are null until the code is spent, and `secret_hash` is null once the family is revoked.
   */
  sign_ins: {
    title: 'authorization codes and refresh-token families',
    columns: {
      code_hash: 'bytes',
      account_id: 'text',
      slug: 'text?',
      environment: 'integer?',
      client_id: 'text',
      subject: 'text',
      scope: 'text',
      code_expires_at: 'integer',
      redirect_uri: 'text',
      code_challenge: 'text',
      email: 'text?',
      name: 'text?',
      family_id: 'text?',
      created_at: 'integer?',
      idle_expires_at: 'integer?',
      absolute_expires_at: 'integer?',
      secret_hash: 'bytes?',
      previous_secret_hash: 'bytes?',
      replaced_at: 'integer?',
      exchange_marks: 'bytes?',
      amr: 'text?',
      place: 'text?',
      player_epoch: 'integer',
    },
    key: ['code_hash'],
    owner: 'account_id',
  },
  write_repeats: {
    title: 'writes that can be repeated',
    columns: {
      account_id: 'text',
      scope: 'bytes',
      slot: 'integer',
      repeat_key: 'bytes',
      request: 'bytes',
      version: 'integer',
      written_at: 'integer',
    },
    key: ['written_at', 'account_id', 'scope', 'slot'], // the sweep removes the oldest first
    owner: 'account_id',
  },
} as const satisfies Readonly<Record<string, Described>>;

function kindOf(described: Described): Kind {
  const columns = columnsIn({ since: 1, ...described }).filter(({ type }) => type !== 'generated');
  return {
    ...described,
    fields: columns.map(({ name }) => name),
    nullable: new Set(columns.filter(({ isNullable }) => isNullable).map(({ name }) => name)),
    defaults: Object.fromEntries(columns.map((column) => [column.name, column.default])),
  };
}

/** A kind that each engine stores in tables of its own form. */
export type EngineKind = keyof typeof engineKinds;
export type TransferKind = EngineKind | SharedTableName;

const { installation, ...otherEngineKinds } = engineKinds;
const described: Readonly<Record<TransferKind, Described>> = {
  installation, // first: it shows that the place has a store
  ...sharedTables,
  accounts: { ...sharedTables.accounts, owner: 'account_id' }, // an account owns its own record
  ...otherEngineKinds,
};

export const transferKinds = Object.fromEntries(
  Object.entries(described).map(([name, description]) => [name, kindOf(description)]),
) as Readonly<Record<TransferKind, Kind>>;
/** The kinds in a copy to another engine. */
export const copiedKindNames = Object.keys(transferKinds) as TransferKind[];
/** The kinds in an export. */
export const transferKindNames = copiedKindNames.filter((kind) => !transferKinds[kind].isPassing);

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
  kind: wordAt(row, 'kind', copiedKindNames),
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
