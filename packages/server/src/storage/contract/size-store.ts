/** The part of the storage contract that measures the size of a store, for operators. */

/** What a store takes on its disk. Null: unknown to the engine. */
export interface StoreBytes {
  readonly database: number | null;
  /** The write-ahead log. */
  readonly log: number | null;
}

/** Approximate numbers of records. */
export interface RecordCounts {
  readonly accounts: number;
  readonly projects: number;
  /** Users of the built-in identity provider. */
  readonly users: number;
  /** Players with state; each counts once in a project. */
  readonly players: number;
  readonly publicDocuments: number;
  readonly userDocuments: number;
}

export interface SizeStore {
  /** The current size of the store. */
  measureBytes(): Promise<StoreBytes>;
  /** Counts records in slices, so nobody waits for it. It takes longer the more there are, and records change meanwhile. */
  countRecords(): Promise<RecordCounts>;
}
