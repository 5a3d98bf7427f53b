/** The part of the storage contract that says how large a store is, for operators. */

/** What a store takes on its disk. Null: the engine does not know. */
export interface StoreBytes {
  readonly database: number | null;
  /** The write-ahead log. */
  readonly log: number | null;
}

/** How many records there are, about. */
export interface RecordCounts {
  readonly accounts: number;
  readonly projects: number;
  /** Of the built-in identity provider. */
  readonly users: number;
  /** Players with state; each counts once in a project. */
  readonly players: number;
  readonly publicDocuments: number;
  readonly userDocuments: number;
}

export interface SizeStore {
  /** What the store takes now. */
  measureBytes(): Promise<StoreBytes>;
  /** Counts records, in slices, so that nobody waits for it. The more there are, the longer it takes; meanwhile records come and go. */
  countRecords(): Promise<RecordCounts>;
}
