/**
 * How the records of a store are copied to another engine: in kinds, each in a form that both engines read and write,
 * without numbers and ids that have a meaning inside one engine only. Accounts are named by their ids, projects by account
 * and slug.
 *
 * Fields have the names of columns, which are the same in every engine, and hold what the columns hold: texts chosen by
 * people as JSON strings (`rows.ts`), environments as their numbers. Rows of shared tables are records as they are.
 */

import { integerAt, optionalTextAt, wordAt } from './columns.ts';
import type { Row } from './rows.ts';
import { columnsOf, forSharedTables, type SharedTableName, sharedTable, sharedTableNames } from './sql/tables.ts';
import { reasonOf, StoreUnavailable } from './store.ts';

export type TransferValue = string | number | null | Uint8Array;
export type TransferRecord = Readonly<Record<string, TransferValue>>;

interface Kind {
  /** The name of its records in messages. */
  readonly title: string;
  readonly fields: readonly string[];
  /** Fields that group records which have an order of their own. They are read in that order, one group after the other. */
  readonly orderedWithin?: readonly string[];
}

/**
 * The kinds that each engine has in a form of its own. They come after those of shared tables, which they refer to.
 *
 * Two things are left out. Shares of limits per minute: they end before a copy does. And the floors of players: they lie in buckets
 * by a hash over what each engine calls a project, so their bucket in the other engine is unknown. The highest of them is copied as the
 * floor of the whole environment (`user_version_floor`).
 */
const engineKinds = {
  installation: { title: 'secrets of the installation', fields: ['bucket_secret'] },
  /** Three for each project, written to or not. While `is_present` is 0, `version` is a floor. */
  environments: {
    title: 'environments',
    fields: ['account_id', 'slug', 'environment', 'version', 'is_present', 'user_version_floor', 'user_version_ceiling'],
  },
  /** Those of an environment come in ascending order. What is stored of a text is the same in every engine. */
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
  /** Versions before the current one. What is stored of a text is the same in every engine. */
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
   * Authorization codes, with the refresh-token family that each was spent for. `slug` and `environment` are null for
   * developers; what follows `family_id` is null until the code is spent, and `secret_hash` once the family is revoked.
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

/** A kind whose tables each engine has in a form of its own. */
export type EngineKind = keyof typeof engineKinds;
export type TransferKind = EngineKind | SharedTableName;
export const transferKinds: Readonly<Record<TransferKind, Kind>> = {
  installation, // first, since it says that there is a store
  ...sharedTableKinds,
  ...otherHotKinds,
};
/** Those that a copy to another engine has. */
export const copiedKindNames = Object.keys(transferKinds) as TransferKind[];
/** Those that an export has, too. */
export const transferKindNames = copiedKindNames.filter((kind) => !passingTables.has(kind));

/** Records that are read together and written together. */
export interface TransferBatch {
  readonly records: readonly TransferRecord[];
  /** The position that the next batch begins after; only the store that it came from understands it. */
  readonly cursor: string;
}

/** The most that one batch holds, whichever is reached first. A single record may be longer. */
export const batchRecordsMax = 2_000;
export const batchBytesMax = 4 * 1024 * 1024;

/** A store whose records can be read, kind by kind. Of deleted accounts and projects only floors are included. */
export interface TransferReader {
  /** The approximate number of records of a kind, to show progress. */
  estimate(kind: TransferKind): Promise<number>;
  /** Reads the records of a kind that come after `cursor`, from the first one on when that is null. */
  read(kind: TransferKind, cursor: string | null): AsyncIterable<TransferBatch>;
}

export interface TransferSource extends TransferReader {
  /** Identifies the store as long as it exists, wherever it moves, and reveals nothing about it. */
  readonly identity: string;
  /** Throws an `Error` when a service uses the store now, as far as that can be known. */
  demandUnused(): Promise<void>;
  close(): Promise<void>;
}

/** How far a copy has come. */
export interface CopyProgress {
  readonly kind: TransferKind;
  readonly cursor: string | null;
  /** Records of all kinds that were copied. */
  readonly records: number;
}

export const copyBegun: CopyProgress = { kind: copiedKindNames[0] as TransferKind, cursor: null, records: 0 };

/** A store that a copy is written to. No service opens it before `publish`. */
export interface TransferTarget extends TransferReader {
  /** How far an earlier run came. */
  readonly begun: CopyProgress;
  /** Writes records and, in the same step, how far the copy has come with them. Throws an `Error` that names the kind. */
  write(batch: TransferBatch, next: CopyProgress): Promise<void>;
  /**
   * Checks the whole store for inconsistencies, then lets services open it. `onShare` is called now and then with the share of a check
   * that is done, if that is known. Throws an `Error` that says what is wrong.
   */
  publish(onShare: (share?: number) => void): Promise<void>;
  close(): Promise<void>;
}

/**
 * What makes an imported account visible: its own record, and who is a member. They are few, and are written last, together. Nothing reads
 * what lies in an account without a record of its own.
 */
export const publishedKinds = ['accounts', 'developers', 'members'] as const;
export type PublishedKind = (typeof publishedKinds)[number];

/** How long what an import has written is left alone after its last write. Then it counts as killed, and the sweep removes what it has left. */
export const importLeaseMilliseconds = 600_000;

/**
 * A store that others may use, to which the records of one account come. Until it is published, the account does not exist: what was written
 * is as if a deleted account had left it. So a killed import leaves nothing that anybody can read, and the sweep removes it.
 */
export interface AccountTarget extends TransferReader {
  /**
   * Takes what a deleted account of this id, or an import of it that was killed, has left, and removes it; `onClearing` is called if that is
   * anything. `exists`: there is such an account, and nothing was changed. Another import of the account that runs fails from now on.
   */
  begin(onClearing: () => void): Promise<'begun' | 'exists'>;
  /** Writes some records, all or none, of a kind that is not published. Throws an `Error` when another import has begun. */
  write(kind: TransferKind, records: readonly TransferRecord[]): Promise<void>;
  /** Says that the import goes on. Throws as `write` does. */
  renew(): Promise<void>;
  /** Computes what follows from the records, when all are there. */
  count(): Promise<void>;
  /**
   * Writes the records that make the account visible, in one step. What another account has already of `developers` stays as it is. Throws
   * as `write` does, and when an account of this id exists.
   */
  publish(records: Readonly<Record<PublishedKind, readonly TransferRecord[]>>): Promise<void>;
  /** Removes what was written. Throws as `write` does. */
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

/** Returns how far a copy has come, as its row says: `cursor` is the cursor of its last batch. */
export const toCopyProgress = (row: Row): CopyProgress => ({
  kind: wordAt(row, 'kind', transferKindNames),
  cursor: optionalTextAt(row, 'cursor'),
  records: integerAt(row, 'records'),
});

/** Throws an `Error` that says what is wrong with a whole copy, if anything is. */
export function demandSound(faults: readonly { readonly message: string }[]): void {
  if (faults.length > 0) throw new Error(`the copy is damaged: ${faults.map(({ message }) => message).join('; ')}`);
}

/** Returns the error of a write as an operator sees it: `StoreUnavailable` when it may pass. */
export function copyFault(kind: TransferKind, error: unknown): Error {
  const fault = error instanceof Error ? error : new Error(String(error));
  const reason = `cannot copy ${transferKinds[kind].title}: ${reasonOf(fault)}`;
  return error instanceof StoreUnavailable ? new StoreUnavailable(reason) : new Error(reason, { cause: error });
}
