/** What an engine tells of its work, to whoever measures it. Without an observer nothing is measured. */
export interface StoreObserver {
  /** Called once, when the store is open. `writesWaiting` returns how many writes wait for their answer. */
  onOpen(writesWaiting: () => number): void;
  /** So many writes became durable in one transaction, which took this long. */
  onCommit(writes: number, milliseconds: number): void;
  /** So many writes failed together. */
  onFailure(writes: number): void;
}
