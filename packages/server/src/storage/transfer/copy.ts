/** Copies of a whole store to another engine: source, target and progress. */
import { integerAt, optionalTextAt, type Row, wordAt } from '../rows/columns.ts';
import { reasonOf, StoreUnavailable } from '../store.ts';
import { copiedKindNames, type TransferKind, type TransferRecord, transferKinds } from './kinds.ts';

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
